import { setTimeout } from 'node:timers/promises';
import { GuardKitError } from '../../guardkit-error.ts';
import { attemptFailedSchema } from '../../store/ledger/kinds/sessions/attempts.ts';
import type { Session } from '../session/session.ts';
import type { SessionAct } from '../session/session-effect.ts';
import type { Happening } from '../session/session-event.ts';
import type { Applied } from '../session-record/apply-event.ts';
import type { KeptSession } from '../session-record/kept-session.ts';
import { sessionFeatures } from '../session-record/session-features.ts';
import { buildAttempt } from './build-attempt.ts';
import { initializeRun } from './initialize-run.ts';
import { Interruption } from './interruption.ts';
import { readRunFeatures, workAt } from './read-run-features.ts';
import { runDetails, type WorkResult } from './run-details.ts';
import type { RunEvent } from './run-event.ts';
import type { RunSettings } from './run-settings.ts';
import { verifyAll, verifyFeature } from './verify-in-run.ts';

export type Work = Extract<
  SessionAct,
  { type: 'read_features' | 'spawn_agent' | 'verify' | 'verify_all' | 'wait_until' }
>;

const WORKS: ReadonlySet<string> = new Set<Work['type']>([
  'read_features',
  'spawn_agent',
  'verify',
  'verify_all',
  'wait_until',
]);

type Tell = (event: Happening) => Applied;

/** The session's next work; undefined if it is paused or has ended. */
export function workOf(acts: readonly SessionAct[]): Work | undefined {
  return acts.findLast((act): act is Work => WORKS.has(act.type));
}

/** Performs a piece of work until it ends or is interrupted. */
export async function performWork(
  run: RunSettings,
  kept: KeptSession,
  work: Work,
  tell: Tell,
): Promise<WorkResult> {
  const { session } = kept;
  // A verification finishes: the work it judges is done.
  const isBounded = work.type === 'spawn_agent' || work.type === 'wait_until';
  const interruption = new Interruption(run, session, isBounded ? session.limits.until : null);
  try {
    const performed = await perform(run, kept, work, tell, interruption);
    return { ...performed, interrupted: interruption.because };
  } finally {
    interruption.forget();
  }
}

async function perform(
  run: RunSettings,
  kept: KeptSession,
  work: Work,
  tell: Tell,
  interruption: Interruption,
): Promise<WorkResult> {
  const details = runDetails(kept);
  const { signal } = interruption;
  switch (work.type) {
    case 'read_features':
      return { event: signal.aborted ? undefined : await readFeatures(run, kept, tell) };
    case 'wait_until':
      run.emit({ type: 'run_waiting', until: work.until, why: work.why });
      return { event: (await isOver(work.until, run, signal)) ? { type: 'wait_over' } : undefined };
    case 'verify': {
      const verified = await verifyFeature(run, { ...work, details, signal });
      if (!verified) return { event: undefined };
      const { event, commit } = verified;
      return { event, stacked: { feature: work.feature, commit } };
    }
    case 'verify_all': {
      const results = await verifyAll(run, { features: work.features, details, signal });
      return { event: results && { type: 'all_verified', results } };
    }
    case 'spawn_agent':
      return work.agent === 'initializer'
        ? initializeRun(heedingLimits(run, tell, interruption), kept, work, interruption)
        : code(heedingLimits(run, tell, interruption), kept, work, interruption);
  }
}

async function readFeatures(run: RunSettings, kept: KeptSession, tell: Tell): Promise<Happening> {
  const { ledger, project, emit } = run;
  const { features, notices } = readRunFeatures(run, await workAt(run, runDetails(kept)));
  const { phase, blocked, completed } = kept.session;
  if (phase === 'checking') for (const text of notices) emit({ type: 'notice', text });
  // Changes made by a person meanwhile.
  const byId = new Map(features.map((one) => [one.id, one]));
  for (const feature of [...blocked, ...completed])
    if (!byId.has(feature)) tell({ type: 'feature_removed', feature });
  for (const feature of blocked)
    if (byId.has(feature) && byId.get(feature)?.status !== 'blocked')
      tell({ type: 'feature_unblocked', feature });
  return { type: 'features_known', features: sessionFeatures(ledger, project, features) };
}

type Spawned = Extract<Work, { type: 'spawn_agent' }>;

