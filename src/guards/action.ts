import type { CommandAnalysis } from './command/analyse-command.ts';
import type { SearchExtent } from './command/file-search.ts';
import type { RealPath } from './real-path.ts';

/** Who acts. */
export interface Actor {
  /** The coding agent's program: `claude`, `codex`, `script`. */
  agent: string;
  session: string;
  /** The kind of the subagent, or the role it was started in; undefined for the one that talks to a person. */
  type: string | undefined;
  /** Of one subagent among several of its type. */
  id: string | undefined;
}

/** A file as an action would leave it. */
export interface FileEffect {
  file: RealPath;
  effect: 'write' | 'delete';
  /** What it holds now; undefined where there is no such file, or it is too large to judge. */
  before: string | undefined;
  /** What it would hold; undefined where that cannot be told. */
  after: string | undefined;
}

/** A path that a command names, as it would be resolved when it runs. */
export interface PathReach {
  file: RealPath;
  mode: 'read' | 'write' | 'delete' | 'mention';
  by: string;
  /** Has a pattern in it, so that it stands for more than one file. */
  glob: boolean;
  /** Not known for certain: a piece of the path is a guess, or the folder that it starts from. */
  guess?: 'piece' | 'place' | undefined;
  /** It stands for what a search in this real folder finds. */
  search?: { folder: string; extent: SearchExtent } | undefined;
  /** A folder with something in it stays. */
  shallow?: boolean | undefined;
  /** The file is left empty. */
  empties?: boolean | undefined;
}

interface Common {
  actor: Actor;
  /** As the agent calls it. */
  tool: string;
  /** One line for people and records, without secrets. */
  summary: string;
}

export interface ReadAction extends Common {
  kind: 'read';
  files: readonly RealPath[];
  /** Nothing narrows how much of it is read. */
  whole: boolean;
}

export interface EditAction extends Common {
  kind: 'edit';
  files: readonly FileEffect[];
}

export interface CommandAction extends Common {
  kind: 'command';
  command: string;
  cwd: string;
  analysis: CommandAnalysis;
  reaches: readonly PathReach[];
  /** Something of it goes on after it has ended. */
  background: boolean;
}

/** Another agent is started. */
export interface SpawnAction extends Common {
  kind: 'spawn';
  type: string;
}

/** Any tool that is none of the others, such as one of an MCP server. */
export interface ToolAction extends Common {
  kind: 'tool';
  name: string;
  input: unknown;
  /** Every text of its input that names a file. */
  mentions: readonly RealPath[];
}

/** An agent says that it is done. */
export interface StopAction extends Common {
  kind: 'stop';
  of: 'session' | 'subagent';
  /** Paths in the project that changed since it began; undefined where that cannot be told. */
  changed: readonly string[] | undefined;
  /** It was sent back before and stops again. */
  again: boolean;
}

/** The agent's own settings changed on disk and are about to hold. */
export interface SettingsAction extends Common {
  kind: 'settings';
  file: RealPath | undefined;
}

/** What an agent is about to do, whatever it calls its tool. */
export type Action =
  | ReadAction
  | EditAction
  | CommandAction
  | SpawnAction
  | ToolAction
  | StopAction
  | SettingsAction;

export type ActionKind = Action['kind'];
