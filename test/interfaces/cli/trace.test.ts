import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { openLedger } from '../../../src/store/ledger/open-ledger.ts';
import { Sandbox } from '../../support/cli.ts';

let sandbox: Sandbox;
const sandboxes: Sandbox[] = [];
beforeEach(() => {
  sandbox = new Sandbox();
  sandboxes.push(sandbox);
  sandbox.repository('shop');
  sandbox.write('shop/.guardkit/config.yaml', 'project: shop\n');
});
afterAll(() => {
  for (const one of sandboxes) one.cleanup();
});

const trace = (args: readonly string[], person = true) =>
  sandbox.guardkit(['trace', ...args], { in: 'shop', person });

async function json(args: readonly string[], person = true) {
  const { stdout } = await trace([...args, '--json'], person);
  return JSON.parse(stdout);
}

describe('guardkit trace', () => {
  it('adds what a person tells, lists it, finds it by words and shows all of it', async () => {
    const { id, source } = await json([
      'add',
      'The agent renamed a public export',
      ...['--correct', 'Keep the name', '--why', 'Others use it', '--feature', 'FEAT-1', '--agent', 'coding'],
    ]);
    expect(source).toBe('user_correction');
    const other = await json(['add', 'It skipped the tests', '--type', 'violation', '--guard', 'tests']);
    expect((await json(['list'])).traces.map(({ id: one }: { id: string }) => one)).toEqual([other.id, id]);
    expect((await json(['list', '--feature', 'FEAT-1'])).traces).toMatchObject([
      { id, type: 'correction', event: { what_was_correct: 'Keep the name' } },
    ]);
    expect((await json(['query', 'renamed export', '--agent', 'coding'])).traces).toMatchObject([{ id }]);
    expect((await json(['query', 'renamed export', '--agent', 'tester'])).traces).toEqual([]);
    expect((await trace(['show', id])).stdout).toContain('Keep the name');
    expect((await trace(['list'])).stdout).toMatch(/^2 /);
  });

  it('[LEARN-5] records a trace from anyone but a person as an agent’s', async () => {
    const { id } = await json(['add', 'The gate is wrong', '--guard', 'tests'], false);
    expect((await json(['show', id])).source).toBe('agent');
    const forged = await sandbox.failure(
      ['graphiti', 'add', 'traces', '--id', 'TRACE-1', '--type', 'trace', '--body', '-'],
      { in: 'shop', person: false, input: '{}' },
    );
    expect(forged).toMatchObject({ exitCode: 1, code: 'group.controlled' });
  });

  it('refuses what only repeats a precedent, and what is no trace', async () => {
    expect(await trace(['add', 'see [precedent TRACE-1] denied'])).toMatchObject({ exitCode: 1 });
    expect(await trace(['add', 'x', '--feature', '../up'])).toMatchObject({ exitCode: 2 });
    expect(await trace(['add', 'x', '--feature', '../up', '--dry-run'])).toMatchObject({ exitCode: 2 });
    expect(await trace(['add', 'x', '--type', 'rumour'])).toMatchObject({ exitCode: 2 });
    expect(await trace(['show', 'TRACE-none'])).toMatchObject({ exitCode: 2 });
    expect((await json(['list'])).traces).toEqual([]);
  });

  it('changes nothing in a dry run', async () => {
    expect(await json(['add', 'It was so', '--dry-run'])).toMatchObject({ recorded: false });
    const ledger = openLedger({ path: sandbox.path('data', 'ledger.db') });
    try {
      expect(ledger.entries('shop', { kind: 'trace_recorded' })).toEqual([]);
    } finally {
      ledger.close();
    }
  });
});
