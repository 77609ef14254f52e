import { join } from 'node:path';
import { GRAPH_PATH } from '../../architecture/file/graph-file.ts';
import { architectureEntries } from '../../architecture/history/architecture-entries.ts';
import { type TurnState, turnStateId } from '../../domain/entities/turn-state.ts';
import { isTaskPlan } from '../../domain/protection/project-paths.ts';
import { FEATURE_LIST_PATH, isProjection } from '../../domain/protection/protected-paths.ts';
import { changedPaths, readTreeFile } from '../../platform/git/git-tree.ts';
import { inTransaction } from '../../store/ledger/in-transaction.ts';
import { CLAIM_TRAILER } from '../../verification/ci/find-claims.ts';
import { treeOfCommit, type Verified, verify } from '../../verification/verify.ts';
import { applyVerdict } from '../turns/apply-verdict.ts';
import { checkHonesty } from '../turns/check-honesty.ts';
import { composeTurnState, type TurnContext } from '../turns/compose-turn-state.ts';
import { supportCriteria, updateCriteria } from '../turns/judge-criteria.ts';
import { type TurnEvidence, turnEvidence } from '../turns/turn-evidence.ts';
import { criterionStates, currentStatuses, turnRecord } from '../turns/turn-record.ts';
import type { TaskContext } from './build-context.ts';
import { requirePlanFile } from './plan-file.ts';
import { type CoachAnswer, coachAnswer, runCoach, workspaceRequest } from './run-coach.ts';
import { runPlayer } from './run-player.ts';
import type { TurnPlan } from './turn-plan.ts';
import { BuildCancelled, recordStep, turnGuarded, turnUsage } from './turn-steps.ts';

export interface FinishedTurn {
  turn: TurnState;
  session: string | undefined;
}

/** One turn of Player and Coach. Each step is in the ledger before the next begins. */
export async function runTurn(context: TaskContext, plan: TurnPlan): Promise<FinishedTurn> {
  const { record, task, clock, emit } = context;
  const startedAt = plan.committed?.startedAt ?? new Date(clock()).toISOString();
  if (!plan.committed) requirePlanFile(context);
  const parts: TurnContext = {
    featureId: record.featureId,
    taskId: task.id,
    turn: plan.number,
    mode: plan.mode,
    startedAt,
    criteria: context.criteria,
    statusesBefore: currentStatuses(criterionStates(plan.history), context.criteria),
    ...(context.archThreshold === undefined ? {} : { archThreshold: context.archThreshold }),
  };
  emit({ type: 'turn_began', task: task.id, turn: plan.number, mode: plan.mode });
  if (!plan.committed) {
    const data = { mode: plan.mode, base_commit: context.baseCommit };
    record.beginTurn(context.buildId, composeTurnState(parts), data);
  }
  const played = plan.committed?.played ?? (await runPlayer(context, plan));
  const { commit, files, restored } = plan.committed
    ? await committedBefore(context, plan.number, plan.committed.commit)
    : await commitTurn(context, plan);
  const session = played.session ?? undefined;
  // One transaction: with workers, each is a message to the server.
  const known = inTransaction(context.ledger, (): TurnContext => {
    if (restored) recordStep(context, plan, 'committed', { commit, put_back: restored });
    const found: TurnContext = {
      ...parts,
      player: played.report ? { report: played.report } : { noReport: played.no_report },
      files,
      usage: turnUsage(context, plan.number),
      guarded: turnGuarded(context, plan.number),
    };
    if (played.report) record.recordTurn(composeTurnState(found));
    return found;
  });
  if (restored) emit({ type: 'committed', task: task.id, turn: plan.number, commit, putBack: restored });
  if (!played.report) return finish(context, plan, known, session);
  const verified = await verifyTurn(context, plan, commit);
  const evidence = turnEvidence(verified);
  const honesty = checkHonesty({
    report: played.report,
    changedFiles: files,
    changedSinceReport: await changedSinceReport(context, plan, commit, files),
    testCounts: evidence.testCounts,
    criteria: context.criteria,
    folder: context.worktree.folder,
  });
  const recorded = plan.committed?.judged;
  const word = recorded
    ? coachAnswer(recorded)
    : await runCoach(context, plan, { report: played.report, verified, evidence, honesty, commit });
  const judged = judge(context, plan, word, evidence, honesty);
  emit({
    type: 'judged',
    task: task.id,
    turn: plan.number,
    decision: judged.applied.decision,
    overriddenBecause: judged.applied.overriddenBecause,
  });
  if (judged.applied.decision === 'approved') await recordArchitecture(context, plan.number, commit);
  const usage = turnUsage(context, plan.number);
  const guarded = turnGuarded(context, plan.number);
  return finish(context, plan, { ...known, evidence, honesty, judged, usage, guarded }, session);
}

function finish(
  { record, clock, emit, task }: TaskContext,
  { number }: TurnPlan,
  parts: TurnContext,
  session: string | undefined,
): FinishedTurn {
  const turn = composeTurnState({ ...parts, completedAt: new Date(clock()).toISOString() });
  try {
    record.recordTurn(turn);
  } catch (error) {
    emit({ type: 'turn_captured', task: task.id, turn: number, ok: false, why: String(error) });
    throw error;
  }
  const seconds = turn.duration_seconds ?? 0;
  const costUsd = turnRecord(turn).cost_usd;
  emit({ type: 'turn_captured', task: task.id, turn: number, ok: true, seconds, costUsd });
  return { turn, session };
}

