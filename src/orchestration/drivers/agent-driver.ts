import type { DrivenRun } from '../../enforcement/driven/driven-run.ts';
import type { AvailableSandbox } from '../../platform/sandbox/find-sandbox.ts';
import type { SandboxPolicy } from '../../platform/sandbox/sandbox-policy.ts';

export const AGENT_ROLES = ['initializer', 'planner', 'player', 'coach'] as const;

export type AgentRole = (typeof AGENT_ROLES)[number];

export interface AgentRequest {
  role: AgentRole;
  featureId: string;
  taskId: string;
  /** From 1; for a planner, the turn it plans for. */
  turn: number;
  prompt: string;
  /** JSON Schema of the answer; undefined for a planner, whose answer is plain text. */
  answerSchema: Readonly<Record<string, unknown>> | undefined;
  /** A worktree, or a read-only checkout. */
  folder: string;
  access: 'write' | 'read';
  /** Confines the agent to its folder; undefined if no sandbox is available. */
  sandbox: { status: AvailableSandbox; policy: SandboxPolicy } | undefined;
  /** Undefined if the run is not guarded. */
  guards: DrivenRun | undefined;
  /** The session of an earlier run for the same task and role, to continue. */
  session: string | undefined;
  env: NodeJS.ProcessEnv;
  timeoutMs: number;
  /** Spending limit of this run. */
  budgetUsd: number | undefined;
  signal: AbortSignal | undefined;
  /** Reports an activity in one line, for display. */
  onActivity(line: string): void;
}

/** How a run ended. Only `answered` has a report or a verdict. */
export type AgentEnd =
  | { type: 'answered'; answer: unknown }
  | { type: 'unanswered'; why: string }
  | { type: 'crashed'; why: string }
  | { type: 'timed_out'; why: string }
  /** `resetsAt` in milliseconds since 1970, if the agent reports it. */
  | { type: 'rate_limited'; why: string; resetsAt: number | undefined }
  | { type: 'over_budget'; why: string }
  /** The budget that workers share is spent, before or during the run. Says nothing about the agent's work. */
  | { type: 'out_of_funds'; why: string }
  /** Not logged in, or the account is rejected: a retry does not help, a person has to act. */
  | { type: 'locked_out'; why: string }
  /** An action ran without a hook, so nothing of this run counts. */
  | { type: 'unguarded'; why: string }
  | { type: 'cancelled' };

export interface AgentUsage {
  inputTokens: number;
  outputTokens: number;
  /** Null if the agent does not report it. */
  costUsd: number | null;
}

export interface AgentResult {
  end: AgentEnd;
  session: string | undefined;
  usage: AgentUsage;
}

/** Talks to one kind of coding agent. */
export interface AgentDriver {
  readonly name: string;
  /** Its agent asks the guards before each action. If not, the guards treat the whole run as one action. */
  readonly asksGuards?: boolean;
  /** How a person logs in. */
  readonly logIn?: string;
  /** Paths outside its folder that the agent may write, even in a sandbox. */
  alsoWrites?(env: NodeJS.ProcessEnv): string[];
  run(request: AgentRequest): Promise<AgentResult>;
}

export const NO_USAGE: AgentUsage = { inputTokens: 0, outputTokens: 0, costUsd: null };

const MAX_CHARACTERS = 160;

/** An activity in one line, without control characters. */
export function activityLine(what: string, detail = ''): string {
  // Cut first: the text may be a whole file.
  const text = `${what} ${detail.slice(0, 4 * MAX_CHARACTERS)}`.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  return text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS - 1)}…`;
}

/** Runs an agent under its guards, whether or not its driver asks them itself. */
export function runGuarded(driver: AgentDriver, request: AgentRequest): Promise<AgentResult> {
  const { guards, role, taskId, turn } = request;
  if (!guards || driver.asksGuards) return driver.run(request);
  return guards.asOneAction(`the ${role}'s run for ${taskId}, turn ${turn}`, () => driver.run(request));
}
