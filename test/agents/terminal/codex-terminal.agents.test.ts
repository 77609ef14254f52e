import { describe, expect, it } from 'vitest';
import { startResponsesServer } from '../../support/responses-server.ts';
import { CODEX, CodexMachine, done, loopProvider, patch } from '../codex/codex-machine.ts';
import {
  expectGuardedSession,
  HAS_TMUX,
  LAST_WORDS,
  SESSION_MS,
  STOP_GUARD,
  TERMINAL_ENV,
  Terminal,
} from './terminal.ts';

const FORBIDDEN = '.codex/x.toml';
const ALLOWED = 'src/new.js';

describe.skipIf(CODEX === undefined || !HAS_TMUX)('a person’s session of Codex in a terminal', () => {
  it(
    'refuses a forbidden edit, lets an allowed one through, and is sent back to work once',
    async () => {
      const machine = new CodexMachine();
      machine.sandbox.write('shop/.guardkit/guards/stop.yaml', STOP_GUARD);
      machine.sandbox.git('shop', 'add', '-A');
      machine.sandbox.commit('shop', 'Guard');
      await machine.wire();
      // The person has seen that there is a newer model.
      machine.configure(
        'check_for_update_on_startup = false\n[notice.model_migrations]\n"gpt-5.5" = "gpt-6-sol"\n',
      );
      machine.trust();
      const replies = [
        [patch(`*** Add File: ${FORBIDDEN}`, '+x')],
        [patch(`*** Add File: ${ALLOWED}`, '+export {};')],
        done,
        [{ text: LAST_WORDS }],
      ];
      const bodies: string[] = [];
      // Codex also asks for a title, without a tool for commands.
      const { url } = await startResponsesServer(({ body }) =>
        body.includes('"name":"exec_command"') ? (replies[bodies.push(body) - 1] ?? done) : done,
      );
      const words = ['-m', 'gpt-5.5', '-s', 'danger-full-access', '-a', 'never', ...loopProvider(url)];
      const terminal = new Terminal([String(CODEX), ...words], {
        cwd: machine.project,
        env: { ...machine.env(), ...TERMINAL_ENV },
      });
      await expectGuardedSession(terminal, {
        // Not a list of choices.
        ready: /^› (?!\d\.)/m,
        prompt: 'Go on',
        requests: () => bodies,
        exists: (path) => machine.exists(path),
        forbidden: FORBIDDEN,
        allowed: ALLOWED,
      });
      // It stops a second time, which is recorded too.
      expect(machine.refusals().slice(0, 2)).toEqual([
        ['codex', 'apply_patch', 'protected-set'],
        ['codex', 'stop', 'verified-first'],
      ]);
    },
    SESSION_MS,
  );
});
