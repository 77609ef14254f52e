import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { TaskDefinition } from '../../config/work/work.ts';
import type { Feature } from '../../domain/entities/feature.ts';
import { didYouMean, nearestWord } from '../../domain/nearest-word.ts';
import { currentActor } from '../../enforcement/feature-list/change-actor.ts';
import { listContext } from '../../enforcement/feature-list/known-list.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import { makeFolder } from '../../platform/files/make-folder.ts';
import { shellWord } from '../../platform/processes/shell-word.ts';
import type { BuildEnded } from '../../store/ledger/kinds/sessions/builds.ts';
import { readFeature } from '../../store/ledger/tables/feature-table.ts';
import type { Base } from '../../verification/definition/find-base.ts';
import { definitionHash } from '../../verification/definition/load-definition.ts';
import { preflight } from '../../verification/preflight.ts';
import { worktreesRoot } from '../../verification/verify.ts';
import { shownStatus } from '../session/next-runnable.ts';
import type { BuildContext, BuildSettings } from './build-context.ts';
import { lockFeature } from './build-locks.ts';
import { BuildRecord } from './build-record.ts';
import { buildTask, reportTurns, type TaskResult } from './build-task.ts';
import { findCurrentBuild } from './current-build.ts';
import { describeProtection } from './describe-protection.ts';
import { branchOf, FeatureWorktree } from './feature-worktree.ts';
import { interrupted } from './interrupted-build.ts';
import { openTask } from './open-task.ts';
import { updateBlockedStatus } from './update-blocked-status.ts';

export interface BuildRequest extends BuildSettings {
  /** Where a new build starts; a resumed build keeps its own base. */
  base: Base;
  /** Default (empty): all tasks of the feature. */
  onlyTasks: readonly string[];
  resume: boolean;
  /** Where attempt, turns and outcome are recorded (default: the ledger). Evidence is always in the ledger. */
  recordIn?: 'ledger' | 'memory';
  /** A session started this build and counts the attempts. */
  countedBySession?: boolean;
}

export interface BuildResult {
  feature: string;
  outcome: BuildEnded['outcome'];
  why: string;
  next: string;
  tasks: readonly TaskResult[];
  worktree: string;
  branch: string;
  costUsd: number;
}

/** Builds a feature on its own branch: each task in order, turn by turn. */
export async function buildFeature(request: BuildRequest): Promise<BuildResult> {
  const { definition, ledger, project, home } = request;
  const featureId = definition.feature.id;
  const lock = await lockFeature(home, project, featureId);
  try {
    return await buildLocked(request, new BuildRecord(ledger, project, featureId, request.recordIn));
  } finally {
    lock.release();
  }
}

async function buildLocked(request: BuildRequest, record: BuildRecord): Promise<BuildResult> {
  const { definition, repository, ledger, project, emit } = request;
  const tasks = tasksToBuild(request);
  const attempt = resumedAttempt(request, record);
  if (!attempt && !request.countedBySession) {
    const feature = readFeature(ledger, project, record.featureId);
    refuseCompleted(feature, record);
    refuseBlocked(feature, record);
  }
  emit({ type: 'protected', by: describeProtection(request) });
  for (const { path } of definition.differences.filter(({ accepted }) => !accepted))
    emit({
      type: 'notice',
      text: `${path} differs from the version in force, which this build uses; \`guardkit accept ${shellWord(path)}\` accepts it`,
    });
  const base = attempt?.base_commit ?? request.base.commit;
  const folder = join(worktreesRoot(request), record.featureId);
  await requireSoundBase(request, base);
  if (request.signal?.aborted) return endedBefore(request, record.featureId, folder);
  makeFolder(join(folder, '..'));
  const worktree = await FeatureWorktree.open(repository, { folder, featureId: record.featureId, base });
  // A branch without turns from an earlier attempt moves to this attempt's base.
  if (!attempt && !record.hasTurns) await worktree.advance(base);
  const buildId = attempt?.build_id ?? `BUILD-${randomBytes(6).toString('hex')}`;
  if (!attempt) {
    record.begin({
      build_id: buildId,
      feature_id: record.featureId,
      only_tasks: [...request.onlyTasks],
      base_commit: base,
      definition_hash: definitionHash({ ...definition, verify: request.verify }),
      branch: worktree.branch,
      worktree: worktree.folder,
      player_driver: request.player.name,
      coach_driver: request.coach.name,
      max_turns: request.maxTurns,
    });
  }
  emit({
    type: 'build_began',
    feature: record.featureId,
    tasks: tasks.map(({ id }) => id),
    worktree: worktree.folder,
    branch: worktree.branch,
    resumed: attempt !== undefined,
  });
  const context: BuildContext = {
    ...request,
    buildId,
    record,
    worktree,
    resumed: attempt !== undefined,
    spent: { usd: record.countedCosts },
  };
  const results: TaskResult[] = [];
  for (const task of tasks) {
    const before = await approvedBefore(context, task.id);
    if (before) {
      emit({ type: 'notice', text: `${task.id} is already approved.` });
      results.push(before);
      continue;
    }
    results.push(
      await openTask(context, task)
        .then(buildTask)
        .catch((error: unknown) => Promise.reject(interrupted(context, error))),
    );
    if (results.at(-1)?.outcome !== 'approved') break;
  }
  return end(request, record, worktree, buildId, results, context.spent.usd);
}

