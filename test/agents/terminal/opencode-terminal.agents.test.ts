import { describe, expect, it } from 'vitest';
import { startChatServer } from '../../support/chat-server.ts';
import { outputOf } from '../opencode/opencode-acts.ts';
import { done, OPENCODE, OpencodeMachine } from '../opencode/opencode-machine.ts';
import {
  expectGuardedSession,
  HAS_TMUX,
  LAST_WORDS,
  SESSION_MS,
  STOP_GUARD,
  TERMINAL_ENV,
  Terminal,
} from './terminal.ts';

const FORBIDDEN = '.opencode/command/x.md';
const ALLOWED = 'src/new.js';

describe.skipIf(OPENCODE === undefined || !HAS_TMUX)('a person’s session of OpenCode in a terminal', () => {
  it(
    'refuses a forbidden edit, lets an allowed one through, and is sent back to work once',
    async () => {
      const machine = new OpencodeMachine();
      machine.sandbox.write('shop/.guardkit/guards/stop.yaml', STOP_GUARD);
      machine.sandbox.git('shop', 'add', '-A');
      machine.sandbox.commit('shop', 'Guard');
      await machine.wire();
      const replies = [
        [outputOf({ write: FORBIDDEN, content: 'x' })],
        [outputOf({ write: ALLOWED, content: 'export {};\n' })],
        done,
        [{ text: LAST_WORDS }],
      ];
      const bodies: string[] = [];
      const { url } = await startChatServer(({ body }) => {
        // OpenCode also asks for a title.
        if (!body.includes('"tools"')) return [{ text: 'A title' }];
        return replies[bodies.push(body) - 1] ?? done;
      });
      machine.settings(url);
      const terminal = new Terminal([String(OPENCODE)], {
        cwd: machine.project,
        env: { ...machine.env(), PWD: machine.project, ...TERMINAL_ENV },
      });
      await expectGuardedSession(terminal, {
        ready: /Ask anything|ctrl\+p|commands/i,
        prompt: 'Go on',
        requests: () => bodies,
        exists: (path) => machine.exists(path),
        forbidden: FORBIDDEN,
        allowed: ALLOWED,
      });
      // It stops a second time, which is recorded too.
      expect(machine.refusals().slice(0, 2)).toEqual([
        ['opencode', 'write', 'protected-set'],
        ['opencode', 'stop', 'verified-first'],
      ]);
    },
    SESSION_MS,
  );
});
