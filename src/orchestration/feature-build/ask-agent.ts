import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';
import { coachVerdictSchema, playerReportSchema } from '../../domain/entities/agent-answers.ts';
import { describeIssues } from '../../domain/json/describe-issues.ts';
import {
  AGENT_FOLDERS,
  AGENT_SUBFOLDERS,
  SERVER_LISTS,
  SESSION_STATE_PATH,
} from '../../domain/protection/protected-paths.ts';
import { DrivenRun, type GuardedOutcome, UNTOUCHED } from '../../enforcement/driven/driven-run.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import type { SandboxPolicy } from '../../platform/sandbox/sandbox-policy.ts';
import {
  type AgentDriver,
  type AgentEnd,
  type AgentRequest,
  type AgentResult,
  type AgentRole,
  type AgentUsage,
  activityLine,
  NO_USAGE,
  runGuarded,
} from '../drivers/agent-driver.ts';
import { sumUsd } from '../turns/turn-record.ts';
import type { TaskContext } from './build-context.ts';
import type { BuildEvent } from './build-event.ts';
import type { TurnPlan } from './turn-plan.ts';

/** The request to an agent of a turn, in the worktree and its sandbox. */
export function agentRequest(
  context: TaskContext,
  { number }: TurnPlan,
  role: AgentRole,
  prompt: string,
): AgentRequest {
  const { record, task, worktree, env, agentTimeoutMs, budgetUsd, spent, signal, emit } = context;
  const schema = role === 'player' ? playerReportSchema : role === 'coach' ? coachVerdictSchema : undefined;
  return {
    role,
    featureId: record.featureId,
    taskId: task.id,
    turn: number,
    prompt,
    answerSchema: schema && z.toJSONSchema(schema, { io: 'output' }),
    folder: worktree.folder,
    access: role === 'coach' ? 'read' : 'write',
    sandbox: agentSandboxFor(context, [worktree.folder], protectedIn(worktree.folder)),
    guards: undefined,
    session: undefined,
    env,
    timeoutMs: agentTimeoutMs,
    budgetUsd: budgetUsd === undefined ? undefined : Math.max(0, budgetUsd - spent.usd),
    signal,
    onActivity: (line) => emit({ type: 'agent_did', task: task.id, turn: number, role, line }),
  };
}

/**
 * Protected paths in a worktree: folders even if missing, files only if they exist, because a placeholder for a missing
 * file would be an empty file, which programs take for a broken one. A file created there is restored afterwards. Not all
 * of `.claude/`: it contains plans.
 */
export function protectedIn(folder: string): string[] {
  return [
    '.git',
    '.guardkit/',
    'tasks/',
    '.claude/settings.json',
    '.claude/settings.local.json',
    ...['hooks', 'agents', 'commands', 'skills', 'plugins'].map((name) => `.claude/${name}/`),
    SESSION_STATE_PATH,
    '.mcp.json',
    ...SERVER_LISTS,
    ...[...AGENT_FOLDERS, ...AGENT_SUBFOLDERS].map((path) => `${path}/`),
  ]
    .map((path) => join(folder, path))
    .filter((path) => path.endsWith('/') || existsSync(path));
}

/** The sandbox that confines an agent to its folder. */
export function agentSandboxFor(
  { sandbox, home, repository }: Pick<TaskContext, 'sandbox' | 'home' | 'repository'>,
  writable: string[],
  readOnly: string[],
): AgentRequest['sandbox'] {
  if (!sandbox.available) return undefined;
  const policy: SandboxPolicy = {
    writable,
    // Git in the worktree reads the main repository, which the sandbox may not show by default.
    readOnly: [...readOnly, repository.folder.commonDir],
    hidden: [home],
    // An agent needs to reach its model.
    network: 'host',
  };
  return { status: sandbox, policy };
}

/** Runs an agent within the remaining budget, and adds its cost to what is spent. */
export async function askAgent(
  context: TaskContext,
  driver: AgentDriver,
  asked: AgentRequest,
): Promise<AgentRun> {
  const { emit, clock, spent, budgetUsd } = context;
  if (budgetUsd !== undefined && spent.usd >= budgetUsd) {
    const why = `$${spent.usd.toFixed(2)} of $${budgetUsd.toFixed(2)} spent`;
    return { end: { type: 'over_budget', why }, session: asked.session, usage: NO_USAGE, guarded: UNTOUCHED };
  }
  const guards = guardsFor(context, driver, asked);
  const run = await runAgent(driver, { ...asked, guards }, { emit, now: clock });
  spent.usd = sumUsd([spent.usd, run.usage.costUsd ?? 0]);
  return run;
}

