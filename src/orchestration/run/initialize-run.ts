import { join } from 'node:path';
import * as z from 'zod';
import { formatWorkFault } from '../../config/work/work-fault.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import { recallSharedPatterns } from '../../learning/patterns/shared-patterns.ts';
import { snapshotTree } from '../../platform/git/git-tree.ts';
import { workingDigest } from '../../verification/definition/acceptances.ts';
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
import { removeWorktree } from '../feature-build/remove-worktree.ts';
import { unguarded } from '../feature-build/turn-steps.ts';
import { initializerPrompt } from '../prompts/initializer-prompt.ts';
import { MAX_ATTEMPTS } from '../session/session.ts';
import type { SessionAct } from '../session/session-effect.ts';
import type { KeptSession } from '../session-record/kept-session.ts';
import { type FeaturePlan, featurePlanSchema, findPlanFaults, writeFeaturePlan } from './feature-plan.ts';
import type { Interruption } from './interruption.ts';
import { readDefinitionsAt } from './read-run-features.ts';
import { mergeCommit } from './run-branch.ts';
import type { WorkResult } from './run-details.ts';
import { initializerId, runDetails } from './run-details.ts';
import { asBase, openAt, type RunSettings } from './run-settings.ts';

/** Used in place of a task's id. */
const INITIALIZER = 'initializer';

/** Runs an agent that creates features from the brief, and checks them. A valid plan is committed, and the run builds on it. */
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
  // Files of an earlier attempt would otherwise count as the project's own.
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
  if (end.type === 'unguarded') throw unguarded('initializer', end.why);
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
  await removeWorktree(repository, { featureId, branch: worktree.branch, worktree: folder }, clock());
  return { event: finished([]), cost, start };
}

/** A repeated crash is not about the project: the model is unavailable, or nobody is logged in. */
function agentBroken(name: string, why: string): GuardKitError {
  return new GuardKitError({
    code: 'run.agent-silent',
    kind: 'outside',
    message: `The ${name} agent crashed before it created any features: ${why}`,
    hint: 'Check that the agent runs on this machine: its login, network and model.',
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

/** Two commits, so that a person can tell them apart: the agent's set-up, and GuardKit's definitions from its answer. */
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
  const digests = paths.map((path) => [path, workingDigest(join(worktree.folder, path)) ?? ''] as const);
  const tree = await snapshotTree(worktree.repository, []);
  const message = `Define ${plan.features.length === 1 ? '1 feature' : `${plan.features.length} features`}`;
  const defined = await mergeCommit(repository, tree, [commit], message);
  await worktree.repository.run(['update-ref', worktree.turnRef(INITIALIZER, attempt), defined]);
  return { commit: defined, own: Object.fromEntries(digests) };
}

/** Checks the committed plan: its files are valid and the preflight passes. */
async function tryPlan(
  run: RunSettings,
  start: Start,
  { features }: FeaturePlan,
  signal: AbortSignal,
): Promise<string[]> {
  const base = asBase(run, start, start.commit, 'the set-up of the initializer');
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
    // The agent can fix its definitions, but not external errors.
    if (!(error instanceof GuardKitError) || error.kind === 'outside') throw error;
    return [`${error.message} ${error.hint}`];
  }
}
