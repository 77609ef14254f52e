import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { use } from '../../orchestration/drivers/driver-benches.ts';
import { CLAUDE, ClaudeMachine, done } from '../claude/claude-machine.ts';
import {
  expectGuardedSession,
  HAS_TMUX,
  LAST_WORDS,
  SESSION_MS,
  STOP_GUARD,
  TERMINAL_ENV,
  Terminal,
} from './terminal.ts';

const FORBIDDEN = '.claude/commands/x.md';
const ALLOWED = 'src/new.js';

describe.skipIf(!CLAUDE || !HAS_TMUX)('a person’s session of Claude Code in a terminal', () => {
  it(
    'refuses a forbidden edit, lets an allowed one through, and is sent back to work once',
    async () => {
      const machine = new ClaudeMachine();
      machine.sandbox.write('shop/.guardkit/guards/stop.yaml', STOP_GUARD);
      machine.sandbox.git('shop', 'add', '-A');
      machine.sandbox.commit('shop', 'Guard');
      await machine.wire();
      const write = (path: string) =>
        use('Write', { file_path: join(machine.project, path), content: 'export {};\n' });
      const server = await machine.serve([
        write(FORBIDDEN),
        write(ALLOWED),
        done,
        { content: [{ type: 'text', text: LAST_WORDS }] },
      ]);
      const words = ['--permission-mode', 'acceptEdits', '--allowedTools', 'Bash,Write,Edit,Read'];
      const terminal = new Terminal([String(CLAUDE), ...words], {
        cwd: machine.project,
        env: { ...machine.env(server), ...TERMINAL_ENV },
      });
      await expectGuardedSession(terminal, {
        ready: /❯|for shortcuts/,
        prompt: 'Go on',
        requests: () =>
          server.requests
            .filter(({ tools }) => tools.length > 0)
            .map(({ messages }) => JSON.stringify(messages)),
        exists: (path) => machine.exists(path),
        forbidden: FORBIDDEN,
        allowed: ALLOWED,
      });
      // It stops a second time, which is recorded too.
      expect(machine.refusals().slice(0, 2)).toEqual([
        ['claude', 'Write', 'protected-set'],
        ['claude', 'stop', 'verified-first'],
      ]);
    },
    SESSION_MS,
  );
});
