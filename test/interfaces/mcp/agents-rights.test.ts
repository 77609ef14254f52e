import { expect, it } from 'vitest';
import { openLedger } from '../../../src/store/ledger/open-ledger.ts';
import { HookedProject } from '../../support/hooked-project.ts';
import { McpCaller } from './mcp-client.ts';

async function callerIn(project: HookedProject): Promise<McpCaller> {
  return McpCaller.connect({ cwd: project.folder, env: project.personEnv() });
}

function entriesOf(project: HookedProject, kind: string) {
  const ledger = openLedger({ path: `${project.dataFolder}/ledger.db` });
  try {
    return ledger.entries('shop-1', { kind }).map(({ body }) => body);
  } finally {
    ledger.close();
  }
}

it('feature_update takes nothing that is GuardKit’s or a person’s [MCP-1]', async () => {
  const project = new HookedProject();
  const caller = await callerIn(project);
  const before = project.list();
  for (const more of [
    { tested: true },
    { evidence: ['VERIFY-1'] },
    { retries: 0 },
    { blocked_reason: '', tested_tree: 'abc' },
    { fields: { tested: true } },
    { extra: { tested: true } },
    { closed: true },
    { remove: true },
    { criteria_remove: ['AC-001'] },
    { by: 'person' },
  ]) {
    const { refused, code } = await caller.call('feature_update', { id: 'FEAT-1', notes: 'x', ...more });
    expect([more, refused, code]).toEqual([more, true, 'call.wrong']);
  }
  expect(project.list()).toEqual(before);
});

it('a caller whom nobody knows has the rights of an agent, though it is started like a person’s program', async () => {
  const project = new HookedProject();
  const caller = await callerIn(project);
  await caller.call('next_action');
  expect(
    await caller.call('feature_update', { id: 'FEAT-1', status: 'completed', notes: 'done' }),
  ).toMatchObject({ refused: false });
  expect(project.list().features[0]).toMatchObject({ status: 'completed', tested: false });
  const blocked = await caller.call('feature_update', { id: 'FEAT-1', status: 'blocked' });
  expect(blocked.refused).toBe(true);
  const criteria = await caller.call('feature_update', { id: 'FEAT-1', criteria_add: ['AC-009: less'] });
  expect(criteria.refused).toBe(true);
  expect(entriesOf(project, 'features_recorded').at(-1)).toMatchObject({ by: 'agent' });
  expect(project.list().features[0]).toMatchObject({ status: 'completed', tested: false });
});

it('what a kind of agent may change is what its hooks say it is, not what it says', async () => {
  const project = new HookedProject();
  await project.begin();
  const caller = await callerIn(project);
  await caller.call('next_action');
  await project.hook({
    hook_event_name: 'PreToolUse',
    tool_name: 'mcp__guardkit__feature_update',
    tool_use_id: 'tool-mcp',
    tool_input: { id: 'FEAT-1', status: 'completed' },
    agent_id: 'a1',
    agent_type: 'tester-agent',
  });
  const tester = await caller.call('feature_update', { id: 'FEAT-1', status: 'completed' });
  expect(tester.refused).toBe(true);
  expect((await caller.call('feature_update', { id: 'FEAT-1', notes: 'looks good' })).refused).toBe(false);
  expect(project.list().features[0]).toMatchObject({ status: 'pending', notes: 'looks good' });
});

it('what the tool changed while the agent’s action goes on stays, and is no violation', async () => {
  const project = new HookedProject();
  await project.begin();
  const caller = await callerIn(project);
  await caller.call('next_action');
  const tool = {
    tool_name: 'mcp__guardkit__feature_update',
    tool_use_id: 'tool-mcp',
    tool_input: { id: 'FEAT-1', notes: 'kept' },
  };
  await project.hook({ hook_event_name: 'PreToolUse', ...tool });
  await caller.call('feature_update', { id: 'FEAT-1', notes: 'kept' });
  await project.hook({ hook_event_name: 'PostToolUse', ...tool, tool_response: 'done' });
  expect(project.list().features[0]).toMatchObject({ notes: 'kept' });
  expect(entriesOf(project, 'violation_recorded')).toEqual([]);
});

it('a trace that an agent stores is its own word, whatever it says [MCP-1]', async () => {
  const project = new HookedProject();
  const caller = await callerIn(project);
  const event = { what_happened: 'Marked it tested without tests', what_was_correct: 'Run them' };
  for (const forged of [
    { source: 'user_correction' },
    { source: 'enforcement_hook' },
    { outcome: 'denied' },
    { confidence: 1 },
    { guard: 'block-tested-true' },
    { context: { session: 'session-9' } },
  ]) {
    const { refused } = await caller.call('store_trace', { type: 'violation', event, ...forged });
    expect([forged, refused]).toEqual([forged, true]);
  }
  const context = { agent: 'person' };
  const stored = await caller.call('store_trace', { type: 'violation', event, context });
  expect(stored.text).toMatch(/\bTRACE-/);
  expect(entriesOf(project, 'trace_recorded')).toMatchObject([
    { source: 'agent', outcome: 'told', context: { agent: 'main' } },
  ]);
  const found = await caller.call('query_traces', { text: 'marked tested without tests' });
  expect(found.text).toMatch(/\bmain\b.*Marked it tested without tests.*Run them/);
  const searched = await caller.call('search_memory', { query: 'marked tested without tests' });
  expect(searched.text).toContain('Marked it tested without tests');
});

it('a trace takes the agent and the task in words, as agents write them', async () => {
  const project = new HookedProject();
  const caller = await callerIn(project);
  const { text } = await caller.call('store_trace', {
    type: 'correction',
    context: { agent: 'coding-agent', feature: 'PT-003', task: 'implement morning session' },
    event: {
      what_happened: 'Agent marked tested:true with empty data',
      what_was_correct: 'Should verify non-empty response first',
      why: 'Empty data means feature not actually working',
    },
  });
  expect(text).toMatch(/\bTRACE-/);
  const [recorded] = entriesOf(project, 'trace_recorded');
  expect(recorded).toMatchObject({
    context: { agent: 'main', feature: 'PT-003', task: null },
    event: { why: expect.stringContaining('implement morning session') },
  });
});

it('what agents tell, however often, makes no pattern and no guard [MCP-1]', async () => {
  const project = new HookedProject();
  const caller = await callerIn(project);
  for (let count = 0; count < 12; count++)
    await caller.call('store_trace', {
      type: 'violation',
      event: { what_happened: 'git push to main', what_was_correct: 'A branch' },
      context: { feature: count % 2 === 0 ? 'FEAT-1' : 'FEAT-2' },
    });
  expect((await caller.call('extract_patterns')).text).toMatch(/^0 .*\b12\b/);
  expect((await caller.call('create_guard', { pattern: 'PATTERN-1' })).refused).toBe(true);
});

it('there is no tool that waives, accepts, promotes, unblocks or removes [MCP-1]', async () => {
  const caller = await callerIn(new HookedProject());
  const { tools } = await caller.client.listTools();
  const said = JSON.stringify(tools.map(({ name, inputSchema }) => [name, inputSchema]));
  expect(said).not.toMatch(/waive|accept"|promote|unblock|"mode"|"tested"|"source":\{"type":"string"\}/);
});