/** A person ended the build before anything was recorded. */
function endedBefore({ emit, resume }: BuildRequest, feature: string, worktree: string): BuildResult {
  const outcome = 'cancelled';
  const why = 'Cancelled before the first turn.';
  const next = `Start again with \`guardkit feature-build ${feature}${resume ? ' --resume' : ''}\`.`;
  emit({ type: 'build_ended', outcome, why, next, costUsd: 0 });
  return { feature, outcome, why, next, tasks: [], worktree, branch: branchOf(feature), costUsd: 0 };
}

/** The earlier result of an approved task, if the approved work is still on the branch. */
async function approvedBefore(
  { record, worktree, emit }: BuildContext,
  taskId: string,
): Promise<TaskResult | undefined> {
  if (record.outcome(taskId)?.outcome !== 'approved') return undefined;
  const turns = record.turns(taskId).filter(({ turn_number }) => turn_number > record.resetAfter(taskId));
  const turn = turns.findLast(({ coach_decision }) => coach_decision === 'approved');
  const commit = turn && record.commitOf(taskId, turn.turn_number);
  if (turn && commit !== undefined && (await worktree.holds(commit))) {
    const why = `Turn ${turn.turn_number} was approved before.`;
    return { taskId, outcome: 'approved', why, next: '', turns: reportTurns(record, taskId, turns) };
  }
  const text = `${taskId} was approved, but that work is no longer on ${worktree.branch}; building it again`;
  emit({ type: 'notice', text });
  return undefined;
}

function end(
  request: BuildRequest,
  record: BuildRecord,
  worktree: FeatureWorktree,
  buildId: string,
  results: readonly TaskResult[],
  costUsd: number,
): BuildResult {
  const last = results.at(-1);
  const outcome = last?.outcome ?? 'approved';
  const why =
    outcome === 'approved' && results.length > 1
      ? `All ${results.length} tasks are approved on evidence.`
      : (last?.why ?? 'All tasks were already approved.');
  const next =
    outcome === 'approved'
      ? `Review the branch ${worktree.branch}, then merge it with \`guardkit feature complete ${record.featureId}\`.`
      : (last?.next ?? '');
  record.end({ build_id: buildId, feature_id: record.featureId, outcome, why, cost_usd: costUsd });
  if (!request.countedBySession && request.recordIn !== 'memory') updateStatus(request, record, outcome);
  request.emit({ type: 'build_ended', outcome, why, next, costUsd });
  return {
    feature: record.featureId,
    outcome,
    why,
    next,
    tasks: results,
    worktree: worktree.folder,
    branch: worktree.branch,
    costUsd,
  };
}

