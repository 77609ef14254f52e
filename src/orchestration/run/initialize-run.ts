import { join } from 'node:path';
import * as z from 'zod';
import { formatWorkFault } from '../../config/work/work-fault.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import { recallSharedPatterns } from '../../learning/patterns/shared-patterns.ts';
import { snapshotTree } from '../../platform/git/git-tree.ts';
import { contentDigest } from '../../verification/definition/acceptances.ts';
import { preflight } from '../../verification/preflight.ts';
import { worktreesRoot } from '../../verification/verify.ts';
import type { AgentRequest } from '../drivers/agent-driver.ts';
import {
  type AgentRun,
  agentSandboxFor,
  guardsFor,
  parseAnswer,
  protectedIn,
  runAgent,
} from '../feature-build/ask-agent.ts';
import { FeatureWorktree } from '../feature-build/feature-worktree.ts';
import { leaveWorktree } from '../feature-build/leave-worktree.ts';
import { initializerPrompt } from '../prompts/initializer-prompt.ts';
import { MAX_ATTEMPTS } from '../session/session.ts';
import type { SessionAct } from '../session/session-effect.ts';
import type { KeptSession } from '../session-record/kept-session.ts';
import { type FeaturePlan, featurePlanSchema, findPlanFaults, writeFeaturePlan } from './feature-plan.ts';
import type { Interruption } from './interruption.ts';
import { readDefinitionsAt } from './read-run-features.ts';
import { mergeCommit } from './run-branch.ts';
import { asBase, openAt, type RunSettings } from './run-context.ts';
import type { WorkResult } from './run-details.ts';
import { initializerId, runDetails } from './run-details.ts';

/** Stands where a task's id has its place. */
const INITIALIZER = 'initializer';

/** Lets an agent make features of the brief, and judges them. What stands is committed, and the run builds on it. */
export async function initializeRun(
  run: RunSettings,
  kept: KeptSession,
  { attempt, failures }: Extract<SessionAct, { type: 'spawn_agent' }>,
  { signal }: Interruption,
): Promise<WorkResult> {
  const { repository, clock, config } = run;
  const details = runDetails(kept);
  const featureId = initializerId(kept.session.session);
  const folder = join(worktreesRoot({ ...run, definition: { config } }), featureId);
  const worktree = await FeatureWorktree.open(repository, { folder, featureId, base: details.start });
  // What an attempt before this one left lying there would be taken for the project's own.
  await worktree.restore(details.start, INITIALIZER, clock());
  await worktree.leave();
  const hasTests = config.verify?.tests !== undefined;
  const faults = failures.map(({ why }) => why);
  const prompt = initializerPrompt({
    brief: details.brief ?? { name: 'none', text: '' },
    hasTests,
    faults,
    sharedPatterns: await recallSharedPatterns(run.store),
    budgetTokens: run.promptTokens,
  });
  const asked = { featureId, attempt, prompt: prompt.text, leftUsd: leftUsd(kept), signal };
  const { end, usage } = await ask(run, worktree, asked);
  const usd = usage.costUsd ?? 0;
  const cost = { usd };
  if (end.type === 'cancelled') return { event: undefined, cost };
  if (end.type === 'crashed' && attempt >= MAX_ATTEMPTS) throw agentBroken(run.player.name, end.why);
  const finished = (found: readonly string[]) =>
    ({ type: 'initializer_finished', attempt, cost_usd: usd, faults: found }) as const;
  const answer = parseAnswer(featurePlanSchema, end);
  if (!answer.ok) return { event: finished([answer.why]), cost };
  const planFaults = findPlanFaults(answer.value, { hasTests });
  if (planFaults.length > 0) return { event: finished(planFaults), cost };
  const start = await commitPlan(run, worktree, answer.value, { attempt, base: details.start });
  const further = await tryPlan(run, start, answer.value, signal);
  if (signal.aborted) return { event: undefined, cost };
  if (further.length > 0) return { event: finished(further), cost };
  await repository.run(['update-ref', `refs/heads/${details.branch}`, start.commit]);
  await leaveWorktree(repository, { featureId, branch: worktree.branch, worktree: folder }, clock());
  return { event: finished([]), cost, start };
}

