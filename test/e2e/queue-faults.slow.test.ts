import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { documented, type Machine, QueueProject, type RunningWorker } from '../support/queue-project.ts';
import { RestartablePostgres } from '../support/restartable-postgres.ts';

// `npm run test:queue`: three machines, and everything that can happen to them. Not part of the other runs.
const FEATURES = Number(process.env.GUARDKIT_QUEUE_FEATURES ?? 0);
const SEED = Number(process.env.GUARDKIT_SEED ?? 1);
const count = (name: string, usual: number) => Number(process.env[`GUARDKIT_QUEUE_${name}`] ?? usual);

/** The same faults for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

type Fault = 'kill' | 'hang' | 'restart' | 'cut';

function faults(random: () => number): Fault[] {
  const all = [
    ...Array.from({ length: count('KILLS', 15) }, () => 'kill' as const),
    ...Array.from({ length: count('HANGS', 8) }, () => 'hang' as const),
    ...Array.from({ length: count('RESTARTS', 5) }, () => 'restart' as const),
    ...Array.from({ length: count('CUTS', 3) }, () => 'cut' as const),
  ];
  return all
    .map((fault) => ({ fault, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ fault }) => fault);
}

it.runIf(FEATURES > 0)(
  '[MANY-3] every turn is judged once, whatever happens to workers and server',
  { timeout: 3 * 60 * 60_000 },
  async () => {
    const random = randomFrom(SEED);
    const server = await RestartablePostgres.start();
    const features = Array.from({ length: FEATURES }, (_, index) =>
      documented(`F${index + 1}`, { turns: 3, run: ['sleep 1'], costUsd: 0.1 }),
    );
    const project = await QueueProject.create(features, server.url);
    const ids = features.map(({ id }) => id);
    const budget = FEATURES * 3;
    await project.queueJson('queue', 'init', '--budget-usd', String(budget));
    await project.queueJson('queue', 'add', ...ids);
    const machines = ['one', 'two', 'three'].map((name) => project.machine(name));
    const running = new Map<Machine, RunningWorker>();
    const start = (machine: Machine) => running.set(machine, project.worker(machine, ['--max-turns', '12']));
    for (const machine of machines) start(machine);
    const keepUp = () => {
      for (const [machine, { child }] of running)
        if (child.exitCode !== null || child.signalCode !== null) start(machine);
    };
    // As systemd would.
    const keeper = setInterval(keepUp, 500);
    const finished = async () =>
      Object.values(await project.states().catch(() => ({ away: 'building' }))).every(
        (state) => !['waiting', 'queued', 'building'].includes(state),
      );
    const takeovers: Record<Fault, number[]> = { kill: [], hang: [], restart: [], cut: [] };
    for (const fault of faults(random)) {
      await sleep(3000 + random() * 5000);
      if (await finished()) break;
      const victim = running.get(
        machines[Math.floor(random() * machines.length)] as Machine,
      ) as RunningWorker;
      const claim = await project.claimOf(victim);
      switch (fault) {
        case 'kill':
          victim.child.kill('SIGKILL');
          break;
        case 'hang':
          victim.child.kill('SIGSTOP');
          break;
        case 'restart':
          await server.restart();
          break;
        case 'cut':
          await server.cut(1000 + random() * 2000);
          break;
      }
      if (claim && (fault === 'kill' || fault === 'hang'))
        takeovers[fault].push(await project.takeover(claim));
      if (fault === 'hang') {
        // Without a feature it is declared dead too.
        if (!claim) await sleep(8000);
        victim.child.kill('SIGCONT');
        await victim.exited;
      }
    }
    while (!(await finished())) await sleep(1000);
    clearInterval(keeper);
    const printed = () =>
      [...running.values()]
        .map(({ output }) => output())
        .join('\n')
        .slice(-5000);
    console.log(JSON.stringify({ features: FEATURES, seed: SEED, takeovers }));
    expect(await project.states(), printed()).toEqual(Object.fromEntries(ids.map((id) => [id, 'completed'])));
    await project.expectWhole();
    const [spent] = await project.sql(
      'SELECT sum(coalesce(spent_usd, usd)) AS usd FROM guardkit_queue.reservation',
    );
    expect(Number(spent?.usd)).toBeLessThanOrEqual(budget + 1);
    for (const { child } of running.values()) child.kill('SIGTERM');
    await Promise.all([...running.values()].map(({ exited }) => exited));
    // No agent is left: every one of them sleeps in a folder of this project.
    const processes = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
    expect(processes.split('\n').filter((line) => line.includes(project.sandbox.folder))).toEqual([]);
    await project.cleanup();
    await server.stop();
  },
);
