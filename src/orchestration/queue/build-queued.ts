import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readFeature } from '../../store/ledger/tables/feature-table.ts';
import { worktreesRoot } from '../../verification/verify.ts';
import { lockFeature } from '../feature-build/build-locks.ts';
import { BuildRecord } from '../feature-build/build-record.ts';
import { findCurrentBuild } from '../feature-build/current-build.ts';
import { branchOf } from '../feature-build/feature-worktree.ts';
import { removeWorktree } from '../feature-build/remove-worktree.ts';
import { GOES_ON } from '../run/build-attempt.ts';
import { performWork, workOf } from '../run/perform-work.ts';
import { type RunDetails, runDetails, type WorkResult } from '../run/run-details.ts';
import { composeResult, type RunResult } from '../run/run-result.ts';
import { advance, applyHappening, continueSession } from '../run/run-session.ts';
import type { RunSettings } from '../run/run-settings.ts';
import { clearWorktrees } from '../run/tidy-up-run.ts';
import { isDone } from '../session/next-runnable.ts';
import { type Applied, startSession } from '../session-record/apply-event.ts';
import { openSessions } from '../session-record/kept-session.ts';
import { waitOut } from './failed-build.ts';
import { followOnRemote, integrateFeature } from './integrate-feature.ts';
import type { QueuedBuild, QueuedResult } from './queued-build.ts';

/** Another process may change the session during work; more refusals in a row would be a bug. */
const MAX_REFUSALS = 3;
/** A remote that is down overnight. */
const PUSH_PATIENCE_MS = 12 * 60 * 60_000;

/**
 * Builds one feature from where the ledger has it, and completes it on the project's branch. Killed at any instruction, it
 * can be called again on another machine.
 */
export async function buildQueued(run: RunSettings, queued: QueuedBuild): Promise<QueuedResult> {
  const { feature, remote, epoch } = queued;
  const { branch } = await queued.shared();
  await remote.fetchFeature(feature, branch);
  const known = readFeature(run.ledger, run.project, feature);
  if (known && isDone(known)) {
    // Its worker died right after it was completed, perhaps before the branch followed.
    await queued.alone(run.signal, async () => {
      const { tip } = await queued.shared();
      await remote.fetchFeature(feature, branch);
      await followOnRemote(run, queued, branch, tip);
    });
    return { outcome: 'completed', why: '', costUsd: 0 };
  }
  await restoreFeature(run, feature);
  const publishing: RunSettings = {
    ...run,
    resumeCommand: `guardkit queue add ${feature}`,
    // The work of a turn that cannot be pushed would be lost, and its agent paid again.
    publish: (turn) =>
      waitOut(() => remote.publishTurn(feature, epoch, turn), {
        signal: run.signal,
        patienceMs: PUSH_PATIENCE_MS,
        onWait: (why) => run.emit({ type: 'notice', text: `${why}. Trying again until it works.` }),
      }),
  };
  abandonEarlier(run, feature);
  const applied = await drive(publishing, queued, await begin(publishing, queued));
  const result = composeResult(run, applied.kept);
  if (result.done.length > 0) await clearWorktrees(run, [feature]);
  return describe(run, feature, result);
}

/** Sessions of this machine that ended with their process; another session took over their attempt, or does now. */
function abandonEarlier(run: RunSettings, feature: string): void {
  for (const { session } of openSessions(run.ledger, run.project))
    if (
      session.driven_by === 'run' &&
      session.limits.only?.length === 1 &&
      session.limits.only[0] === feature
    )
      applyHappening(run, session.session, { type: 'abandoned' });
}

async function begin(run: RunSettings, { feature, budgetUsd, shared }: QueuedBuild): Promise<Applied> {
  const { sessionFiles, clock } = run;
  const { branch, base, tip: current } = await shared();
  // A build that was cut off goes on where it is; what others completed meanwhile comes in when it is done.
  const tip = unfinishedBase(run, feature) ?? current;
  const details: RunDetails = {
    branch,
    base,
    start: tip,
    tip,
    completed: {},
    spent_usd: 0,
    counted: {},
    own: {},
    brief: null,
  };
  const now = clock();
  const day = new Date(now).toISOString().slice(0, 10).replaceAll('-', '');
  return startSession(sessionFiles, {
    id: `${day}-${randomBytes(3).toString('hex')}`,
    at: new Date(now).toISOString(),
    driven_by: 'run',
    limits: { until: null, max_features: null, budget_usd: budgetUsd ?? null, only: [feature] },
    agent_session: null,
    details,
  });
}

