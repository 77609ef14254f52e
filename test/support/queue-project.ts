import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { PROGRAM } from './cli.ts';
import { createDatabase, queryPostgres, type TestDatabase } from './postgres.ts';
import { type PlayedFeature, RunProject, turnOf } from './run-project.ts';

/** A machine with a home and a clone of its own. */
export interface Machine {
  name: string;
  clone: string;
  env: Record<string, string>;
}

export interface RunningWorker {
  child: ChildProcess;
  machine: Machine;
  /** What it printed so far. */
  output(): string;
  exited: Promise<number | null>;
}

/** A feature that asks for a file of its own, which one check looks for; it is built in as many turns as wanted. */
export function documented(
  name: string,
  {
    turns = 1,
    needs = [],
    run = [],
    costUsd,
  }: { turns?: number; needs?: readonly string[]; run?: readonly string[]; costUsd?: number } = {},
): PlayedFeature {
  const file = `docs/${name.toLowerCase()}.md`;
  const cost = costUsd === undefined ? {} : { cost_usd: costUsd };
  const last = turnOf({ [file]: `${name}\n` }, `${name} is there`);
  const earlier = Array.from({ length: turns - 1 }, (_, index) => ({
    player: { ...turnOf({ [`${file}.${index}`]: 'draft\n' }, '').player, run, ...cost },
    coach: {
      verdict: {
        decision: 'feedback',
        criteria: { 'AC-001': { status: 'rejected', evidence: 'none' } },
        feedback: `Turn ${index + 1} lacks ${file}.`,
      },
    },
  }));
  return {
    id: `FEAT-${name}`,
    type: 'documentation',
    needs,
    verify: { checks: [{ name: `${name} is there`, command: `test -s ${file}` }] },
    turns: [...earlier, { ...last, player: { ...last.player, run, ...cost } }],
  };
}

interface TurnStepBody {
  task_id: string;
  turn_number: number;
  step: string;
  data: Record<string, unknown>;
}

/** A project on a bare remote, machines with clones of it, and a database for their queue. */
export class QueueProject extends RunProject {
  readonly #workers: RunningWorker[] = [];
  readonly #database: Pick<TestDatabase, 'url' | 'cleanup'>;
  /** As the workers reach it; a test may put something in between. */
  url: string;

  private constructor(features: readonly PlayedFeature[], database: Pick<TestDatabase, 'url' | 'cleanup'>) {
    super(features);
    this.#database = database;
    this.url = database.url;
    this.git('checkout', '--quiet', 'main');
    mkdirSync(this.remote);
    this.sandbox.git('remote.git', 'init', '--quiet', '--bare', '--initial-branch=main');
    this.git('remote', 'add', 'origin', this.remote);
    this.git('push', '--quiet', 'origin', 'main');
  }

  /** With an empty database of the run's server, or on a server of the test's own. */
  static async create(features: readonly PlayedFeature[], url?: string): Promise<QueueProject> {
    const database = url === undefined ? await createDatabase() : { url, cleanup: async () => {} };
    return new QueueProject(features, database);
  }

  /** Makes it another project than those of other tests, for a server that has several. */
  rename(id: string): void {
    const file = '.guardkit/config.yaml';
    const config = readFileSync(this.path(file), 'utf8');
    this.write({ [file]: config.replace(/^project: .*$/m, `project: ${id}`) });
    this.commit('Another id');
    this.git('push', '--quiet', 'origin', 'main');
  }

  get remote(): string {
    return this.sandbox.path('remote.git');
  }

  /** The person's command line on their own machine. */
  queue(...args: string[]) {
    return this.guardkit([...args, '--json'], { env: { GUARDKIT_DATABASE_URL: this.url } });
  }

  async queueJson<Json>(...args: string[]): Promise<Json> {
    const { stdout, stderr, exitCode } = await this.queue(...args);
    if (exitCode !== 0) throw new Error(`${args.join(' ')} ended with ${exitCode}: ${stderr}`);
    return JSON.parse(stdout) as Json;
  }

  machine(name: string): Machine {
    const clone = this.sandbox.path(name, 'calc');
    mkdirSync(this.sandbox.path(name, 'home'), { recursive: true });
    this.sandbox.git('.', 'clone', '--quiet', this.remote, clone);
    const env = {
      ...this.sandbox.env,
      HOME: this.sandbox.path(name, 'home'),
      GUARDKIT_HOME: this.sandbox.path(name, 'data'),
      GUARDKIT_DATABASE_URL: this.url,
    };
    return { name, clone, env };
  }

