import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type CoachVerdict, coachVerdictSchema } from '../../domain/coach-verdict.ts';
import type { JsonObject } from '../../domain/json.ts';
import { type PlayerReport, playerReportSchema } from '../../domain/player-report.ts';
import type { TurnState } from '../../domain/turn-state.ts';
import { writeFileAtomic } from '../../platform/atomic-file.ts';
import { changedPaths } from '../../platform/git-tree.ts';
import { inRoom, outcomeOf, type RoomRequest, type Verified, verify } from '../../verification/verify.ts';
import type { AgentRole, AgentUsage } from '../drivers/agent-driver.ts';
import { applyVerdict } from '../turns/apply-verdict.ts';
import { checkHonesty } from '../turns/check-honesty.ts';
import { composeTurnState, type TurnParts } from '../turns/compose-turn-state.ts';
import { supportCriteria } from '../turns/support-criteria.ts';
import { type TurnEvidence, turnEvidence } from '../turns/turn-evidence.ts';
import { criterionStates, currentStatuses } from '../turns/turn-record.ts';
import { updateCriteria } from '../turns/update-criteria.ts';
import { agentRequest, agentSandboxFor, askAgent, charge, describeEnd, parseAnswer } from './ask-agent.ts';
import type { TaskContext } from './build-context.ts';
import { PLANS, planPath, readPlan, requirePlanPlace } from './plan-file.ts';
import type { JudgedStep, PlayedStep, TurnPlan } from './turn-plan.ts';
import { coachPromptFor, planningPromptFor, playerPromptFor } from './turn-prompts.ts';

/** A turn that a person or a signal ended. It stays as far as it got, and `--resume` goes on. */
export class BuildCancelled extends Error {}

export interface FinishedTurn {
  turn: TurnState;
  session: string | undefined;
}

