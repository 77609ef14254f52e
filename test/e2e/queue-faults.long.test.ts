import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { documented, type Machine, QueueProject, type RunningWorker } from '../support/queue-project.ts';
import { RestartablePostgres } from '../support/restartable-postgres.ts';

// Three machines, and everything that can happen to them.
const FEATURES = Number(process.env.GUARDKIT_QUEUE_FEATURES ?? 60);
const SEED = Number(process.env.GUARDKIT_SEED ?? 1);
/** A folder for what the workers print. */
const LOGS = process.env.GUARDKIT_QUEUE_LOGS;
/** As many as asked for; without, in proportion to the features. */
const count = (name: string, with60: number) =>
  Number(process.env[`GUARDKIT_QUEUE_${name}`] ?? Math.ceil((with60 * FEATURES) / 60));

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

/** Per feature; its last turn is approved. */
const TURNS = 3;
const COST_USD = 0.1;
const RESERVE_USD = 1;
const OPEN = new Set(['waiting', 'queued', 'building']);

/** Three machines whose workers are started again when they end, as systemd would. */
class Machines {
  readonly #project: QueueProject;
  readonly #running = new Map<Machine, RunningWorker>();
  readonly #keeper: NodeJS.Timeout;

  constructor(project: QueueProject) {
    this.#project = project;
    for (const name of ['one', 'two', 'three']) this.#start(project.machine(name));
    this.#keeper = setInterval(() => {
      for (const [machine, worker] of this.#running) if (hasEnded(worker)) this.#start(machine);
    }, 500);
  }

  get workers(): RunningWorker[] {
    return [...this.#running.values()];
  }

  printed(): string {
    return this.workers
      .map(({ output }) => output())
      .join('\n')
      .slice(-5000);
  }

  /** Politely; what they built goes back to the queue. */
  async end(): Promise<void> {
    clearInterval(this.#keeper);
    for (const { child } of this.workers) child.kill('SIGTERM');
    await Promise.all(this.workers.map(({ exited }) => exited));
  }

  /** Also if the test fails in the middle. */
  stop(): void {
    clearInterval(this.#keeper);
    for (const { child } of this.workers) child.kill('SIGKILL');
  }

  #start(machine: Machine): void {
    this.#running.set(machine, this.#project.worker(machine, ['--max-turns', '12']));
  }
}

const hasEnded = ({ child }: RunningWorker) => child.exitCode !== null || child.signalCode !== null;

class Rehearsal {
  readonly project: QueueProject;
  readonly server: RestartablePostgres;
  readonly machines: Machines;
  /** Seconds until another worker continues; all of them may be busy. */
  readonly takeovers: Record<Fault, number[]> = { kill: [], hang: [], restart: [], cut: [] };
  turns = { begun: 0, judged: 0 };
  readonly #random: () => number;
  readonly #ids: readonly string[];
  /** Too small at first, so that it is reached. */
  #budget = FEATURES * TURNS * COST_USD;
  #raised = 0;

  constructor(
    project: QueueProject,
    server: RestartablePostgres,
    ids: readonly string[],
    random: () => number,
  ) {
    this.project = project;
    this.server = server;
    this.machines = new Machines(project);
    this.#ids = ids;
    this.#random = random;
  }

  static async start(server: RestartablePostgres, random: () => number): Promise<Rehearsal> {
    const features = Array.from({ length: FEATURES }, (_, index) =>
      documented(`F${index + 1}`, { turns: TURNS, run: ['sleep 900 & sleep 3'], costUsd: COST_USD }),
    );
    const ids = features.map(({ id }) => id);
    const project = await QueueProject.create(features, server.url);
    try {
      await project.queueJson('queue', 'init', '--budget-usd', (FEATURES * TURNS * COST_USD).toFixed(2));
      await project.queueJson('queue', 'add', ...ids);
      return new Rehearsal(project, server, ids, random);
    } catch (error) {
      await project.cleanup();
      throw error;
    }
  }

  get budgetWasReached(): boolean {
    return this.#raised > 0;
  }

  /** Does one thing to a machine or the server, and waits until others have taken over. */
  async suffer(fault: Fault): Promise<void> {
    const victim = await this.#victim();
    const claim = await this.project.claimOf(victim);
    if (fault === 'restart') return this.server.restart();
    if (fault === 'cut') return this.server.cut(1000 + this.#random() * 2000);
    victim.child.kill(fault === 'kill' ? 'SIGKILL' : 'SIGSTOP');
    const [seconds] = await Promise.all([
      claim ? this.project.takeover(claim) : undefined,
      this.project.declaredDead(victim),
    ]);
    if (seconds !== undefined) this.takeovers[fault].push(Math.round(seconds * 10) / 10);
    victim.child.kill('SIGCONT');
    await victim.exited;
  }

  /** Whether all features are completed. Raises the budget when it is spent, as a person would, and queues the rest again. */
  async isFinished(): Promise<boolean> {
    const states = await this.project.states().catch(() => undefined);
    if (!states) return false;
    await this.expectBudgetKept();
    if (Object.values(states).some((state) => OPEN.has(state))) return false;
    const stopped = this.#ids.filter((id) => states[id] === 'stopped');
    if (stopped.length === 0) return true;
    this.#raised += 1;
    expect(this.#raised, this.machines.printed()).toBeLessThan(100);
    const [spent] = await this.#spent();
    this.#budget = Math.ceil(Number(spent?.usd)) + stopped.length * TURNS * COST_USD + 5 * RESERVE_USD;
    await this.project.queueJson('queue', 'init', '--budget-usd', this.#budget.toFixed(2));
    await this.project.queueJson('queue', 'add', ...stopped);
    return false;
  }

  async expectBudgetKept(): Promise<void> {
    const [spent] = await this.#spent().catch(() => []);
    if (spent) expect(Number(spent.usd)).toBeLessThanOrEqual(this.#budget + RESERVE_USD);
  }

  async expectAllBuilt(): Promise<void> {
    const { project } = this;
    const others = await project.sql(
      "SELECT feature, state, why FROM guardkit_queue.item WHERE state <> 'completed'",
    );
    expect(await project.states(), JSON.stringify(others) + this.machines.printed()).toEqual(
      Object.fromEntries(this.#ids.map((id) => [id, 'completed'])),
    );
    await project.expectWhole();
    const turns = async (step: string) =>
      (await project.steps(step)).map((one) => `${one.task_id} ${one.turn_number}`).sort();
    const [begun, judged] = [await turns('began'), await turns('judged')];
    // A turn that was cut off before its commit is closed, and the next one has another number.
    const committed = await turns('committed');
    const unjudged = committed.filter((turn) => !judged.includes(turn)).map((turn) => turn.split(' ')[0]);
    expect(judged, await this.#history(unjudged)).toEqual(committed);
    for (const id of this.#ids) {
      const numbers = begun.filter((turn) => turn.startsWith(`${id} `)).length;
      expect(numbers, id).toBeGreaterThanOrEqual(TURNS);
      expect(judged).toContain(`${id} ${numbers}`);
    }
    const stacked = (await project.shared('feature_stacked')).map(({ feature }) => feature);
    expect(stacked.sort()).toEqual([...this.#ids].sort());
    const [shared] = await project.sql('SELECT branch, tip FROM guardkit_queue.project');
    expect(project.sandbox.git('remote.git', 'rev-parse', String(shared?.branch))).toBe(shared?.tip);
    this.turns = { begun: begun.length, judged: judged.length };
  }

  /** A worker that others see; one that hangs before is not declared dead, and has no feature. */
  async #victim(): Promise<RunningWorker> {
    const place = Math.floor(this.#random() * this.machines.workers.length);
    for (;;) {
      const worker = this.machines.workers[place];
      if (worker && (await this.project.isAlive(worker))) return worker;
      await sleep(200);
    }
  }

  /** For a failure: what is still open, and who has it. */
  async state(): Promise<string> {
    const rows = await this.project
      .sql(
        `SELECT i.feature, i.state, i.why, i.workflow, i.tries, s.status, s.executor_id, s.recovery_attempts,
          c.epoch, c.worker, c.released_at, w.ended_at, w.why AS ended
        FROM guardkit_queue.item i LEFT JOIN guardkit_dbos.workflow_status s ON s.workflow_uuid = i.workflow
        LEFT JOIN guardkit_queue.claim c ON c.feature = i.feature LEFT JOIN guardkit_queue.worker w ON w.id = c.worker
        WHERE i.state NOT IN ('completed', 'waiting') AND (i.state <> 'queued' OR s.status <> 'ENQUEUED')`,
      )
      .catch((error: unknown) => [{ error: String(error) }]);
    const locks = await this.project
      .sql(
        `SELECT l.classid, l.objid, l.mode, l.granted, a.application_name, a.state, a.query FROM pg_locks l
        JOIN pg_stat_activity a USING (pid) WHERE l.locktype = 'advisory' OR NOT l.granted`,
      )
      .catch(() => []);
    return [...rows, ...locks].map((row) => JSON.stringify(row)).join('\n');
  }

  /** For a failure: what the shared chain has about some features. */
  async #history(ids: readonly (string | undefined)[]): Promise<string> {
    if (ids.length === 0) return '';
    const rows = await this.project.sql(
      'SELECT epoch, kind, left(body, 300) AS body FROM guardkit_queue.entry WHERE feature = ANY($1) ORDER BY number',
      [ids],
    );
    return rows.map((row) => JSON.stringify(row)).join('\n');
  }

  #spent(): Promise<Record<string, unknown>[]> {
    return this.project.sql('SELECT sum(coalesce(spent_usd, usd)) AS usd FROM guardkit_queue.reservation');
  }
}

it('[MANY-3] every turn is judged once, whatever happens to workers and server', {
  timeout: 3 * 60 * 60_000,
}, async () => {
  const random = randomFrom(SEED);
  const server = await RestartablePostgres.start();
  let rehearsal: Rehearsal | undefined;
  try {
    rehearsal = await Rehearsal.start(server, random);
    const { project, machines, takeovers } = rehearsal;
    const left = faults(random);
    while (left.length > 0 && !(await rehearsal.isFinished())) {
      await sleep(2000 + random() * 3000);
      await rehearsal.suffer(left.pop() as Fault);
    }
    while (!(await rehearsal.isFinished())) await sleep(1000);
    await rehearsal.expectAllBuilt();
    const { turns } = rehearsal;
    console.log(JSON.stringify({ features: FEATURES, seed: SEED, left, turns, takeovers }));
    // Everything happened while there was work.
    expect(left).toEqual([]);
    expect(rehearsal.budgetWasReached).toBe(true);
    await machines.end();
    // Agents leave a process behind that would last until long after the test.
    expect(project.processes()).toEqual([]);
  } catch (error) {
    console.log(await rehearsal?.state());
    throw error;
  } finally {
    rehearsal?.machines.stop();
    if (LOGS !== undefined) rehearsal?.project.keepOutput(LOGS);
    await rehearsal?.project.cleanup();
    await server.stop();
  }
});
