import { expect, it } from 'vitest';
import { openLedger } from '../../../src/store/ledger/open-ledger.ts';
import { readLearnedGuards } from '../../../src/store/ledger/tables/learned-guards.ts';
import { HookedProject } from '../../support/hooked-project.ts';
import { McpCaller } from './mcp-client.ts';

it('refusals that come again become a pattern, and the pattern a guard that only watches', async () => {
  const project = new HookedProject();
  for (const session of ['session-1', 'session-2', 'session-3']) {
    project.session = session;
    await project.begin();
    await project.hook({
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_use_id: `tool-${session}`,
      tool_input: { command: 'git push --force origin main' },
      permission_mode: 'bypassPermissions',
    });
    await project.hook({ hook_event_name: 'SessionEnd', reason: 'other' });
  }
  const caller = await McpCaller.connect({ cwd: project.folder, env: project.personEnv() });
  const traces = await caller.call('query_traces', { text: 'push force' });
  expect(traces.text).toContain('git push --force');
  const { text } = await caller.call('extract_patterns');
  const id = /\[precedent (\S+)\]/.exec(text)?.[1] ?? '';
  expect(text).toMatch(/^1 /);
  const whole = await caller.call('extract_patterns', { id });
  expect(whole.text).toMatch(/\b3\b/);
  expect((await caller.call('get_entity', { id })).text).toContain('pattern_id');

  const tried = await caller.call('create_guard', { pattern: id, dry_run: true });
  expect(tried.text).toContain('shadow');
  expect(learned(project)).toEqual([]);
  const created = await caller.call('create_guard', { pattern: id });
  expect(created).toMatchObject({ refused: false, text: expect.stringContaining('shadow') });
  expect(learned(project)).toEqual(['shadow']);
  expect((await caller.call('create_guard', { pattern: id })).refused).toBe(false);
  for (const forged of [{ mode: 'enforce' }, { promote: true }, { by: 'a person' }])
    expect((await caller.call('create_guard', { pattern: id, ...forged })).refused).toBe(true);

  expect(learned(project)).toEqual(['shadow']);
});

/** The modes of the guards that were made of patterns. */
function learned({ dataFolder }: HookedProject): string[] {
  const ledger = openLedger({ path: `${dataFolder}/ledger.db` });
  try {
    return readLearnedGuards(ledger, 'shop-1').map(({ mode }) => mode);
  } finally {
    ledger.close();
  }
}