/** One go of Player and Coach. Each step is in the ledger before the next begins. */
export async function runTurn(context: TaskContext, plan: TurnPlan): Promise<FinishedTurn> {
  const { record, task, clock, emit } = context;
  const startedAt = plan.committed?.startedAt ?? new Date(clock()).toISOString();
  if (!plan.committed) requirePlanPlace(context);
  const parts: TurnParts = {
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
  // What a turn that was cut off had cost is in no finished turn yet.
  if (plan.committed) charge(context, usageOf(plan.committed.played));
  if (plan.committed?.judged) charge(context, usageOf(plan.committed.judged));
  const planning = plan.committed ? [] : await ensurePlan(context, plan);
  const played = plan.committed?.played ?? (await runPlayer(context, plan));
  const commit = plan.committed?.commit ?? (await commitTurn(context, plan));
  const before = await previousCommit(context, plan);
  // The plan is made before the Player runs, and is none of its work.
  const planned = relative(context.worktree.folder, planPath(context.worktree.folder, task.id));
  const files = (await changedPaths(context.repository, before, commit))
    .map(({ path }) => path)
    .filter((path) => path !== planned);
  const known: TurnParts = {
    ...parts,
    player: played.report ? { report: played.report } : { noReport: played.no_report },
    files,
    usage: [...planning, usageOf(played)],
  };
  if (!played.report) return finish(context, plan, known, played.session ?? undefined);
  record.recordTurn(composeTurnState(known));
  const verified = await verifyTurn(context, plan, commit);
  const evidence = withoutPlans(turnEvidence(verified));
  const honesty = checkHonesty({
    report: played.report,
    changedFiles: files,
    testCounts: evidence.testCounts,
    criteria: context.criteria,
    folder: context.worktree.folder,
  });
  const heard = plan.committed?.judged;
  const coach = heard
    ? coachRunOf(heard)
    : await runCoach(context, plan, { report: played.report, verified, evidence, honesty, commit });
  const judged = judge(context, plan, coach, evidence, honesty);
  emit({
    type: 'judged',
    task: task.id,
    turn: plan.number,
    decision: judged.applied.decision,
    overriddenBecause: judged.applied.overriddenBecause,
  });
  const done = { ...known, evidence, honesty, judged, usage: [...planning, usageOf(played), coach.usage] };
  return finish(context, plan, done, played.session ?? undefined);
}

function finish(
  { record, clock, emit, task }: TaskContext,
  { number }: TurnPlan,
  parts: TurnParts,
  session: string | undefined,
): FinishedTurn {
  const turn = composeTurnState({ ...parts, completedAt: new Date(clock()).toISOString() });
  try {
    record.recordTurn(turn);
  } catch (error) {
    emit({ type: 'turn_captured', task: task.id, turn: number, ok: false, why: String(error) });
    throw error;
  }
  emit({ type: 'turn_captured', task: task.id, turn: number, ok: true });
  return { turn, session };
}

/** A plan must be there before the Player runs; where it is not, a run of its own makes it. */
async function ensurePlan(context: TaskContext, plan: TurnPlan): Promise<AgentUsage[]> {
  const { worktree, task } = context;
  const path = planPath(worktree.folder, task.id);
  if (existsSync(path)) return [];
  const prompt = planningPromptFor(context);
  announce(context, plan, 'planner', prompt);
  const { end, usage } = await askAgent(
    context,
    context.player,
    agentRequest(context, plan, 'planner', prompt.text),
  );
  if (end.type === 'cancelled') throw new BuildCancelled();
  const answer = end.type === 'answered' && typeof end.answer === 'string' ? end.answer : undefined;
  // The planner could write there as well.
  requirePlanPlace(context);
  if (!existsSync(path))
    writeFileAtomic(path, answer ?? `# Plan for ${task.id}\n\nNo plan was made: ${describeEnd(end)}.\n`);
  step(context, plan, 'planned', { end: end.type });
  return [usage];
}

async function runPlayer(context: TaskContext, plan: TurnPlan): Promise<PlayedStep> {
  const prompt = await playerPromptFor(context, plan, readPlan(context));
  announce(context, plan, 'player', prompt);
  await context.worktree.leave();
  const asked = { ...agentRequest(context, plan, 'player', prompt.text), session: plan.session };
  const run = await askAgent(context, context.player, asked);
  if (run.end.type === 'cancelled') throw new BuildCancelled();
  const answer = parseAnswer(playerReportSchema, run.end);
  const played: PlayedStep = {
    report: answer.ok ? answer.value : null,
    no_report: answer.ok ? '' : answer.why,
    session: run.session ?? null,
    input_tokens: run.usage.inputTokens,
    output_tokens: run.usage.outputTokens,
    cost_usd: run.usage.costUsd,
  };
  step(context, plan, 'played', played);
  return played;
}

async function commitTurn(context: TaskContext, plan: TurnPlan): Promise<string> {
  const { worktree, task, baseCommit, home, project, record, emit } = context;
  const { commit, putBack } = await worktree.commitTurn({
    taskId: task.id,
    number: plan.number,
    base: baseCommit,
    message: `${task.id} turn ${plan.number}: ${task.title}`,
    quarantine: join(home, 'quarantine', project, record.featureId, task.id, `T${plan.number}`),
  });
  step(context, plan, 'committed', { commit, put_back: putBack });
  emit({ type: 'committed', task: task.id, turn: plan.number, commit, putBack });
  return commit;
}

/** Where this turn's own change starts: at the turn before it. */
async function previousCommit(
  { worktree, repository, record, task, baseCommit }: TaskContext,
  { number }: TurnPlan,
): Promise<string> {
  for (let before = number - 1; before > record.resetAfter(task.id); before--) {
    const commit =
      record.commitOf(task.id, before) ?? (await repository.commit(worktree.turnRef(task.id, before)));
    if (commit !== undefined) return commit;
  }
  return baseCommit;
}

async function verifyTurn(context: TaskContext, plan: TurnPlan, commit: string): Promise<Verified> {
  const { task, emit } = context;
  const place = { task: task.id, turn: plan.number };
  const verified = await verify({
    ...roomRequest(context),
    repository: context.worktree.repository,
    emit: (event) => emit({ type: 'verifying', ...place, event }),
    verify: context.verify,
    acceptances: context.acceptances,
    freshBase: false,
    // What is on the turn's ref, whatever has happened to the files since.
    candidate: commit,
  });
  if (context.signal?.aborted) throw new BuildCancelled();
  const { id, tree, outcome, gates } = verified.verification;
  step(context, plan, 'verified', { verification: id, tree, outcome });
  emit({ type: 'verified', ...place, outcome, gates });
  return verified;
}

/** A plan is made before the Player runs: it is no change that could be approved, and shows no criterion. */
function withoutPlans(evidence: TurnEvidence): TurnEvidence {
  const { verification } = evidence;
  const changes = evidence.changes.filter(({ path }) => !path.startsWith(`${PLANS}/`));
  if (changes.length === evidence.changes.length) return evidence;
  const gates = verification.gates.map((gate) =>
    gate.gate === 'change' && changes.length === 0
      ? { ...gate, result: 'fail' as const, required: true, reason: 'nothing but the plan changed' }
      : gate,
  );
  return { ...evidence, changes, verification: { ...verification, gates, outcome: outcomeOf(gates) } };
}

interface CoachInput {
  report: PlayerReport;
  verified: Verified;
  evidence: TurnEvidence;
  honesty: readonly string[];
  commit: string;
}

interface CoachRun {
  verdict: CoachVerdict | undefined;
  noVerdict: string | undefined;
  usage: AgentUsage;
}

/** The Coach judges in a checkout that it cannot write to. */
function runCoach(context: TaskContext, plan: TurnPlan, input: CoachInput): Promise<CoachRun> {
  return inRoom(roomRequest(context), input.commit, async ({ room }) => {
    await room.place(input.verified.verification.tree, input.commit, 'nothing');
    const prompt = await coachPromptFor(context, plan, input);
    announce(context, plan, 'coach', prompt);
    const asked = { ...agentRequest(context, plan, 'coach', prompt.text), folder: room.folder };
    const sandbox = agentSandboxFor(context, [], [room.folder]);
    const run = await askAgent(context, context.coach, { ...asked, sandbox });
    if (run.end.type === 'cancelled') throw new BuildCancelled();
    const answer = parseAnswer(coachVerdictSchema, run.end);
    const verdict = answer.ok ? answer.value : undefined;
    const noVerdict = answer.ok ? undefined : answer.why;
    const judged: JudgedStep = {
      verdict: verdict ?? null,
      no_verdict: noVerdict ?? '',
      input_tokens: run.usage.inputTokens,
      output_tokens: run.usage.outputTokens,
      cost_usd: run.usage.costUsd,
    };
    step(context, plan, 'judged', judged);
    return coachRunOf(judged);
  });
}

function coachRunOf(judged: JudgedStep): CoachRun {
  return {
    verdict: judged.verdict ?? undefined,
    noVerdict: judged.verdict ? undefined : judged.no_verdict,
    usage: usageOf(judged),
  };
}

function judge(
  { criteria, archThreshold }: TaskContext,
  { history }: TurnPlan,
  { verdict, noVerdict }: CoachRun,
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

function roomRequest(context: TaskContext): RoomRequest {
  const { home, env, project, repository, definition, task, ledger, sandbox, signal, record, baseCommit } =
    context;
  return {
    home,
    env,
    project,
    repository,
    base: { commit: baseCommit, why: 'where the task started' },
    definition,
    taskId: task.id === record.featureId ? null : task.id,
    ledger,
    sandbox,
    signal,
    emit: () => {},
  };
}

function step(
  { record, buildId, task }: TaskContext,
  { number }: TurnPlan,
  name: Parameters<TaskContext['record']['recordStep']>[3],
  data: JsonObject,
): void {
  record.recordStep(buildId, task.id, number, name, data);
}

function announce(
  { emit, task }: TaskContext,
  { number }: TurnPlan,
  role: AgentRole,
  { injected, leftOut }: { injected: readonly string[]; leftOut: readonly string[] },
): void {
  emit({ type: 'prompted', task: task.id, turn: number, role, injected, leftOut });
}

function usageOf({ input_tokens, output_tokens, cost_usd }: PlayedStep | JudgedStep): AgentUsage {
  return { inputTokens: input_tokens, outputTokens: output_tokens, costUsd: cost_usd };
}
