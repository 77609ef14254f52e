import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openWorkspace, type Workspace } from '../../../config/project/workspace.ts';
import { packageFolder } from '../../../enforcement/install/own-package.ts';
import type { BuildEvent } from '../../../orchestration/feature-build/build-event.ts';
import { endLeftovers } from '../../../orchestration/feature-build/build-locks.ts';
import { startEngine } from '../../../orchestration/queue/engine.ts';
import { loadDbos } from '../../../orchestration/queue/load-dbos.ts';
import {
  buildItem,
  type WorkerContext,
  type WorkerProject,
} from '../../../orchestration/queue/run-worker.ts';
import { QueueTender } from '../../../orchestration/queue/tend-queue.ts';
import type { RunEvent } from '../../../orchestration/run/run-event.ts';
import { openLedger } from '../../../store/ledger/open-ledger.ts';
import { OutboxRunner } from '../../../store/ledger/outbox/outbox-runner.ts';
import { openStore } from '../../../store/open-store.ts';
import type { PostgresDatabase } from '../../../store/postgres/postgres-database.ts';
import { postgresError } from '../../../store/postgres/postgres-error.ts';
import { ChainLink } from '../../../store/shared/chain-link.ts';
import { openQueueDatabase } from '../../../store/shared/open-queue-database.ts';
import { pullChain } from '../../../store/shared/pull-chain.ts';
import { otherVersion } from '../../../store/shared/queue-error.ts';
import { isRunnable } from '../../../store/shared/queue-items.ts';
import { requireSharedProject } from '../../../store/shared/shared-projects.ts';
import { WorkerSession } from '../../../store/shared/worker-session.ts';
import { addressOf, findOtherVersion } from '../../../store/shared/workers.ts';
import { VERSION } from '../../../version.ts';
import { showEvents } from '../feature-build/show-events.ts';
import type { CliContext, Report } from '../program/cli-command.ts';
import { describeRunEvent } from '../run/describe-run.ts';
import { openRunSettings } from '../run/open-run-settings.ts';
import { runInputSchema } from '../run/run-input.ts';
import { endOnSignal } from '../verification/end-on-signal.ts';
import { openClone, type QueueClone } from './open-queue.ts';
import type { WorkerInput } from './worker-input.ts';

/** The same context in another folder. */
export function contextIn(context: CliContext, folder: string): CliContext {
  let workspace: Promise<Workspace> | undefined;
  return Object.assign(Object.create(context) as CliContext, {
    cwd: folder,
    workspace: () => {
      workspace ??= openWorkspace(folder, context.env);
      return workspace;
    },
  });
}

const EMPTY_EVERY_MS = 300;
const CLOSING_MS = 5000;

