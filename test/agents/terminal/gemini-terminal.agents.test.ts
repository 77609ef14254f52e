import { describe, expect, it } from 'vitest';
import { startGeminiServer } from '../../support/gemini-server.ts';
import { outputOf } from '../gemini/gemini-acts.ts';
import { done, GEMINI, GeminiMachine } from '../gemini/gemini-machine.ts';
import {
  expectGuardedSession,
  HAS_TMUX,
  LAST_WORDS,
  SESSION_MS,
  STOP_GUARD,
  TERMINAL_ENV,
  Terminal,
} from './terminal.ts';

const FORBIDDEN = '.gemini/commands/x.toml';
const ALLOWED = 'src/new.js';

describe.skipIf(GEMINI === undefined || !HAS_TMUX)('a person’s session of Gemini CLI in a terminal', () => {
  it(
    'refuses a forbidden edit, lets an allowed one through, and is sent back to work once, after GuardKit’s command',
    async () => {
      const machine = new GeminiMachine();
      machine.sandbox.write('shop/.guardkit/guards/stop.yaml', STOP_GUARD);
      machine.sandbox.git('shop', 'add', '-A');
      machine.sandbox.commit('shop', 'Guard');
      await machine.wire('--session');
      machine.trust();
      const replies = [
        [outputOf({ write: FORBIDDEN, content: 'x' })],
        [outputOf({ write: ALLOWED, content: 'export {};\n' })],
        done,
        [{ text: LAST_WORDS }],
      ];
      const bodies: string[] = [];
      const { url } = await startGeminiServer(({ body }) =>
        body.includes('functionDeclarations') ? (replies[bodies.push(body) - 1] ?? done) : done,
      );
      const words = ['-m', 'gemini-2.5-flash', '--approval-mode', 'yolo'];
      const terminal = new Terminal([String(GEMINI), ...words], {
        cwd: machine.project,
        env: { ...machine.env(), ...TERMINAL_ENV, GOOGLE_GEMINI_BASE_URL: url },
      });
      await expectGuardedSession(terminal, {
        ready: /Type your message/,
        prompt: '/task-work TASK-1',
        requests: () => bodies,
        exists: (path) => machine.exists(path),
        forbidden: FORBIDDEN,
        allowed: ALLOWED,
      });
      expect(bodies[0]).toContain('guardkit task-work TASK-1');
      // It stops a second time, which is recorded too.
      expect(machine.refusals().slice(0, 2)).toEqual([
        ['gemini', 'write_file', 'protected-set'],
        ['gemini', 'stop', 'verified-first'],
      ]);
    },
    SESSION_MS,
  );
});