  worker(machine: Machine, args: readonly string[] = []): RunningWorker {
    const line = ['worker', '--concurrency', '1', '--driver', 'script', '--scenario', this.scenarioFile];
    const child = spawn(process.execPath, [PROGRAM, ...line, '--json-events', ...args], {
      cwd: machine.clone,
      env: { ...machine.env, GUARDKIT_DATABASE_URL: this.url },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (bytes: Buffer) => {
        text += String(bytes);
      });
    const exited = new Promise<number | null>((settle) => child.once('exit', settle));
    const worker = { child, machine, output: () => text, exited };
    this.#workers.push(worker);
    return worker;
  }

  sql(text: string, values: unknown[] = []) {
    return queryPostgres(this.#database.url, text, values);
  }

  /** The shared chain's entries of a kind, in order. */
  async shared(kind: string): Promise<Record<string, unknown>[]> {
    const rows = await this.sql('SELECT * FROM guardkit_queue.entry WHERE kind = $1 ORDER BY number', [kind]);
    return rows.map((row) => ({ ...row, body: JSON.parse(String(row.body)) }));
  }

  async states(): Promise<Record<string, string>> {
    const rows = await this.sql('SELECT feature, state FROM guardkit_queue.item ORDER BY id');
    return Object.fromEntries(rows.map(({ feature, state }) => [String(feature), String(state)]));
  }

  /** Steps of turns in the shared chain. */
  async steps(step: string): Promise<TurnStepBody[]> {
    const steps = (await this.shared('turn_step')).map(({ body }) => body as TurnStepBody);
    return steps.filter((one) => one.step === step);
  }

  /** The feature that a worker builds now. */
  async claimOf({ child }: RunningWorker): Promise<{ feature: string; epoch: number } | undefined> {
    const [row] = await this.sql(
      `SELECT c.feature, c.epoch FROM guardkit_queue.claim c JOIN guardkit_queue.worker w ON w.id = c.worker
       WHERE w.pid = $1 AND c.released_at IS NULL AND w.ended_at IS NULL`,
      [child.pid],
    ).catch(() => []);
    return row && { feature: String(row.feature), epoch: Number(row.epoch) };
  }

  async declaredDead(worker: RunningWorker): Promise<void> {
    await until(async () => (await this.isAlive(worker)) === false, this.#printed);
  }

  /** By the server; undefined for a worker that has not registered yet, and while the server is away. */
  async isAlive({ child }: RunningWorker): Promise<boolean | undefined> {
    const find =
      'SELECT ended_at IS NULL AS alive FROM guardkit_queue.worker WHERE pid = $1 ORDER BY started_at DESC LIMIT 1';
    const [row] = await this.sql(find, [child.pid]).catch(() => []);
    return row && row.alive === true;
  }

  /** Waits until this many turns have begun. */
  async begun(turns: number): Promise<void> {
    await until(async () => (await this.steps('began')).length >= turns, this.#printed);
  }

  /** Waits until a worker has no feature. */
  async free(worker: RunningWorker): Promise<void> {
    await until(async () => (await this.claimOf(worker)) === undefined, this.#printed);
  }

  readonly #printed = () => this.#workers.map(({ output }) => output()).join('\n');

  /** Seconds until another worker has written about the feature, or it is done. */
  async takeover({ feature, epoch }: { feature: string; epoch: number }, seconds = 120): Promise<number> {
    const began = performance.now();
    const later = `SELECT 1 FROM guardkit_queue.entry WHERE feature = $1 AND epoch > $2
      UNION ALL SELECT 1 FROM guardkit_queue.item i WHERE feature = $1 HAVING bool_and(ended_at IS NOT NULL) LIMIT 1`;
    const isLater = async () => (await this.sql(later, [feature, epoch]).catch(() => [])).length > 0;
    await until(isLater, this.#printed, seconds);
    return (performance.now() - began) / 1000;
  }

  /** Every turn was judged once, the chain is whole, and every commit is on the remote. */
  async expectWhole(): Promise<void> {
    const judged = (await this.steps('judged')).map((one) => `${one.task_id} ${one.turn_number}`);
    expect(judged.length).toBeGreaterThan(0);
    expect(new Set(judged).size).toBe(judged.length);
    expect(await this.queueJson('ledger', 'verify', '--all')).toMatchObject({
      ok: true,
      shared: { ok: true },
    });
    for (const { data } of await this.steps('committed'))
      expect(this.sandbox.git('remote.git', 'cat-file', '-t', String(data.commit))).toBe('commit');
  }

  remoteRefs(): string[] {
    return this.sandbox.git('remote.git', 'for-each-ref', '--format=%(refname)').split('\n');
  }

  /** Processes of workers and agents that still run: in a folder of this project, or with one in their environment. */
  processes(): string[] {
    return readdirSync('/proc').flatMap((pid) => {
      if (!/^[1-9]\d*$/.test(pid) || Number(pid) === process.pid) return [];
      try {
        const where = readlinkSync(`/proc/${pid}/cwd`) + readFileSync(`/proc/${pid}/environ`, 'latin1');
        if (!where.includes(this.sandbox.folder)) return [];
        return [`${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ')}`];
      } catch {
        // It ended meanwhile, or belongs to somebody else.
        return [];
      }
    });
  }

  /** Writes what each worker printed into a folder. */
  keepOutput(folder: string): void {
    mkdirSync(folder, { recursive: true });
    for (const [index, { child, machine, output }] of this.#workers.entries())
      writeFileSync(join(folder, `${index}-${machine.name}-${child.pid}.log`), output());
  }

  override async cleanup(): Promise<void> {
    for (const { child, exited } of this.#workers) {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await exited;
    }
    super.cleanup();
    await this.#database.cleanup();
  }

  file(...names: string[]): string {
    return join(this.sandbox.folder, ...names);
  }
}

/** Waits for a condition on the server; what the workers printed explains why it never came. */
async function until(condition: () => Promise<boolean>, explain: () => string, seconds = 120): Promise<void> {
  for (const end = performance.now() + seconds * 1000; performance.now() < end; await sleep(100))
    if (await condition()) return;
  throw new Error(`it did not happen within ${seconds} s:\n${explain().slice(-4000)}`);
}
