import { chmodSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { writeToolUseAnswer } from '../../../src/enforcement/agents/tool-use-answers.ts';
import type { HookAnswer, HookEvent } from '../../../src/enforcement/hooks/hook-event.ts';
import { CODEX_HOOKS, withCodexHooks } from '../../../src/enforcement/install/wire-codex.ts';
import { CODEX, CodexMachine, done, shell } from './codex-machine.ts';

const SOURCE = {
  agent: 'codex',
  session: 's',
  cwd: '/',
  actorType: undefined,
  actorId: undefined,
  canAsk: false,
};
const ACTING: HookEvent = {
  type: 'acting',
  source: SOURCE,
  action: 't',
  tool: 'Bash',
  request: { kind: 'command', command: 'x', background: false },
};
const STOPPING: HookEvent = { type: 'stopping', source: SOURCE, of: 'session', again: false, said: '' };
const MORE = { context: 'CONTEXT', notice: 'NOTICE' };

/** A machine whose hooks print fixed answers. */
function answering(before: object, stop: object): CodexMachine {
  const machine = new CodexMachine();
  const printing = (name: string, answer: object) => {
    const text = JSON.stringify(answer).replaceAll("'", "'\\''");
    const path = machine.sandbox.write(name, `#!/bin/sh\ncat > /dev/null\nprintf '%s\\n' '${text}'\n`);
    chmodSync(path, 0o700);
    return path;
  };
  const refusing = printing('before.sh', before);
  // A stop that is held back again and again would never end.
  const path = printing('stop.sh', stop);
  const stopping = `if [ -e ${path}.once ]; then true; else touch ${path}.once; ${path}; fi`;
  const hooks = withCodexHooks({}, { refusing, stopping, letting: 'true', beginning: 'true' });
  machine.sandbox.write(`shop/${CODEX_HOOKS}`, JSON.stringify(hooks));
  machine.trust();
  return machine;
}

describe.skipIf(CODEX === undefined)('Codex understands the answers of GuardKit', () => {
  it.each<[string, HookAnswer]>([
    ['with a reason', { decision: 'stop', reason: 'REASON' }],
    ['with a reason, context and a notice', { decision: 'stop', reason: 'REASON', ...MORE }],
    ['instead of a question', { decision: 'ask', reason: 'REASON', ...MORE }],
    ['without a reason', { decision: 'stop', ...MORE }],
  ])('that refuse %s', async (_, answer) => {
    const machine = answering(writeToolUseAnswer(ACTING, answer), {});
    const { server } = await machine.run([[shell('echo x > ran.txt')], done]);
    expect(machine.exists('ran.txt')).toBe(false);
    expect(server.requests).toHaveLength(2);
    if (answer.reason !== undefined) expect(server.requests[1]?.body).toContain('REASON');
  });

  it('that hold a stop back, with a notice', async () => {
    const machine = answering(
      {},
      writeToolUseAnswer(STOPPING, { decision: 'stop', reason: 'REASON', ...MORE }),
    );
    const { server } = await machine.run([done, [{ text: 'Really done.' }]]);
    expect(server.requests).toHaveLength(2);
    expect(server.requests[1]?.body).toContain('REASON');
  });

  it('that allow an action, with context for the model', async () => {
    const machine = answering(writeToolUseAnswer(ACTING, { decision: 'go', ...MORE }), {});
    const { server } = await machine.run([[shell('echo x > ran.txt')], done]);
    expect(machine.exists('ran.txt')).toBe(true);
    expect(server.requests[1]?.body).toContain('CONTEXT');
  });
});
