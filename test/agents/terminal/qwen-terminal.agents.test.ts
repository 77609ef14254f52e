import { realpathSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { startChatServer } from '../../support/chat-server.ts';
import { outputOf } from '../qwen/qwen-acts.ts';
import { done, QWEN_PROGRAM, QwenMachine, qwenService } from '../qwen/qwen-machine.ts';
import {
  expectGuardedSession,
  HAS_TMUX,
  LAST_WORDS,
  SESSION_MS,
  TERMINAL_ENV,
  Terminal,
} from './terminal.ts';

const FORBIDDEN = '.qwen/commands/x.md';
const ALLOWED = 'src/new.js';

describe.skipIf(QWEN_PROGRAM === undefined || !HAS_TMUX)(
  'a person’s session of Qwen Code in a terminal',
  () => {
    it(
      'refuses a forbidden edit, lets an allowed one through, and is sent back to work once, after GuardKit’s command',
      async () => {
        const machine = new QwenMachine();
        machine.guardStops();
        await machine.wire('--session');
        const folder = realpathSync(machine.project);
        const replies = [
          [outputOf({ write: FORBIDDEN, content: 'x' }, folder)],
          [outputOf({ write: ALLOWED, content: 'export {};\n' }, folder)],
          done,
          [{ text: LAST_WORDS }],
        ];
        const bodies: string[] = [];
        // Qwen Code also asks for other things, without tools.
        const { url } = await startChatServer(({ body }) =>
          body.includes('"tools":[{') ? (replies[bodies.push(body) - 1] ?? done) : [{ text: 'A title' }],
        );
        const terminal = new Terminal([String(QWEN_PROGRAM), '--approval-mode', 'yolo'], {
          cwd: machine.project,
          env: { ...machine.env(), ...qwenService(url), ...TERMINAL_ENV },
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
          ['qwen', 'write_file', 'protected-set'],
          ['qwen', 'stop', 'verified-first'],
        ]);
      },
      SESSION_MS,
    );
  },
);
