import type { DrivenRun } from '../../enforcement/driven/driven-run.ts';
import type { AvailableSandbox } from '../../platform/sandbox/find-sandbox.ts';
import type { SandboxPolicy } from '../../platform/sandbox/sandbox-policy.ts';

/** What an agent is run for. */
export const AGENT_ROLES = ['initializer', 'planner', 'player', 'coach'] as const;

export type AgentRole = (typeof AGENT_ROLES)[number];

export interface AgentRequest {
  role: AgentRole;
  featureId: string;
  taskId: string;
  /** From 1; the planner's is the turn it plans for. */
  turn: number;
  prompt: string;
  /** JSON Schema of the answer; a planner's answer is plain text and has none. */
  answerSchema: Readonly<Record<string, unknown>> | undefined;
  /** Where it works: a worktree, or a checkout that it only reads. */
  folder: string;
  access: 'write' | 'read';
  /** What keeps it in its folder; undefined where there is no sandbox. */
  sandbox: { status: AvailableSandbox; policy: SandboxPolicy } | undefined;
  /** What judges it; undefined where nothing is to be guarded. */
  guards: DrivenRun | undefined;
  /** Of an earlier run for the same task and role, to go on with. */
  session: string | undefined;
  env: NodeJS.ProcessEnv;
  timeoutMs: number;
  /** What this run may cost at most. */
  budgetUsd: number | undefined;
  signal: AbortSignal | undefined;
  /** A line of what it is doing, for whoever watches. */
  onActivity(line: string): void;
}

/** How a run ended. Anything but an answer is no report and no verdict. */
export type AgentEnd =
  | { type: 'answered'; answer: unknown }
  | { type: 'unanswered'; why: string }
  | { type: 'crashed'; why: string }
  | { type: 'timed_out'; why: string }
  /** In milliseconds since 1970, where the agent tells. */
  | { type: 'rate_limited'; why: string; resetsAt: number | undefined }
  | { type: 'over_budget'; why: string }
  /** Nobody is logged in, or the account is refused: no try mends that, a person has to. */
  | { type: 'locked_out'; why: string }
  | { type: 'cancelled' };

export interface AgentUsage {
  inputTokens: number;
  outputTokens: number;
  /** Null where the agent does not tell. */
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
  /** Its agent asks the guards before each action. Where it does not, the whole run is one action to them. */
  readonly asksGuards?: boolean;
  /** What its agent may write beside its folder, even in a sandbox. */
  alsoWrites?(env: NodeJS.ProcessEnv): string[];
  run(request: AgentRequest): Promise<AgentResult>;
}

export const NO_USAGE: AgentUsage = { inputTokens: 0, outputTokens: 0, costUsd: null };

const MAX_CHARACTERS = 160;

/** What an agent does, in one line without anything that a terminal would act on. */
export function activityLine(what: string, detail = ''): string {
  // Cut first: the text may be a whole file.
  const text = `${what} ${detail.slice(0, 4 * MAX_CHARACTERS)}`.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  return text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS - 1)}…`;
}

/** Runs an agent under its guards, whether or not it asks them by itself. */
export function runGuarded(driver: AgentDriver, request: AgentRequest): Promise<AgentResult> {
  const { guards, role, taskId, turn } = request;
  if (!guards || driver.asksGuards) return driver.run(request);
  return guards.asOneAction(`the ${role}'s run for ${taskId}, turn ${turn}`, () => driver.run(request));
}