/** The project's guards for one agent run. */
export function guardsFor(
  { env, home, ledger, project }: Pick<TaskContext, 'env' | 'home' | 'ledger' | 'project'>,
  driver: AgentDriver,
  { folder, role, sandbox, onActivity, featureId, taskId, turn }: AgentRequest,
): DrivenRun {
  return new DrivenRun({
    env,
    dataFolder: home,
    ledger,
    project,
    folder,
    role,
    work: { feature: featureId, task: taskId, turn },
    driver: driver.name,
    writable: sandbox && (driver.alsoWrites?.(env) ?? []),
    tell: (text) => onActivity(activityLine('guards:', text)),
  });
}

type Answer<Value> = { ok: true; value: Value } | { ok: false; why: string };

/** Parses the answer by its schema. */
export function parseAnswer<Value>(schema: z.ZodType<Value>, end: AgentEnd): Answer<Value> {
  if (end.type !== 'answered') return { ok: false, why: describeEnd(end) };
  const parsed = schema.safeParse(end.answer);
  if (parsed.success) return { ok: true, value: parsed.data };
  return { ok: false, why: `invalid answer: ${describeIssues(parsed.error)}` };
}

export function describeEnd(end: AgentEnd): string {
  return end.type === 'answered' || end.type === 'cancelled'
    ? end.type
    : `${end.type.replace('_', ' ')}: ${end.why}`;
}

const FIRST_WAIT_MS = 60_000;
const LONGEST_WAIT_MS = 60 * 60_000;

export interface AgentRun extends AgentResult {
  /** The total of all tries. */
  usage: AgentUsage;
  guarded: GuardedOutcome;
}

interface Patience {
  emit(event: BuildEvent): void;
  now(): number;
}

/** Runs an agent; on a rate limit, waits and retries. */
export async function runAgent(
  driver: AgentDriver,
  request: AgentRequest,
  { emit, now }: Patience,
): Promise<AgentRun> {
  const call = { task: request.taskId, turn: request.turn, role: request.role };
  const spent: AgentUsage = { inputTokens: 0, outputTokens: 0, costUsd: null };
  let session = request.session;
  for (let tries = 0; ; tries++) {
    emit({ type: 'agent_began', ...call, driver: driver.name });
    const result = await runGuarded(driver, { ...request, session });
    addUsage(spent, result.usage);
    session = result.session ?? session;
    const guarded = request.guards?.outcome() ?? UNTOUCHED;
    const { end, usage } = result;
    emit({
      type: 'agent_ended',
      ...call,
      end: end.type,
      why: 'why' in end ? end.why : undefined,
      usage,
      refused: guarded.refused,
      putBack: guarded.restored,
    });
    if (end.type === 'locked_out') throw lockedOut(driver, end.why);
    if (result.end.type !== 'rate_limited') return { ...result, session, usage: spent, guarded };
    const until = waitEnd(result.end.resetsAt, now(), tries);
    emit({ type: 'waiting', task: request.taskId, turn: request.turn, why: result.end.why, until });
    if (!(await waitUntil(until, now, request.signal)))
      return { end: { type: 'cancelled' }, session, usage: spent, guarded };
  }
}

/** Thrown, not counted as a failed attempt: every feature would fail the same way. */
function lockedOut({ name, logIn }: AgentDriver, why: string): GuardKitError {
  return new GuardKitError({
    code: 'driver.locked-out',
    kind: 'outside',
    message: `The ${name} agent cannot use its account: ${why.replace(/\.$/, '')}.`,
    hint: `Log in as the user who runs GuardKit${logIn === undefined ? '' : `: ${logIn}`}. The work so far is kept.`,
  });
}

/** The announced time; if there is none, or it has passed, exponential backoff. */
function waitEnd(announced: number | undefined, now: number, tries: number): number {
  const ours = now + Math.min(FIRST_WAIT_MS * 2 ** tries, LONGEST_WAIT_MS);
  if (announced === undefined || !Number.isFinite(announced)) return ours;
  return announced > now || tries === 0 ? announced : ours;
}

/** False if the wait was interrupted. */
async function waitUntil(
  until: number,
  now: () => number,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    // In pieces: a timer of more than 24 days would fire at once.
    for (let left = until - now(); ; left = until - now()) {
      await setTimeout(Math.min(Math.max(0, left), LONGEST_WAIT_MS), undefined, signal ? { signal } : {});
      if (until <= now()) return true;
    }
  } catch {
    // Safe: only the signal ends the wait early, and the caller checks it.
    return false;
  }
}

function addUsage(sum: AgentUsage, { inputTokens, outputTokens, costUsd }: AgentUsage): void {
  sum.inputTokens += inputTokens;
  sum.outputTokens += outputTokens;
  if (costUsd !== null) sum.costUsd = (sum.costUsd ?? 0) + costUsd;
}