function updateStatus(request: BuildRequest, record: BuildRecord, outcome: BuildEnded['outcome']): void {
  const { ledger, project, repository, home, env, definition, emit } = request;
  const context = listContext(ledger, project, repository.root, home);
  const became = updateBlockedStatus(context, currentActor(context, env), definition, record, outcome);
  if (became === undefined) return;
  const { featureId: id } = record;
  const text =
    became === 'blocked'
      ? `${id} is now blocked: see the question in \`guardkit feature show ${id}\`; allow another attempt with \`guardkit feature unblock ${id} --reason "…"\``
      : `${id} is no longer blocked`;
  emit({ type: 'notice', text });
}

function tasksToBuild({ definition, onlyTasks }: BuildRequest): TaskDefinition[] {
  if (onlyTasks.length === 0) return definition.tasks;
  const unknown = onlyTasks.find((id) => !definition.tasks.some((task) => task.id === id));
  if (unknown === undefined) return definition.tasks.filter(({ id }) => onlyTasks.includes(id));
  const ids = definition.tasks.map(({ id }) => id);
  const near = nearestWord(unknown, ids);
  throw new GuardKitError({
    code: 'build.unknown-task',
    kind: 'input',
    message: `${unknown.slice(0, 80)} is not a task of ${definition.feature.id}.${didYouMean(near)}`,
    hint: `Its tasks: ${ids.join(', ')}.`,
  });
}

/** The attempt to resume: the last one that was not discarded. */
function resumedAttempt({ resume, ledger, project }: BuildRequest, record: BuildRecord) {
  if (!resume) return undefined;
  const last = findCurrentBuild(ledger, project, record.featureId);
  if (last) return last;
  throw new GuardKitError({
    code: 'build.nothing-to-resume',
    kind: 'input',
    message: `Nothing to resume: ${record.featureId} was never built here, or its build was discarded.`,
    hint: 'Run the command without --resume.',
  });
}

/** Work that a person did and completed has no turns, so a build would pay for doing it again. */
function refuseCompleted(feature: Feature | undefined, record: BuildRecord): void {
  if (!feature?.closed || record.hasTurns) return;
  throw new GuardKitError({
    code: 'build.completed',
    kind: 'refused',
    message: `${feature.id} is already completed.`,
    hint: 'For further work, create a new task with `guardkit task create "TITLE"`.',
  });
}

/** A blocked feature needs a person's answer; no other command would start it either. */
function refuseBlocked(feature: Feature | undefined, record: BuildRecord): void {
  if (!feature || shownStatus(feature) !== 'blocked') return;
  const { id, retries, blocked_reason } = feature;
  const failed = Math.max(retries, record.failedAttempts.length);
  const attempts = failed === 1 ? '1 attempt' : `${failed} attempts`;
  const counted = failed > 0 ? ` after ${attempts} failed` : '';
  throw new GuardKitError({
    code: 'build.blocked',
    kind: 'refused',
    message: `${id} is blocked${counted}.${blocked_reason === null ? '' : ` ${blocked_reason}`}`,
    hint: `Run \`guardkit explain ${id}\` to see why, and fix the feature. Then allow another attempt with \`guardkit feature unblock ${id} --reason "…"\`, restart a task with \`guardkit task reset TASK --reason "…"\`, or continue with --resume.`,
  });
}

async function requireSoundBase(request: BuildRequest, base: string): Promise<void> {
  const turn = { task: request.definition.feature.id, turn: 0 };
  const trouble = await preflight({
    ...request,
    base: { commit: base, why: 'where the build starts' },
    taskId: null,
    emit: (event) => request.emit({ type: 'verifying', ...turn, event }),
  });
  // An interrupted preflight has no result.
  if (trouble.length === 0 || request.signal?.aborted) return;
  if (request.acceptRedBaseline) {
    for (const text of trouble) request.emit({ type: 'notice', text: `accepted: ${text}` });
    return;
  }
  throw new GuardKitError({
    code: 'build.preflight',
    kind: 'refused',
    message: `Preflight failed:\n${trouble.join('\n')}`,
    hint: 'Fix and commit this, or continue with --accept-red-baseline to judge only new failures.',
  });
}
