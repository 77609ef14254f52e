import { join } from 'node:path';
import type { FailedApproach } from '../../domain/entities/failed-approach.ts';
import type { LedgerEntry } from '../../store/ledger/chain/ledger-entry.ts';
import type { BuildEnded } from '../../store/ledger/kinds/sessions/builds.ts';
import { type BuildBegan, buildBeganSchema } from '../../store/ledger/kinds/sessions/builds.ts';
import { featureReopenedSchema } from '../../store/ledger/kinds/work/feature-lifecycle.ts';
import {
  type IntegrationFailed,
  integrationFailedSchema,
} from '../../store/ledger/kinds/work/integration.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { readFeature } from '../../store/ledger/tables/feature-table.ts';
import { worktreesRoot } from '../../verification/verify.ts';
import { buildFeature } from '../feature-build/build-feature.ts';
import { BuildRecord } from '../feature-build/build-record.ts';
import { findCurrentBuild, startedTasks } from '../feature-build/current-build.ts';
import { planReset, resetTask } from '../feature-build/reset-task.ts';
import { summarizeAttempt } from '../feature-build/summarize-attempt.ts';
import type { Failure } from '../session/session.ts';
import type { EventOf } from '../session/session-event.ts';
import { attemptBeganAt } from '../session-record/session-features.ts';
import type { RunDetails } from './run-details.ts';
import { asBase, openAt, type RunSettings } from './run-settings.ts';

export interface AttemptRequest {
  feature: string;
  attempt: number;
  failures: readonly Failure[];
  details: RunDetails;
  /** The run's remaining budget. */
  leftUsd: number | undefined;
  signal: AbortSignal;
}

export interface BuiltAttempt {
  event: Omit<EventOf<'build_ended'>, 'at'>;
  /** The build's id and total cost. */
  build: string;
  costUsd: number;
  /** Built by this call, not found in the ledger. */
  isNew: boolean;
}

/** Starts or continues one attempt at a feature, on top of the run's branch. */
export async function buildAttempt(run: RunSettings, asked: AttemptRequest): Promise<BuiltAttempt> {
  const { ledger, project } = run;
  const { feature, attempt, failures, details } = asked;
  const record = new BuildRecord(ledger, project, feature);
  const reopened = lastOf(run, 'feature_reopened', feature);
  const failed = lastOf(run, 'attempt_failed', feature);
  const apart = lastOf(run, 'integration_failed', feature);
  const known = attemptBuild(ledger, project, record, {
    attempt,
    rejectedAt: Math.max(reopened?.number ?? 0, failed?.number ?? 0),
    apartAt: apart?.number ?? 0,
  });
  const tell = ({ outcome, why, cost_usd: total }: Pick<BuildEnded, 'outcome' | 'why' | 'cost_usd'>) => {
    const build = findCurrentBuild(ledger, project, feature)?.build_id ?? '';
    const cost_usd = Math.max(0, total - (details.counted[build] ?? 0));
    const story = summarizeAttempt(new BuildRecord(ledger, project, feature), build, { outcome, why });
    const event = { type: 'build_ended' as const, feature, attempt, outcome, cost_usd, ...story };
    return { event, build, costUsd: total, isNew: known.type === 'resume' || known.type === 'begin' };
  };
  if (known.type === 'ended') return tell(known.end);
  if (known.type === 'built_before') {
    const text = `${feature} was already built by feature-build; it counts as attempt ${attempt} and is verified as it is`;
    run.emit({ type: 'notice', text });
    return tell({ outcome: 'approved', why: 'It was already built and approved.', cost_usd: 0 });
  }
  const standing = known.type === 'resume' ? known.build : known.standing;
  const goesOn = standing !== undefined && (await standsOn(run, standing.branch, details.tip));
  const holds = known.type === 'resume' || known.holds;
  // Approved work that later failed, or work on another base, is restarted; its turns stay on their refs.
  if (standing && !(holds && goesOn)) await startAfresh(run, feature);
  else if (standing && attempt === 1 && known.type === 'begin') {
    const outcome = record.endOf(standing.build_id)?.outcome ?? 'interrupted';
    const text = `${feature} has an earlier build (${outcome}); continuing from its turns`;
    run.emit({ type: 'notice', text });
  }
  const resume = known.type === 'resume' && goesOn;
  const listed = readFeature(ledger, project, feature);
  const base = asBase(run, details, details.tip, 'where the run stands');
  const { definition, verify } = await openAt(run, base, feature);
  const counted = resume ? (details.counted[known.build.build_id] ?? 0) : 0;
  const result = await buildFeature({
    ...run,
    base,
    definition,
    listed,
    verify,
    sources: definition.sources,
    failedApproaches: [
      ...(await run.failedApproachesOf(feature)),
      ...failures.map((one) => asApproach(feature, one)),
      ...(reopened ? [afterReopening(feature, featureReopenedSchema.parse(reopened.body).why)] : []),
      ...(apart ? [afterIntegration(integrationFailedSchema.parse(apart.body))] : []),
    ],
    onlyTasks: [],
    resume,
    countedBySession: true,
    budgetUsd: asked.leftUsd === undefined ? undefined : asked.leftUsd + counted,
    signal: asked.signal,
    ...(run.tidyUp ? { afterTurn: () => run.tidyUp?.(definition) ?? Promise.resolve() } : {}),
  });
  return tell({ ...result, cost_usd: result.costUsd });
}