/** Builds one feature at a time until it is ended, or until the queue is empty. */
export async function runOneWorker(given: CliContext, folder: string, input: WorkerInput): Promise<Report> {
  const context = contextIn(given, folder);
  const clone = await openClone(context);
  const { project } = clone;
  const id = `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`;
  const url = addressOf(clone.url, id);
  await clone.remote.requireNoSecret();
  // The engine uses its driver in a way that prints a warning at every start, which nobody here can act on.
  process.noDeprecation = true;
  const dbos = await loadDbos();
  const database = await openQueueDatabase(url);
  const ending = endOnSignal();
  // Builds that are cut off end without a result, whyever the worker ends.
  const failing = new AbortController();
  let isStarted = false;
  const closing: (() => unknown)[] = [() => database.close(), () => ending.forget()];
  try {
    await requireSharedProject(database, project, clone.identity);
    const ledger = await context.ledger();
    // Entries that this version does not know are reported here, not as failed builds.
    await pullChain(database, ledger, project);
    await endLeftovers(clone.home, project);
    const own = {
      id,
      host: hostname(),
      pid: process.pid,
      version: VERSION,
      projects: [project],
      concurrency: 1,
    };
    const thread = (name: string) => join(packageFolder(), 'dist', name);
    const server = { url, database, thread: thread('session-worker.cjs') };
    const session = await WorkerSession.start(server, own, () => dieAtOnce(context));
    closing.push(() => session.end('ended'));
    await requireSameVersion(database, project, session.lock);
    const link = new ChainLink(url, thread('chain-worker.cjs'));
    closing.push(() => link.close());
    const { store } = await context.workspace();
    const outbox = new OutboxRunner({ ledger, openStore: async () => openStore(store) });
    outbox.start();
    closing.push(() => outbox.stop());
    const shown = showWorker(context, clone, input, () => outbox.notify());
    closing.push(() => shown.end());
    const notice = (text: string) => shown.emit({ type: 'notice', text });
    const projects = new Map([[project, workerProject(context, clone, input, shown.emit)]]);
    const worker: WorkerContext = {
      url,
      database,
      session,
      link,
      machine: ledger.id,
      projects,
      signal: AbortSignal.any([ending.signal, failing.signal]),
      notice,
      giveUp: (error) => failing.abort(error),
    };
    isStarted = true;
    let building = 0;
    const engine = await startEngine(dbos, {
      url,
      worker: id,
      projects: [project],
      limit: clone.limit,
      async build(item, run) {
        building += 1;
        try {
          return await buildItem(worker, item, run);
        } finally {
          building -= 1;
        }
      },
    });
    const isBusy = () => building > 0;
    const tender = new QueueTender({ database, engine }, { worker: id, projects: [project], isBusy });
    tender.start();
    context.progress(`Worker ${id} is waiting for features of ${project}.`);
    while (!worker.signal.aborted) {
      if (input.untilEmpty && (await isEmpty(database, project))) break;
      await sleep(EMPTY_EVERY_MS, undefined, { signal: worker.signal }).catch(() => undefined);
    }
    await tender.stop();
    failing.signal.throwIfAborted();
    // A build that was cut off does not end in the engine, so its end is not waited for.
    if (!ending.signal.aborted) await engine.stop();
    isStarted = ending.signal.aborted;
    return { json: { worker: id }, text: `Worker ${id} has ended.` };
  } catch (error) {
    throw postgresError(error, database.location);
  } finally {
    failing.abort();
    const exit = () => process.exit(ending.signal.aborted ? 0 : 3);
    // A server that is away must not keep a worker from ending.
    if (isStarted) setTimeout(exit, CLOSING_MS).unref();
    for (const close of closing.reverse()) await settled(close);
    // The engine would go on in this process.
    if (isStarted) setTimeout(exit, 100);
  }
}

/** After it has registered: two that start at the same time must see each other. */
async function requireSameVersion(database: PostgresDatabase, project: string, lock: number): Promise<void> {
  const other = await findOtherVersion(database, project, { version: VERSION, lock });
  if (other) throw otherVersion(other, VERSION);
}

async function settled(close: () => unknown): Promise<void> {
  try {
    await close();
  } catch {
    // Safe: others see that the worker is gone when its connection is.
  }
}

/** The server may be away for a moment. */
async function isEmpty(database: PostgresDatabase, project: string): Promise<boolean> {
  return !(await isRunnable(database, project).catch(() => true));
}

/** Others have its builds now. Ending the process ends its agents, each in its own group. */
function dieAtOnce({ progress }: CliContext): void {
  progress('Other workers have declared this one dead, so it stops.');
  process.exit(3);
}

function workerProject(
  context: CliContext,
  clone: QueueClone,
  input: WorkerInput,
  emit: (event: RunEvent) => void,
): WorkerProject {
  const { project, identity, remote, reserveUsd, home } = clone;
  const { driver, coachDriver, scenario, acceptRedBaseline } = input;
  const asked = { driver, coachDriver, scenario, acceptRedBaseline };
  const numbers = {
    maxTurns: String(input.maxTurns),
    timeout: String(input.timeout),
    promptTokens: String(input.promptTokens),
  };
  const runInput = runInputSchema.parse({ ...asked, ...numbers });
  return {
    project,
    identity,
    remote,
    reserveUsd,
    openLedger: (shared) => openLedger({ path: join(home, 'ledger.db'), shared }),
    async openRun(ledger) {
      const own = Object.assign(Object.create(contextIn(context, context.cwd)) as CliContext, {
        ledger: async () => ledger,
      });
      return { ...(await openRunSettings(own, runInput)), emit };
    },
  };
}

function showWorker(context: CliContext, clone: QueueClone, input: WorkerInput, recorded: () => void) {
  const shown = showEvents<RunEvent>(context, clone.repository.root, input, {
    describe: describeRunEvent,
    log: (event) => describeRunEvent(event, true),
    ofBuild: (event) => (event.type.startsWith('run_') ? undefined : (event as BuildEvent)),
  });
  const emit = (event: RunEvent) => {
    shown.emit(event);
    if (event.type === 'turn_captured' || event.type === 'run_verified') recorded();
  };
  return { ...shown, emit };
}
