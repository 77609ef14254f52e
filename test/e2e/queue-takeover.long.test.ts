import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { documented, QueueProject, type RunningWorker } from '../support/queue-project.ts';

const made: QueueProject[] = [];
afterAll(async () => {
  for (const project of made) await project.cleanup();
});

/** A feature of three turns, in whose agent there is time to do something to its worker. */
async function begunProject() {
  const project = await QueueProject.create([documented('A', { turns: 3, run: ['sleep 2'] })]);
  made.push(project);
  await project.queueJson('queue', 'init');
  await project.queueJson('queue', 'add', 'FEAT-A');
  const workers = ['one', 'two'].map((name) => project.worker(project.machine(name), ['--until-empty']));
  await project.begun(2);
  for (const busy of workers) {
    const claim = await project.claimOf(busy);
    if (claim) return { project, workers, busy, claim };
  }
  throw new Error('no worker has the feature');
}

async function expectCompleted(project: QueueProject): Promise<void> {
  expect(await project.states()).toEqual({ 'FEAT-A': 'completed' });
  await project.expectWhole();
}

describe('[MANY-3] another worker takes a feature over', () => {
  it('within seconds after its worker was killed', async () => {
    const { project, workers, busy, claim } = await begunProject();
    busy.child.kill('SIGKILL');
    const seconds = await project.takeover(claim);
    const other = workers.find((one) => one !== busy);
    expect(await other?.exited, other?.output()).toBe(0);
    await expectCompleted(project);
    // A loaded machine takes its time; `npm run test:queue` measures.
    expect(seconds).toBeLessThan(20);
  });

  it('after its worker hung, which ends itself when it wakes up', async () => {
    const { project, workers, busy, claim } = await begunProject();
    busy.child.kill('SIGSTOP');
    await project.takeover(claim);
    busy.child.kill('SIGCONT');
    expect(await busy.exited, busy.output()).toBe(3);
    const other = workers.find((one) => one !== busy);
    expect(await other?.exited, other?.output()).toBe(0);
    await expectCompleted(project);
  });

  it('after its worker hung while it completed the feature, though it never wakes up', async () => {
    const slow = { checks: [{ name: 'A is there', command: 'sleep 3; test -s docs/a.md' }] };
    const project = await QueueProject.create([{ ...documented('A'), verify: slow }]);
    made.push(project);
    await project.queueJson('queue', 'init');
    await project.queueJson('queue', 'add', 'FEAT-A');
    const workers = ['one', 'two'].map((name) => project.worker(project.machine(name), ['--until-empty']));
    const completing = 'SELECT 1 FROM pg_locks WHERE classid = 47231 AND granted';
    while ((await project.sql(completing)).length === 0) await sleep(50);
    const busy = (await project.claimOf(workers[0] as RunningWorker)) ? workers[0] : workers[1];
    busy?.child.kill('SIGSTOP');
    const other = workers.find((one) => one !== busy);
    expect(await other?.exited, other?.output()).toBe(0);
    await expectCompleted(project);
  });

  it('at once after it was ended politely', async () => {
    const { project, workers, busy } = await begunProject();
    busy.child.kill('SIGTERM');
    expect(await busy.exited, busy.output()).toBe(0);
    const other = workers.find((one) => one !== busy);
    expect(await other?.exited, other?.output()).toBe(0);
    await expectCompleted(project);
  });
});
