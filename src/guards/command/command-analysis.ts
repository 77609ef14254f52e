import type { FileSearch } from './file-search.ts';

/** What a command does with a path. `mention`: the command names it, and its effect is not known. */
export type PathMode = 'read' | 'write' | 'delete' | 'mention';

export interface PathUse {
  /** Absolute, without `.` and `..`; an unknown piece is `*`. Symbolic links are not followed. */
  path: string;
  mode: PathMode;
  /** The program, or the operator of a redirection. */
  by: string;
  /** The path is a pattern: it has an unresolved `*`, `?` or `[`. */
  glob: boolean;
  /** False if a piece of the path, or the folder it starts from, is a guess. */
  exact: boolean;
  /** What is guessed: a piece of the path, or the folder it starts from. */
  guess?: 'piece' | 'place';
  /** The path stands for the results of a search. */
  search?: FileSearch;
  /** Fails on a non-empty folder, as `rmdir` and `rm` without `-r` do. */
  shallow?: true;
  /** Empties the file. */
  empties?: true;
}

export interface Invocation {
  /** Base name, without wrappers. */
  program: string;
  /** The words, starting with the program; `…` stands for unknown text. */
  argv: string[];
  /** sudo, env, nohup, timeout, xargs…, outermost first. */
  wrappers: string[];
  /** The assignments before it. */
  env: Record<string, string>;
  cwd: string;
  background: boolean;
  /** Its input, if completely known. */
  stdin?: string;
  /** Number of enclosing shells, substitutions and functions. */
  depth: number;
  /** Every word is known. */
  exact: boolean;
}

export interface CommandAnalysis {
  /** Whether the analysis is complete; otherwise the other fields are partial. */
  ok: boolean;
  /** Why parts of the command could not be followed. */
  unclear: string[];
  invocations: Invocation[];
  uses: PathUse[];
  /** Whether it leaves processes running. */
  background: boolean;
  /** Programs that run what is typed into them. */
  typed: string[];
  /**
   * The words and strings that may name something. Excludes pure data (text for echo, a here-document for cat, a commit
   * message, a search pattern), unless it is passed to something that cannot be followed.
   */
  literals: string[];
}

export interface AnalyseOptions {
  cwd: string;
  home: string;
  env?: Readonly<Record<string, string>>;
  /** The root of the repository, as printed by `git rev-parse --show-toplevel`, if known. */
  root?: string;
}
