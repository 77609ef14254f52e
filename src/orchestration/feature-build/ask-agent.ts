import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { coachVerdictSchema } from '../../domain/entities/coach-verdict.ts';
import { playerReportSchema } from '../../domain/entities/player-report.ts';
import { describeIssues } from '../../domain/json/describe-issues.ts';
import { SESSION_STATE_PATH } from '../../domain/protection/protected-paths.ts';
import { DrivenRun, UNTOUCHED } from '../../enforcement/driven/driven-run.ts';
import type { SandboxPolicy } from '../../platform/sandbox/sandbox-policy.ts';
import { activityLine } from '../drivers/activity-line.ts';
import {
  type AgentDriver,
  type AgentEnd,
  type AgentRequest,
  type AgentRole,
  NO_USAGE,
} from '../drivers/agent-driver.ts';
import { sumUsd } from '../turns/sum-usage.ts';
import type { TaskContext } from './build-context.ts';
import { type AgentRun, runAgent } from './run-agent.ts';
import type { TurnPlan } from './turn-plan.ts';

/** What an agent of a turn is asked with, in the worktree and its sandbox. */
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
 * Folders also where they are missing; not all of `.claude/`, where plans lie. A file that is missing would have to lie there
 * empty, which programs take for a broken one; whoever makes it has it put back.
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
    ...['.codex/', '.gemini/', '.cursor/', '.opencode/'],
  ]
    .map((path) => join(folder, path))
    .filter((path) => path.endsWith('/') || existsSync(path));
}

/** What keeps an agent in its folder. */
export function agentSandboxFor(
  { sandbox, home, repository }: Pick<TaskContext, 'sandbox' | 'home' | 'repository'>,
  writable: string[],
  readOnly: string[],
): AgentRequest['sandbox'] {
  if (!sandbox.available) return undefined;
  const policy: SandboxPolicy = {
    writable,
    // Git in the worktree reads the project's own folder, which may lie where the sandbox shows nothing by itself.
    readOnly: [...readOnly, repository.folder.commonDir],
    hidden: [home],
    // An agent talks to its model.
    network: 'host',
  };
  return { status: sandbox, policy };
}

/** Runs an agent for what is left of the budget; the next one of the same turn has what it leaves. */
export async function askAgent(
  context: TaskContext,
  driver: AgentDriver,
  asked: AgentRequest,
): Promise<AgentRun> {
  const { emit, clock, spent, budgetUsd } = context;
  if (budgetUsd !== undefined && spent.usd >= budgetUsd) {
    const why = `$${spent.usd.toFixed(2)} of $${budgetUsd.toFixed(2)} are spent`;
    return { end: { type: 'over_budget', why }, session: asked.session, usage: NO_USAGE, guarded: UNTOUCHED };
  }
  const guards = guardsFor(context, driver, asked);
  const run = await runAgent(driver, { ...asked, guards }, { emit, now: clock });
  spent.usd = sumUsd([spent.usd, run.usage.costUsd ?? 0]);
  return run;
}

/** The guards of the project, for an agent in its role. */
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

/** The answer by its schema, or why there is none. */
export function parseAnswer<Value>(schema: z.ZodType<Value>, end: AgentEnd): Answer<Value> {
  if (end.type !== 'answered') return { ok: false, why: describeEnd(end) };
  const parsed = schema.safeParse(end.answer);
  if (parsed.success) return { ok: true, value: parsed.data };
  return { ok: false, why: `the answer does not fit: ${describeIssues(parsed.error)}` };
}

export function describeEnd(end: AgentEnd): string {
  return end.type === 'answered' || end.type === 'cancelled'
    ? end.type
    : `${end.type.replace('_', ' ')}: ${end.why}`;
}
