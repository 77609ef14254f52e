import { expect, it, onTestFinished } from 'vitest';
import { BuildProject, DOCS_FILES, docsTurn } from '../../support/build-project.ts';
import { further } from '../../support/thorough.ts';
import { McpCaller } from './mcp-client.ts';

further('what was built is told turn by turn, found by words and shown by its id', async () => {
  const project = new BuildProject(DOCS_FILES);
  onTestFinished(() => project.cleanup());
  const rejected = docsTurn('Nothing of use');
  const feedback = { decision: 'feedback', criteria: {}, feedback: 'Say how to add negative numbers.' };
  await project.build([{ ...rejected, coach: { verdict: feedback } }, docsTurn('Add with add')]);
  const caller = await McpCaller.connect({ cwd: project.path(), env: project.sandbox.env });

  const all = await caller.call('turn_history', { id: 'TASK-001' });
  expect(all.text).toMatch(/^TASK-001\/TASK-001: 2 .*approved/);
  expect(all.text).toMatch(/1: feedback: Say how to add negative numbers\./);
  expect(all.text).toContain('2: approved');
  const one = await caller.call('turn_history', { id: 'TASK-001', turn: 1 });
  expect(one.text).toContain('Wrote Nothing of use');
  expect(one.text).toContain('checks: pass');
  expect((await caller.call('turn_history', { id: 'TASK-001', turn: 9 })).text).toMatch(/\b9\b/);
  expect(await caller.call('turn_history', { id: 'TASK-002' })).toMatchObject({
    refused: true,
    code: 'turns.none',
    text: expect.stringContaining('TASK-001'),
  });

  const found = await caller.call('search_memory', { query: 'negative numbers', group: 'turn_states' });
  const id = /\[precedent (TURN-\S+)\]/.exec(found.text)?.[1] ?? '';
  expect(found.text).toContain('turn_state');
  const whole = await caller.call('get_entity', { id });
  expect(whole.text).toContain('"coach_feedback":"Say how to add negative numbers."');
  expect((await caller.call('get_entity', { id, as_of: '2001-01-01T00:00:00Z' })).refused).toBe(true);
  expect((await caller.call('get_entity', { id, as_of: 'yesterday' })).refused).toBe(true);
  expect((await caller.call('search_memory', { query: 'zebra crossing' })).text).not.toContain('[precedent');
});

it('a store that is away is said, and the tools that do without it work', async () => {
  const project = new BuildProject(DOCS_FILES);
  onTestFinished(() => project.cleanup());
  const env = { ...project.sandbox.env, GUARDKIT_DATABASE_URL: 'postgres://127.0.0.1:1/none' };
  const caller = await McpCaller.connect({ cwd: project.path(), env });
  const search = await caller.call('search_memory', { query: 'anything' });
  expect(search).toMatchObject({ refused: true, code: 'store.unreachable' });
  expect((await caller.call('next_action')).text).toContain('TASK-001');
  const node = { type: 'component', level: 'architecture', status: 'current', description: 'One' };
  const update = await caller.call('knowledge_update', { operation: 'add_node', name: 'one', ...node });
  expect(update).toMatchObject({ refused: false, text: expect.stringContaining('127.0.0.1') });
});
