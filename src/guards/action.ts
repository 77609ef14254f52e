import type { CommandAnalysis } from './command/analyse-command.ts';
import type { SearchExtent } from './command/file-search.ts';
import type { RealPath } from './real-path.ts';

/** Who acts. */
export interface Actor {
  /** The coding agent's program: `claude`, `codex`, `script`. */
  agent: string;
  session: string;
  /** The subagent's type, or the role it was started in; undefined for the agent that talks to the person. */
  type: string | undefined;
  /** Distinguishes subagents of the same type. */
  id: string | undefined;
}

/** A file as an action would leave it. */
export interface FileEffect {
  file: RealPath;
  effect: 'write' | 'delete';
  /** Current content; undefined if the file does not exist or is too large to judge. */
  before: string | undefined;
  /** New content; undefined if it cannot be determined. */
  after: string | undefined;
}

/** A path that a command uses, resolved as it would be when the command runs. */
export interface PathReach {
  file: RealPath;
  mode: 'read' | 'write' | 'delete' | 'mention';
  by: string;
  /** Contains a pattern, so it may stand for several files. */
  glob: boolean;
  /** Set if a piece of the path, or the folder it starts from, is a guess. */
  guess?: 'piece' | 'place' | undefined;
  /** The path stands for the results of a search in this real folder. */
  search?: { folder: string; extent: SearchExtent } | undefined;
  /** Does not remove non-empty folders. */
  shallow?: boolean | undefined;
  /** Empties the file. */
  empties?: boolean | undefined;
}

interface Common {
  actor: Actor;
  /** The agent's name for it. */
  tool: string;
  /** One line for people and records, without secrets. */
  summary: string;
}

export interface ReadAction extends Common {
  kind: 'read';
  files: readonly RealPath[];
  /** Whether whole files are read. */
  whole: boolean;
}

export interface EditAction extends Common {
  kind: 'edit';
  files: readonly FileEffect[];
  /** Why GuardKit cannot see all of its effect. */
  unseen?: string;
}

export interface CommandAction extends Common {
  kind: 'command';
  command: string;
  cwd: string;
  analysis: CommandAnalysis;
  reaches: readonly PathReach[];
  /** Whether it leaves processes running. */
  background: boolean;
  /** Why GuardKit cannot see all of its effect. */
  unseen?: string;
}

/** Another agent is started. */
export interface SpawnAction extends Common {
  kind: 'spawn';
  type: string;
}

/** Any other tool, such as one of an MCP server. */
export interface ToolAction extends Common {
  kind: 'tool';
  name: string;
  input: unknown;
  /** Files that its input names. */
  mentions: readonly RealPath[];
  /** Why GuardKit cannot see all of its effect. */
  unseen?: string;
}

/** An agent stops. */
export interface StopAction extends Common {
  kind: 'stop';
  of: 'session' | 'subagent';
  /** Paths in the project that changed since the agent started; undefined if not known. */
  changed: readonly string[] | undefined;
  /** Whether it was already sent back once. */
  again: boolean;
}

/** The agent's settings changed on disk and are about to take effect. */
export interface SettingsAction extends Common {
  kind: 'settings';
  file: RealPath | undefined;
}

/** An agent's tool call, normalised. */
export type Action =
  | ReadAction
  | EditAction
  | CommandAction
  | SpawnAction
  | ToolAction
  | StopAction
  | SettingsAction;

export type ActionKind = Action['kind'];