async function code(
  run: RunSettings,
  kept: KeptSession,
  { feature, attempt, failures }: Spawned,
  interruption: Interruption,
): Promise<WorkResult> {
  const details = runDetails(kept);
  const { limits, spent_usd } = kept.session;
  if (feature === null) throw new Error('no feature to build');
  const leftUsd = limits.budget_usd === null ? undefined : Math.max(0, limits.budget_usd - spent_usd);
  const { signal } = interruption;
  try {
    const asked = { feature, attempt, failures, details, leftUsd, signal };
    const built = await retryBusyBuild(run, signal, () => buildAttempt(run, asked));
    if (!built) return { event: undefined };
    const { event, build, costUsd } = built;
    if (event.outcome === 'failed' && built.isNew) requireLivingAgent(run, kept.session, feature);
    const cost = { usd: event.cost_usd, build: { id: build, total: costUsd } };
    // A cancelled build is a pause only after a signal; other interruptions are handled separately.
    const isCut = event.outcome === 'cancelled' && interruption.because !== 'signal';
    return { event: isCut && interruption.because ? undefined : event, cost };
  } catch (error) {
    if (!(error instanceof GuardKitError) || !isOfFeature(error)) throw error;
    const why = `${error.message} ${error.hint}`;
    const failed = { outcome: 'failed' as const, why, tried: '', cost_usd: 0 };
    return { event: { type: 'build_ended', feature, attempt, ...failed } };
  }
}

/** A fault in one feature's definition must not stop the others. */
function isOfFeature({ code, kind }: GuardKitError): boolean {
  return kind === 'input' && code.startsWith('work.');
}

/** Reports an agent's rate limit to the session, which may decide that the wait is too long. */
function heedingLimits(run: RunSettings, tell: Tell, interruption: Interruption): RunSettings {
  let waiting = false;
  const emit = (event: RunEvent) => {
    run.emit(event);
    if (event.type === 'waiting') {
      const { kept } = tell({
        type: 'rate_limited',
        until: new Date(event.until).toISOString(),
        why: event.why,
      });
      waiting = kept.session.phase === 'waiting';
      if (!waiting) interruption.stop('machine');
    }
    if (event.type === 'agent_began' && waiting) {
      waiting = false;
      tell({ type: 'wait_over' });
    }
  };
  return { ...run, emit };
}

const LONGEST_TIMER_MS = 60 * 60_000;

/** False if the wait was interrupted. */
async function isOver(until: string, { clock }: RunSettings, signal: AbortSignal): Promise<boolean> {
  try {
    for (let left = Date.parse(until) - clock(); left > 0; left = Date.parse(until) - clock())
      await setTimeout(Math.min(left, LONGEST_TIMER_MS), undefined, { signal });
    return !signal.aborted;
  } catch {
    // Safe: only the signal ends the wait early, and the caller checks it.
    return false;
  }
}

const LOOK_AGAIN_MS = 15_000;

/**
 * Retries a build that cannot start now: waits while another build of the feature runs, and repeats a failed preflight
 * once. Undefined if a signal ended it.
 */
async function retryBusyBuild<Result>(
  { emit }: RunSettings,
  signal: AbortSignal,
  build: () => Promise<Result>,
): Promise<Result | undefined> {
  let waits = false;
  for (let tries = 0; !signal.aborted; tries++) {
    try {
      return await build();
    } catch (error) {
      const code = error instanceof GuardKitError ? error.code : undefined;
      if (code === 'build.taken') {
        if (!waits && error instanceof Error) emit({ type: 'notice', text: `${error.message} Waiting.` });
        waits = true;
        await setTimeout(LOOK_AGAIN_MS, undefined, { signal }).catch(() => undefined);
      } else if (code !== 'build.preflight' || tries > 0) throw error;
    }
  }
  return undefined;
}

/** After this many attempts in a row without a report, the next one stops the run. */
const SILENT_ATTEMPTS = 2;
const LOOKED_AT = 50;

/**
 * An agent without a report for several features in a row does not work: its model is unavailable, or nobody is logged in.
 * Without this check, one such night would block every feature.
 */
function requireLivingAgent(
  { ledger, project, player }: RunSettings,
  { session, completed }: Session,
  feature: string,
): void {
  const head = ledger.head(project)?.number ?? 0;
  const recent = ledger
    .entries(project, { kind: 'attempt_failed', afterNumber: Math.max(0, head - 1000) })
    .slice(-LOOKED_AT)
    .map(({ body }) => attemptFailedSchema.parse(body))
    .filter(({ session_id }) => session_id === session)
    .slice(-SILENT_ATTEMPTS);
  const isSilent =
    recent.length === SILENT_ATTEMPTS && recent.every(({ failure }) => failure.outcome === 'failed');
  const isAnother = recent.some(
    ({ feature_id }) => feature_id !== feature && !completed.includes(feature_id),
  );
  if (!isSilent || !isAnother) return;
  throw new GuardKitError({
    code: 'run.agent-silent',
    kind: 'outside',
    message: `The ${player.name} agent gave no report in ${SILENT_ATTEMPTS + 1} attempts in a row, for more than one feature.`,
    hint: 'Check that the agent runs on this machine: its login, network and model.',
  });
}
