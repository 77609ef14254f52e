import { readFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { queryPostgres } from '../support/postgres.ts';
import { documented, QueueProject } from '../support/queue-project.ts';

const made: QueueProject[] = [];
afterAll(async () => {
  for (const project of made) await project.cleanup();
});

/** The statements of the guide, with roles of this test. */
function statements(queueing: string, working: string): string {
  const guide = readFileSync(new URL('../../docs/guide/many-machines.md', import.meta.url), 'utf8');
  const [, sql = ''] = /```sql\n([\s\S]*?)```/.exec(guide) ?? [];
  return sql
    .replaceAll('queueing', queueing)
    .replaceAll('working', working)
    .replaceAll('…', 'for-tests-only');
}

it('[MANY-2] people and workers need only the rights that the guide names, and cannot write to the chain', async () => {
  const project = await QueueProject.create([documented('A')]);
  made.push(project);
  const owner = project.url;
  const suffix = Math.random().toString(36).slice(2, 8);
  await project.queueJson('queue', 'init');
  await project.sql(statements(`queueing_${suffix}`, `working_${suffix}`));
  const as = (role: string) => {
    const url = new URL(owner);
    url.username = `${role}_${suffix}`;
    return url.href;
  };
  project.url = as('queueing');
  await project.queueJson('queue', 'add', 'FEAT-A');
  project.url = as('working');
  const worker = project.worker(project.machine('one'), ['--until-empty']);
  expect(await worker.exited, worker.output()).toBe(0);
  expect(await project.states(), worker.output()).toEqual({ 'FEAT-A': 'completed' });
  project.url = as('queueing');
  expect(await project.queueJson('queue', 'workers')).toMatchObject({ workers: [{ alive: false }] });
  for (const role of ['queueing', 'working'])
    for (const sql of [
      'DELETE FROM guardkit_queue.entry',
      "UPDATE guardkit_queue.entry SET body = ''",
      'DELETE FROM guardkit.ledger_anchor',
    ])
      await expect(queryPostgres(as(role), sql)).rejects.toThrow('permission denied');
  const arguments_ = await project.sql('SELECT inputs FROM guardkit_dbos.workflow_status');
  expect(arguments_.map(({ inputs }) => String(inputs)).join()).not.toMatch(/postgres|password|FEAT/);
});
