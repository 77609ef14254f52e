import { realpathSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { startChatServer } from '../../support/chat-server.ts';
import { outputOf } from '../copilot/copilot-acts.ts';
import { COPILOT_PROGRAM, CopilotMachine, copilotService, done } from '../copilot/copilot-machine.ts';
import {
  expectGuardedSession,
  HAS_TMUX,
  LAST_WORDS,
  SESSION_MS,
  TERMINAL_ENV,
  Terminal,
} from './terminal.ts';

const FORBIDDEN = '.github/hooks/x.json';
const ALLOWED = 'src/new.js';

describe.skipIf(COPILOT_PROGRAM === undefined || !HAS_TMUX)(
  'a person’s session of Copilot CLI in a terminal',
  () => {
    it(
      'refuses a forbidden edit, lets an allowed one through, and is sent back to work once, after GuardKit’s command',
      async () => {
        const machine = new CopilotMachine();
        machine.guardStops();
        await machine.wire('--session');
        machine.trust();
        const folder = realpathSync(machine.project);
        const replies = [
          [outputOf({ write: FORBIDDEN, content: 'x' }, folder)],
          [outputOf({ write: ALLOWED, content: 'export {};\n' }, folder)],
          done,
          [{ text: LAST_WORDS }],
        ];
        const bodies: string[] = [];
        // Copilot CLI also asks for other things, without tools.
        const { url } = await startChatServer(({ body }) =>
          body.includes('"tools":[{') ? (replies[bodies.push(body) - 1] ?? done) : [{ text: 'A title' }],
        );
        const terminal = new Terminal([String(COPILOT_PROGRAM), '--allow-all-tools', '--no-auto-update'], {
          cwd: machine.project,
          env: { ...machine.env(), ...copilotService(url), ...TERMINAL_ENV },
        });
        await expectGuardedSession(terminal, {
          // Before that, it does not know the skills.
          ready: /\/ commands/,
          prompt: '/task-work TASK-1',
          requests: () => bodies,
          exists: (path) => machine.exists(path),
          forbidden: FORBIDDEN,
          allowed: ALLOWED,
        });
        expect(bodies[0]).toContain('Work on the task with GuardKit');
        // It stops a second time, which is recorded too.
        expect(machine.refusals().slice(0, 2)).toEqual([
          ['copilot', 'Write', 'protected-set'],
          ['copilot', 'stop', 'verified-first'],
        ]);
      },
      SESSION_MS,
    );
  },
);
