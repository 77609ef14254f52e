import type { ToolsCommand } from '../../../enforcement/driven/connect-sandbox.ts';
import type { ToolRequest } from '../../../enforcement/hooks/hook-event.ts';
import type { TimedHookCommand } from '../../../enforcement/install/hook-launcher.ts';
import type { AgentRequest } from '../agent-driver.ts';

/** An action that a hook reported. */
export interface ReportedAction {
  /** The agent's own id of the action. */
  id: string;
  tool: string;
  request: ToolRequest;
  cwd: string;
}

/** A tool call in an agent's event stream. */
export interface StreamCall {
  /** The same for all events of one call. */
  id: string;
  /** For people. */
  what: string;
  /** Whether this action is the call. */
  isOf(action: ReportedAction): boolean;
  /** It may not have run: a refused action can be the call too. */
  failed?: boolean;
}

export interface TokenCount {
  /** Cached ones included. */
  input: number;
  cached: number;
  output: number;
}

export type StreamEvent =
  | { type: 'session'; id: string }
  /** Emitted once the call must have passed a hook. */
  | { type: 'called'; call: StreamCall }
  /** A message of the model; the last one is its answer. */
  | { type: 'said'; text: string }
  /** `total`: of the whole session, earlier runs included; otherwise to be added up. */
  | { type: 'used'; tokens: TokenCount; costUsd?: number; total: boolean }
  | { type: 'failed'; why: string }
  | { type: 'did'; line: string };

/** One start of an agent's program. */
export interface StartContext {
  /** A folder for this start only, with the files of `ProgramStart`. */
  home: string;
  /** A folder that stays for the same task and role. */
  kept: string;
  /** Undefined if the run is not guarded. */
  hooks: TimedHookCommand | undefined;
  /** GuardKit's tool server, if the role has tools. */
  tools: ToolsCommand | undefined;
  request: AgentRequest;
  /** With the answer's format. */
  prompt: string;
  session: string | undefined;
}

export interface ProgramStart {
  args: string[];
  env: Record<string, string>;
  /** Default: none. */
  input?: string;
  /** Files to write into the home folder, read-only for the agent. */
  files: Record<string, string>;
  /** Links in the home folder, with their targets, which the agent may write. */
  links?: Record<string, string>;
  /** Further paths that the agent may not see. */
  hidden?: string[];
}

/** What a failure means for the run, if it is not about the work. */
export type FailureMeaning = 'locked_out' | 'rate_limited' | 'session_gone';

/** A coding agent that runs as a program, reports its events as JSON lines and asks hooks before each action. */
export interface CliAgent {
  /** As in `enforcement/agents`; also the program's name. */
  readonly name: string;
  /** Its own sandbox confines its commands where GuardKit has none. */
  readonly confinesItself: boolean;
  /** How a person logs in. */
  readonly logIn: string;
  prepare(start: StartContext): ProgramStart;
  /** A reader of one event stream. */
  newReader(): (event: unknown) => StreamEvent[];
  explain(failure: string, exitCode: number | null): FailureMeaning | undefined;
  /** The name of a tool on GuardKit's tool server; undefined for other tools. */
  ownTool(tool: string): string | undefined;
}

/** Settings of a driver in the project's configuration. */
export interface CliAgentOptions {
  model?: string | undefined;
  /** Names of further variables for the agent, such as API keys. */
  env?: readonly string[] | undefined;
  /** USD per million tokens, for agents that do not report a cost. */
  price?: { input: number; cached_input?: number | undefined; output: number } | undefined;
}

/** The variables that exist, of those named. */
export function pickVariables(env: NodeJS.ProcessEnv, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const])),
  );
}