/** One that breaks off again has said nothing of the project: its model is away, or nobody is logged in. */
function agentBroken(name: string, why: string): GuardKitError {
  return new GuardKitError({
    code: 'run.agent-silent',
    kind: 'outside',
    message: `The ${name} agent broke off before it had made any features: ${why}`,
    hint: 'Look whether it runs here at all: its log-in, its network, its model.',
  });
}

type Start = NonNullable<WorkResult['start']>;

interface Asked {
  featureId: string;
  attempt: number;
  prompt: string;
  leftUsd: number | undefined;
  signal: AbortSignal;
}

function leftUsd({ session: { limits, spent_usd } }: KeptSession): number | undefined {
  return limits.budget_usd === null ? undefined : Math.max(0, limits.budget_usd - spent_usd);
}

function ask(run: RunSettings, { folder }: FeatureWorktree, asked: Asked): Promise<AgentRun> {
  const { env, agentTimeoutMs, emit, clock, player } = run;
  const call = { task: INITIALIZER, turn: asked.attempt, role: 'initializer' as const };
  const request: AgentRequest = {
    role: 'initializer',
    featureId: asked.featureId,
    taskId: INITIALIZER,
    turn: asked.attempt,
    prompt: asked.prompt,
    answerSchema: z.toJSONSchema(featurePlanSchema, { io: 'input' }),
    folder,
    access: 'write',
    sandbox: agentSandboxFor(run, [folder], protectedIn(folder)),
    guards: undefined,
    session: undefined,
    env,
    timeoutMs: agentTimeoutMs,
    budgetUsd: asked.leftUsd,
    signal: asked.signal,
    onActivity: (line) => emit({ type: 'agent_did', ...call, line }),
  };
  return runAgent(player, { ...request, guards: guardsFor(run, player, request) }, { emit, now: clock });
}

/** What the agent set up, then what GuardKit makes of its answer: two commits, so that a person sees whose is whose. */
async function commitPlan(
  { repository, home, project }: RunSettings,
  worktree: FeatureWorktree,
  plan: FeaturePlan,
  { attempt, base }: { attempt: number; base: string },
): Promise<Start> {
  const { commit } = await worktree.commitTurn({
    taskId: INITIALIZER,
    number: attempt,
    base,
    message: 'Set up the project',
    quarantine: join(home, 'quarantine', project, worktree.branch, `T${attempt}`),
  });
  const paths = writeFeaturePlan(worktree.folder, project, plan);
  const digests = paths.map((path) => [path, contentDigest(join(worktree.folder, path)) ?? ''] as const);
  const tree = await snapshotTree(worktree.repository, []);
  const message = `Define ${plan.features.length === 1 ? '1 feature' : `${plan.features.length} features`}`;
  const defined = await mergeCommit(repository, tree, [commit], message);
  await worktree.repository.run(['update-ref', worktree.turnRef(INITIALIZER, attempt), defined]);
  return { commit: defined, own: Object.fromEntries(digests) };
}

/** Whether the plan stands as it is committed: it can be read, and the base can be judged. */
async function tryPlan(
  run: RunSettings,
  start: Start,
  { features }: FeaturePlan,
  signal: AbortSignal,
): Promise<string[]> {
  const base = asBase(run, start, start.commit, 'what the initializer set up');
  const { work } = await readDefinitionsAt(run, base);
  const unread = work.faults.map((fault) => formatWorkFault(fault));
  const [first] = features;
  if (unread.length > 0 || !first) return unread;
  try {
    const opened = await openAt(run, base, first.id);
    return await preflight({
      ...run,
      ...opened,
      signal,
      emit: (event) => run.emit({ type: 'run_verifying', feature: first.id, event }),
    });
  } catch (error) {
    // What it defined wrongly it can mend; what lies outside it cannot.
    if (!(error instanceof GuardKitError) || error.kind === 'outside') throw error;
    return [`${error.message} ${error.hint}`];
  }
}