/** Whether a feature's branch exists and includes the run's tip. */
async function standsOn({ repository }: RunSettings, branch: string, tip: string): Promise<boolean> {
  const found = await repository.commit(`refs/heads/${branch}`);
  return found !== undefined && (await repository.isAncestor(tip, found));
}

async function startAfresh(run: RunSettings, feature: string): Promise<void> {
  const { ledger, project, repository, clock, emit } = run;
  const [first] = startedTasks(ledger, project, feature);
  if (!first) return;
  const reason = 'The run has moved on since, or the approved work failed later.';
  const plan = planReset({ ledger, project }, feature, first.taskId);
  // With workers, another machine may have begun the build, in a folder of its own.
  const worktree = run.publish ? join(worktreesRoot({ ...run, definition: run }), feature) : plan.worktree;
  await resetTask(
    { repository, ledger, project },
    { ...plan, worktree },
    { by: 'guardkit', reason, at: clock() },
  );
  emit({ type: 'notice', text: `${feature} is restarted; its turns stay under refs/guardkit/${feature}` });
}

function lastOf({ ledger, project }: RunSettings, kind: string, feature: string): LedgerEntry | undefined {
  return ledger.lookup(project, { kind, field: 'feature_id', value: feature }).next().value ?? undefined;
}

const UNKNOWN = 'unknown';

function asApproach(feature: string, { attempt, outcome, why, tried }: Failure): FailedApproach {
  return {
    feature_id: feature,
    task_id: null,
    turn_number: null,
    approach: `Attempt ${attempt}: ${tried || UNKNOWN}`,
    why_it_failed: `${outcome.replace('_', ' ')}: ${why || UNKNOWN}`,
    what_to_do_instead: null,
  };
}

function afterReopening(feature: string, why: string): FailedApproach {
  return {
    feature_id: feature,
    task_id: null,
    turn_number: null,
    approach: 'It was completed, then reopened by the final verification of all features',
    why_it_failed: why || UNKNOWN,
    what_to_do_instead: null,
  };
}

/** What others completed meanwhile is now part of the base. */
function afterIntegration({ feature_id, commit, conflicts, why }: IntegrationFailed): FailedApproach {
  const files = conflicts.length > 0 ? ` The conflicts were in ${conflicts.join(', ')}.` : '';
  return {
    feature_id,
    task_id: null,
    turn_number: null,
    approach: `The approved commit ${commit} does not work together with features that were completed meanwhile`,
    why_it_failed: `${why || UNKNOWN}${files}`,
    what_to_do_instead: `Start from the current files, which contain those features; \`git show ${commit}\` shows the earlier work.`,
  };
}

/** How to continue an attempt of a session, according to the ledger. */
type AttemptBuild =
  /** It ended, but the session did not record that. */
  | { type: 'ended'; build: BuildBegan; end: BuildEnded }
  /** It was cut off, cancelled or stopped by the budget. */
  | { type: 'resume'; build: BuildBegan }
  /** A person built it outside the run, and nothing failed since. */
  | { type: 'built_before'; build: BuildBegan }
  /** `holds` is false if the existing build was approved but failed later. */
  | { type: 'begin'; standing: BuildBegan | undefined; holds: boolean };

/** Outcomes after which the same build is resumed. */
export const GOES_ON: ReadonlySet<BuildEnded['outcome']> = new Set(['cancelled', 'budget']);

function attemptBuild(
  ledger: Ledger,
  project: string,
  record: BuildRecord,
  {
    attempt,
    rejectedAt,
    apartAt,
  }: {
    attempt: number;
    /** The last entry that rejects the build; 0 if none. */
    rejectedAt: number;
    /** The last entry by which the build does not work with those of other workers; 0 if none. */
    apartAt: number;
  },
): AttemptBuild {
  const { featureId } = record;
  const standing = findCurrentBuild(ledger, project, featureId);
  if (!standing) return { type: 'begin', standing: undefined, holds: true };
  const { completed: _merged, ...build } = standing;
  const end = record.endOf(build.build_id);
  const began = attemptBeganAt(ledger, project, featureId, attempt) ?? Number.POSITIVE_INFINITY;
  const number = numberOf(ledger, project, build);
  const isOwn = number > began;
  if (!end || GOES_ON.has(end.outcome))
    return isOwn ? { type: 'resume', build } : { type: 'begin', standing: build, holds: true };
  if (isOwn && number > apartAt) return { type: 'ended', build, end };
  if (isOwn) return { type: 'begin', standing: build, holds: false };
  if (end.outcome !== 'approved') return { type: 'begin', standing: build, holds: true };
  const holds = number > Math.max(rejectedAt, apartAt) && !standing.completed;
  return holds ? { type: 'built_before', build } : { type: 'begin', standing: build, holds };
}

function numberOf(ledger: Ledger, project: string, { feature_id, build_id }: BuildBegan): number {
  const of = { kind: 'build_began', field: 'feature_id', value: feature_id } as const;
  for (const { number, body } of ledger.lookup(project, of))
    if (buildBeganSchema.parse(body).build_id === build_id) return number;
  return 0;
}
