import { afterAll, expect, test } from 'vitest';
import { documented, QueueProject } from '../support/queue-project.ts';

let project: QueueProject | undefined;
afterAll(() => project?.cleanup());

test('[MANY-2] a worker with a home and a clone of its own builds a queued feature and completes it on the branch', async () => {
  project = await QueueProject.create([documented('A')]);
  const { branch } = await project.queueJson<{ branch: string }>('queue', 'init');
  await project.queueJson('queue', 'add', 'FEAT-A');
  const worker = project.worker(project.machine('one'), ['--until-empty']);
  expect(await worker.exited, worker.output()).toBe(0);
  expect(await project.states(), worker.output()).toEqual({ 'FEAT-A': 'completed' });
  expect(project.sandbox.git('remote.git', 'show', `${branch}:docs/a.md`)).toBe('A');
  expect(project.remoteRefs()).toContain('refs/guardkit/FEAT-A/FEAT-A/T1-e1');
  await project.expectWhole();
  // As if the worker had died right after it completed the feature.
  const tip = project.sandbox.git('remote.git', 'rev-parse', branch);
  project.sandbox.git('remote.git', 'update-ref', `refs/heads/${branch}`, 'main');
  await project.sql("UPDATE guardkit_queue.item SET state = 'waiting', ended_at = NULL");
  const next = project.worker(project.machine('two'), ['--until-empty']);
  expect(await next.exited, next.output()).toBe(0);
  expect(await project.states(), next.output()).toEqual({ 'FEAT-A': 'completed' });
  expect(project.sandbox.git('remote.git', 'rev-parse', branch)).toBe(tip);
  expect(await project.shared('feature_stacked')).toHaveLength(1);
  // The person's own machine has it too.
  const { stdout } = await project.queue('feature', 'show', 'FEAT-A');
  expect(JSON.parse(stdout)).toMatchObject({ status: 'completed', tested: true });
});