function unfinishedBase({ ledger, project }: RunSettings, feature: string): string | undefined {
  const build = findCurrentBuild(ledger, project, feature);
  if (!build || build.completed) return undefined;
  const end = new BuildRecord(ledger, project, feature).endOf(build.build_id);
  return !end || GOES_ON.has(end.outcome) ? build.base_commit : undefined;
}

async function drive(run: RunSettings, queued: QueuedBuild, begun: Applied): Promise<Applied> {
  const { session } = begun.kept.session;
  let applied = begun;
  let refusals = 0;
  for (;;) {
    const work = workOf(applied.acts);
    if (!work) return applied;
    applied =
      work.type === 'verify'
        ? await integrateFeature(run, queued, applied.kept, work)
        : await advance(run, applied, work, perform);
    if (applied.refused === undefined) refusals = 0;
    else if (++refusals > MAX_REFUSALS)
      throw new Error(`the session refuses every event: ${applied.refused}`);
    else applied = continueSession(run, session, (event) => applyHappening(run, session, event));
  }
}

/** A feature is completed only on the tip, so there is nothing left to verify at the end. */
const perform: typeof performWork = async (run, kept, work, tell): Promise<WorkResult> => {
  if (work.type !== 'verify_all') return performWork(run, kept, work, tell);
  const results = work.features.map((feature) => ({
    feature,
    outcome: 'pass' as const,
    evidence: [runDetails(kept).completed[feature] ?? runDetails(kept).tip],
    why: '',
  }));
  return { event: { type: 'all_verified', results } };
};

function describe({ ledger, project }: RunSettings, feature: string, result: RunResult): QueuedResult {
  const { reason, why, costUsd, done, left, pause } = result;
  if (done.length > 0) return { outcome: 'completed', why: '', costUsd };
  const known = readFeature(ledger, project, feature);
  if (known?.status === 'blocked') return { outcome: 'blocked', why: known.blocked_reason ?? why, costUsd };
  if (reason === 'paused') return { outcome: pause === 'cancelled' ? 'cancelled' : 'stopped', why, costUsd };
  return { outcome: 'stopped', why: left.find((one) => one.feature === feature)?.why ?? why, costUsd };
}

/** Puts the feature's branch here where the shared chain has it, after another machine worked on it. */
async function restoreFeature(run: RunSettings, feature: string): Promise<void> {
  const { repository, ledger, project, clock, home, config } = run;
  const expected = recordedCommit(run, feature);
  const branch = branchOf(feature);
  const ref = `refs/heads/${branch}`;
  const found = await repository.commit(ref);
  if (found === expected) return;
  const lock = await lockFeature(home, project, feature);
  try {
    const worktree = join(worktreesRoot({ home, project, definition: { config } }), feature);
    if (found !== undefined || existsSync(worktree))
      await removeWorktree(repository, { featureId: feature, branch, worktree }, clock());
    if (expected !== undefined) await repository.run(['update-ref', ref, expected]);
  } finally {
    lock.release();
  }
  const text = findCurrentBuild(ledger, project, feature)
    ? `${feature} continues where another worker left it`
    : `${feature} has no build yet; an earlier branch was removed`;
  if (found !== undefined || expected !== undefined) run.emit({ type: 'notice', text });
}

/** The commit that the ledger names for the branch; undefined if the feature was not built. */
function recordedCommit({ ledger, project }: RunSettings, feature: string): string | undefined {
  const build = findCurrentBuild(ledger, project, feature);
  if (!build) return undefined;
  const record = new BuildRecord(ledger, project, feature);
  const tasks = new Set(record.taskIds);
  const reset = ledger
    .entries(project, { kind: 'task_reset' })
    .findLast(({ body }) => tasks.has(String(body.task_id)));
  for (const { number, body } of ledger.lookup(project, {
    kind: 'turn_step',
    field: 'feature_id',
    value: feature,
  })) {
    if (number < (reset?.number ?? 0)) break;
    const { commit } = body.data as { commit?: unknown };
    if (body.step === 'committed' && typeof commit === 'string') return commit;
  }
  return build.base_commit;
}
