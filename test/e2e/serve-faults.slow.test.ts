import { execFileSync } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished, type TestContext } from 'vitest';
import { findServer } from '../../src/enforcement/broker/server-record.ts';
import { hooksFolder, hooksSocket, serverFile } from '../../src/enforcement/install/hook-client.ts';
import { allProcesses, environmentOf, readProcess } from '../../src/platform/processes/process-table.ts';
import { openLedger } from '../../src/store/ledger/open-ledger.ts';
import { decisionOf, type HookResult, ResidentProject } from '../support/resident-project.ts';
import { LONG } from '../support/thorough.ts';

/** GUARDKIT_FAULT_SEED repeats a run. */
const ROUNDS = Number(process.env.GUARDKIT_FAULT_ROUNDS ?? (LONG ? 500 : 10));
const SEED = Number(process.env.GUARDKIT_FAULT_SEED ?? Date.now() % 1_000_000);
const ROUND_MS = 30_000;
const FAULTS = ['kill', 'stop', 'truncate', 'upgrade', 'full-disk'] as const;
const EVENTS = ['forbidden', 'allowed', 'prompt'] as const;
type Fault = (typeof FAULTS)[number];
type EventKind = (typeof EVENTS)[number];

/** The same numbers for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
}

it(`${ROUNDS} faults in the middle of an event decide nothing wrongly, record nothing twice and lock nobody out`, {
  timeout: 120_000 + ROUNDS * ROUND_MS,
}, async (context) => {
  const obstacle = await ResidentProject.obstacle();
  if (obstacle !== undefined) context.skip(obstacle);
  const random = randomNumbers(SEED);
  const project = new ResidentProject({
    ownPackage: true,
    // The last registered runs first.
    prepare: (sandbox) => {
      onTestFinished(() => sandbox.cleanup());
      mountSmall(context, sandbox.home);
    },
  });
  onTestFinished(() => project.agent.endBrokers('SIGKILL'));
  const rounds = new FaultRounds(project, random);
  const typical = await rounds.typicalMs();
  for (let round = 0; round < ROUNDS; round += 1) {
    // Every fault in every five rounds, on any kind of event.
    const fault = FAULTS[round % FAULTS.length] ?? 'kill';
    const kind = EVENTS[Math.floor(random() * EVENTS.length)] ?? 'forbidden';
    const after = random() * typical * 1.2;
    const label = `seed ${SEED}, round ${round}: ${fault} ${Math.round(after)} ms into ${kind}`;
    await rounds.run(fault, kind, after, label);
    if ((round + 1) % 50 === 0) console.log(`${round + 1} rounds with seed ${SEED}`);
  }
  await rounds.settle();
});

class FaultRounds {
  readonly #project: ResidentProject;
  readonly #random: () => number;
  #judged: number;

  constructor(project: ResidentProject, random: () => number) {
    this.#project = project;
    this.#random = random;
    this.#judged = project.judged();
  }

  async typicalMs(): Promise<number> {
    await this.#serve();
    const began = Date.now();
    for (let n = 0; n < 3; n += 1) await this.#project.hookBeside(this.#project.allowed());
    return (Date.now() - began) / 3;
  }

  async run(fault: Fault, kind: EventKind, after: number, label: string): Promise<void> {
    const project = this.#project;
    await this.#serve();
    const undo = fault === 'truncate' ? await this.#truncate() : () => {};
    const asked = project.hookBeside(
      kind === 'prompt' ? prompt(project) : kind === 'forbidden' ? project.forbidden() : project.allowed(),
      kind === 'prompt' ? ['claude', '--never-refuse'] : ['claude'],
    );
    await delay(after);
    const repair = this.#cause(fault);
    const result = await asked;
    repair();
    undo();
    expectRight(kind, fault, result, label);
    const judged = project.judged();
    // Without room nothing can be recorded, and the action is refused.
    const least = this.#judged + (kind === 'forbidden' && fault !== 'full-disk' ? 1 : 0);
    expect(judged, label).toBeGreaterThanOrEqual(least);
    this.#judged += kind === 'forbidden' ? 1 : 0;
    expect(judged, label).toBeLessThanOrEqual(this.#judged);
    this.#judged = judged;
  }

  /** Nothing is left to write, and no process runs. */
  async settle(): Promise<void> {
    const project = this.#project;
    await this.#serve();
    const { exitCode } = await project.sandbox.program(['serve', '--stop'], { in: 'shop' });
    expect(exitCode).toBe(0);
    await expect
      .poll(
        () => allProcesses().filter((pid) => environmentOf(pid).includes(`GUARDKIT_HOME=${project.home}`)),
        { timeout: 20_000 },
      )
      .toEqual([]);
    expect(project.judged()).toBe(this.#judged);
    const ledger = openLedger({ path: join(project.home, 'ledger.db') });
    try {
      const [name] = project.query('SELECT DISTINCT project FROM entries');
      expect(ledger.verify(String(name)).ok).toBe(true);
    } finally {
      ledger.close();
    }
  }

  /** As a session does that begins. */
  async #serve(): Promise<void> {
    const project = this.#project;
    if (findServer(project.home)) return;
    await project.hookBeside(project.event('', {}, 'SessionStart'), ['claude', '--never-refuse']);
    await expect.poll(() => findServer(project.home)).toBeDefined();
  }

  /** Causes the fault; the returned function repairs it. */
  #cause(fault: Fault): () => void {
    const server = findServer(this.#project.home);
    const signal = (name: NodeJS.Signals) => {
      try {
        if (server && server.pid !== process.pid) process.kill(server.pid, name);
      } catch {
        // It has ended already.
      }
    };
    switch (fault) {
      case 'kill':
        signal('SIGKILL');
        return () => {};
      case 'stop':
        signal('SIGSTOP');
        return () => signal('SIGCONT');
      case 'upgrade':
        this.#upgrade();
        return () => {};
      case 'full-disk':
        return fill(this.#project.home);
      case 'truncate':
        return () => {};
    }
  }

  /** The same text, in another file. */
  #upgrade(): void {
    const file = join(this.#project.sandbox.path('package'), 'dist', 'hook.cjs');
    copyFileSync(file, `${file}.new`);
    renameSync(`${file}.new`, file);
  }

  /** Stands between the client and the server, as a process that the client believes, and passes on a part of the answer. */
  async #truncate(): Promise<() => void> {
    const { home } = this.#project;
    const real = join(hooksFolder(home), 'real.sock');
    renameSync(hooksSocket(home), real);
    const between = createServer((connection) => {
      const onwards = connect(real);
      const chunks: Buffer[] = [];
      connection.on('error', () => {});
      onwards.on('error', () => connection.destroy());
      connection.pipe(onwards);
      onwards.on('data', (chunk) => chunks.push(chunk));
      onwards.on('end', () => {
        const answer = Buffer.concat(chunks);
        connection.end(answer.subarray(0, Math.floor(this.#random() * answer.length)));
      });
    });
    await new Promise<void>((resolve) => between.listen(hooksSocket(home), resolve));
    writeFileSync(serverFile(home), `${process.pid} ${readProcess(process.pid)?.started} \n`);
    return () => {
      between.close();
      this.#project.agent.endBrokers('SIGKILL');
      for (const path of [real, hooksSocket(home), serverFile(home)]) rmSync(path, { force: true });
    };
  }
}

function prompt(project: ResidentProject) {
  const { session_id, cwd } = project.allowed();
  return { session_id, cwd, hook_event_name: 'UserPromptSubmit', prompt: 'Go on.' };
}

/** As the cold path decides. */
function expectRight(kind: EventKind, fault: Fault, result: HookResult, label: string): void {
  const told = `${label}\n${result.stdout}${result.stderr}`;
  if (kind === 'prompt') {
    expect(result.status, told).toBe(0);
    expect(result.stdout === '' ? undefined : JSON.parse(result.stdout).decision, told).toBeUndefined();
    return;
  }
  const refused = result.status === 2 || decisionOf(result) === 'deny';
  if (kind === 'forbidden') expect(refused, told).toBe(true);
  // Without room for the ledger, an action cannot be judged and is refused.
  else if (fault !== 'full-disk') expect([result.status, refused], told).toEqual([0, false]);
}

/** The data folder on a small disk. */
function mountSmall(context: TestContext, folder: string): void {
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=48m,mode=0700', 'tmpfs', folder], { stdio: 'pipe' });
  } catch (error) {
    context.skip(`a small volume cannot be mounted here: ${error instanceof Error ? error.message : error}`);
  }
  onTestFinished(() => void execFileSync('umount', ['--lazy', folder]));
}

function fill(folder: string): () => void {
  const path = join(folder, 'filling');
  const descriptor = openSync(path, 'w');
  for (const size of [1 << 20, 4096]) {
    const block = Buffer.alloc(size);
    try {
      while (writeSync(descriptor, block) === size);
    } catch {
      // Full, for blocks of this size.
    }
  }
  closeSync(descriptor);
  return () => rmSync(path, { force: true });
}