/** With the claim that `guardkit ci` reads; work that only the feature list defines is unknown there. */
function turnMessage({ id, title, path }: TaskContext['task'], number: number): string {
  const subject = `${id} turn ${number}: ${title}`;
  return path === FEATURE_LIST_PATH ? subject : `${subject}\n\n${CLAIM_TRAILER}: ${id}`;
}

interface TurnCommit {
  commit: string;
  files: string[];
  /** Protected files that were restored; undefined for a commit that is already recorded. */
  restored: string[] | undefined;
}

/** Commits a turn and publishes the commit; the caller records it. */
async function commitTurn(context: TaskContext, plan: TurnPlan): Promise<TurnCommit> {
  const { worktree, task, baseCommit, home, project, record } = context;
  const { commit, restored } = await worktree.commitTurn({
    taskId: task.id,
    number: plan.number,
    base: baseCommit,
    message: turnMessage(task, plan.number),
    quarantine: join(home, 'quarantine', project, record.featureId, task.id, `T${plan.number}`),
  });
  const [files, published] = await Promise.allSettled([
    filesOfTurn(context, plan.number, commit),
    context.publish?.({ taskId: task.id, number: plan.number, commit }),
    // Verification needs it next, and finds it known. A failure comes again there.
    treeOfCommit(worktree.repository, commit),
  ]);
  if (published.status === 'rejected') throw published.reason;
  if (files.status === 'rejected') throw files.reason;
  // GuardKit itself writes projections; the guards record other changes to them.
  return { commit, files: files.value, restored: restored.filter((path) => !isProjection(path)) };
}

async function committedBefore(context: TaskContext, number: number, commit: string): Promise<TurnCommit> {
  return { commit, files: await filesOfTurn(context, number, commit), restored: undefined };
}

async function filesOfTurn(context: TaskContext, number: number, commit: string): Promise<string[]> {
  return changedFiles(context, await previousCommit(context, number), commit);
}

async function changedFiles({ repository }: TaskContext, from: string, to: string): Promise<string[]> {
  const changes = await changedPaths(repository, from, to);
  return changes.map(({ path }) => path).filter((path) => !isTaskPlan(path));
}

/** After turns without a report, the next report may claim their work too. */
async function changedSinceReport(
  context: TaskContext,
  { number, history }: TurnPlan,
  commit: string,
  files: readonly string[],
): Promise<readonly string[]> {
  const reported = context.record
    .steps(context.task.id)
    .filter(({ step, data }) => step === 'played' && data.report !== null)
    .map(({ turn }) => turn);
  const silent = history.filter(({ turn_number }) => !reported.includes(turn_number));
  if (silent.at(-1)?.turn_number !== number - 1) return files;
  const last = history.findLast(({ turn_number }) => reported.includes(turn_number))?.turn_number ?? 0;
  return changedFiles(context, await previousCommit(context, last + 1), commit);
}

/** The commit where a turn's own change starts. */
async function previousCommit(
  { worktree, repository, record, task, baseCommit }: TaskContext,
  number: number,
): Promise<string> {
  for (let before = number - 1; before > record.resetAfter(task.id); before--) {
    const commit =
      record.commitOf(task.id, before) ?? (await repository.commit(worktree.turnRef(task.id, before)));
    if (commit !== undefined) return commit;
  }
  return baseCommit;
}

async function verifyTurn(context: TaskContext, plan: TurnPlan, commit: string): Promise<Verified> {
  const { task, emit, ledger, project } = context;
  const turn = { task: task.id, turn: plan.number };
  const verified = await verify({
    ...workspaceRequest(context),
    repository: context.worktree.repository,
    emit: (event) => emit({ type: 'verifying', ...turn, event }),
    freshBase: false,
    redBaseAccepted: context.acceptRedBaseline,
    // The turn's commit; the files may have changed since.
    candidate: commit,
    record: (verification) =>
      inTransaction(ledger, () => {
        ledger.append(project, 'verification_recorded', verification);
        const { id, tree, outcome } = verification;
        recordStep(context, plan, 'verified', { verification: id, tree, outcome });
      }),
  });
  if (context.signal?.aborted) throw new BuildCancelled();
  const { outcome, gates } = verified.verification;
  emit({ type: 'verified', ...turn, outcome, gates });
  return verified;
}

function judge(
  { criteria, archThreshold }: TaskContext,
  { history }: TurnPlan,
  { verdict, noVerdict }: CoachAnswer,
  evidence: TurnEvidence,
  honesty: readonly string[],
) {
  const support = supportCriteria(verdict, criteria, evidence);
  const update = updateCriteria({ criteria, previous: criterionStates(history), support, evidence });
  const applied = applyVerdict({
    verdict,
    noVerdict,
    evidence,
    criteria,
    support,
    update,
    archThreshold,
    honesty,
  });
  return { verdict, applied, update };
}

/** Records the changes to the architecture graph since the task began, under the approved turn's id. */
async function recordArchitecture(
  { repository, record, task, ledger, project, baseCommit }: TaskContext,
  number: number,
  commit: string,
): Promise<void> {
  const [before, after] = await Promise.all(
    [baseCommit, commit].map((one) => readTreeFile(repository, one, GRAPH_PATH)),
  );
  const turn = turnStateId(record.featureId, task.id, number);
  const by = { changed_by: `turn ${number} of ${task.id}`, turn };
  record.recordArchitecture(architectureEntries({ before, after }, by, ledger, project));
}
