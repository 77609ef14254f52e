import { setTimeout as sleep } from 'node:timers/promises';
import { GuardKitError } from '../../guardkit-error.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import type { SharedWriter } from '../../store/ledger/shared-writer.ts';
import type { PostgresDatabase } from '../../store/postgres/postgres-database.ts';
import type { ChainLink } from '../../store/shared/chain-link.ts';
import { claimFeature, releaseClaim } from '../../store/shared/claims.ts';
import { withProjectLock } from '../../store/shared/project-lock.ts';
import { pullChain } from '../../store/shared/pull-chain.ts';
import { findItem, moveItem, type QueueItem } from '../../store/shared/queue-items.ts';
import { requireSharedProject } from '../../store/shared/shared-projects.ts';
import type { WorkerSession } from '../../store/shared/worker-session.ts';
import { isAlive } from '../../store/shared/workers.ts';
import type { RunSettings } from '../run/run-settings.ts';
import { buildQueued } from './build-queued.ts';
import { afterFailure, passes, waitBefore } from './failed-build.ts';
import type { QueuedResult } from './queued-build.ts';
import { reservingDriver } from './reserving-driver.ts';
import type { SharedRemote } from './shared-remote.ts';

/** A clone of a project on this machine. */
export interface WorkerProject {
  project: string;
  /** The first commit of the repository. */
  identity: string;
  remote: SharedRemote;
  reserveUsd: number;
  openLedger(shared: SharedWriter): Ledger;
  openRun(ledger: Ledger): Promise<Omit<RunSettings, 'signal'>>;
}

export interface WorkerContext {
  url: string;
  database: PostgresDatabase;
  session: WorkerSession;
  link: ChainLink;
  /** The id of this machine's ledger. */
  machine: string;
  projects: ReadonlyMap<string, WorkerProject>;
  /** Ends all builds; they go back to the queue. */
  signal: AbortSignal;
  notice(text: string): void;
  /** Ends the worker, for a failure that every feature would have here. Others build them. */
  giveUp(error: GuardKitError): void;
}

/**
 * Builds one item of the queue to its end; the engine calls it, on another machine again after a takeover. `workflow` is the
 * engine's id of this build.
 */
export async function buildItem(
  worker: WorkerContext,
  id: number,
  { workflow, cancelled }: { workflow: string | undefined; cancelled: AbortSignal },
): Promise<string> {
  let faults = 0;
  for (let tries = 1; ; tries++) {
    try {
      return await buildOnce(worker, { id, workflow, cancelled });
    } catch (error) {
      if (!passes(error)) faults += 1;
      // Safe: while the server is away, the item cannot end, and the error comes again.
      const ended = await endAfter(worker, id, error, faults).catch(() => undefined);
      if (worker.signal.aborted) await forever();
      if (ended !== undefined) return ended;
      await sleep(waitBefore(tries));
    }
  }
}

/** How the item ended with an error; undefined to build it again. */
async function endAfter(
  worker: WorkerContext,
  id: number,
  error: unknown,
  faults: number,
): Promise<string | undefined> {
  const next = afterFailure(error, faults);
  if (next === 'elsewhere' && error instanceof GuardKitError) worker.giveUp(error);
  if (worker.signal.aborted) return undefined;
  if (next === 'lost') return endLost(worker, id);
  const text = error instanceof Error ? error.message : String(error);
  worker.notice(text);
  if (next !== 'stopped' && next !== 'failed') return undefined;
  const why = error instanceof GuardKitError ? `${error.message} ${error.hint}` : text;
  await endItem(worker, id, { to: next, why });
  return next;
}

/** A worker that was declared dead must not end the build: another one has it, or will. */
async function endItem(
  { database, session }: WorkerContext,
  id: number,
  end: { to: QueuedResult['outcome'] | 'failed'; why: string },
): Promise<void> {
  const ended = await moveItem(database, id, { ...end, by: session.id });
  if (!ended && !(await isAlive(database, session.id))) await forever();
}

/** After a cancellation, or after other workers have declared this one dead. */
async function endLost({ database, session }: WorkerContext, id: number): Promise<string | undefined> {
  if (!(await isAlive(database, session.id))) await forever();
  const item = await findItem(database, id);
  return !item || item.ended_at !== null ? 'lost' : undefined;
}

/** The engine must not record an end: the build goes on elsewhere once this process is gone. */
function forever(): Promise<never> {
  return new Promise(() => {});
}

async function buildOnce(
  worker: WorkerContext,
  { id, workflow, cancelled }: { id: number; workflow: string | undefined; cancelled: AbortSignal },
): Promise<string> {
  const { database, session, projects } = worker;
  const item = await findItem(database, id);
  const clone = item && projects.get(item.project);
  if (!item || !clone || !(await moveItem(database, id, { to: 'building', workflow }))) return 'gone';
  const { project, feature } = item;
  const claim = await claimFeature(database, { project, feature, worker: session.id });
  const held = session.watch(claim);
  const ledger = clone.openLedger(worker.link.writer(claim, worker.machine));
  try {
    const signal = AbortSignal.any([worker.signal, cancelled, held.signal]);
    await pullChain(database, ledger, project);
    const settings = await clone.openRun(ledger);
    const result = await buildQueued(withBudget(worker, clone, item, { ...settings, signal }), {
      feature,
      epoch: claim.epoch,
      budgetUsd: undefined,
      remote: clone.remote,
      shared: () => requireSharedProject(database, project, clone.identity),
      pull: async () => void (await pullChain(database, ledger, project)),
      alone: (ending, work) => withProjectLock(worker, project, ending, work),
    });
    if (worker.signal.aborted) await forever();
    await endItem(worker, id, { to: result.outcome, why: result.why });
    return result.outcome;
  } finally {
    held.forget();
    if (!worker.signal.aborted) await releaseClaim(database, claim).catch(() => undefined);
    ledger.close();
  }
}

function withBudget(
  { database, session }: WorkerContext,
  { reserveUsd: usd }: WorkerProject,
  { id: item, project, feature }: QueueItem,
  settings: RunSettings,
): RunSettings {
  const asked = { project, feature, worker: session.id, usd, item };
  return {
    ...settings,
    player: reservingDriver(settings.player, database, asked),
    coach: reservingDriver(settings.coach, database, asked),
  };
}
