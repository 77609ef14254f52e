import type { FileSearch } from './file-search.ts';

/** What a command does with a path. A mention is a path that is named without our knowing what is done with it. */
export type PathMode = 'read' | 'write' | 'delete' | 'mention';

export interface PathUse {
  /** Absolute, without `.` and `..`; a piece that is not known is `*`. Symbolic links are not followed. */
  path: string;
  mode: PathMode;
  /** The program, or the operator of a redirection. */
  by: string;
  /** The path is a pattern: it has an unresolved `*`, `?` or `[`. */
  glob: boolean;
  /** False where a piece of the path, or the folder that it starts from, is a guess. */
  exact: boolean;
  /** What the guess is about: a piece of the path that is not known, or the folder that it starts from. */
  guess?: 'piece' | 'place';
  /** The path stands for what a search finds. */
  search?: FileSearch;
  /** It fails on a folder that has something in it, as `rmdir` and `rm` without `-r` do. */
  shallow?: true;
  /** The file is left empty. */
  empties?: true;
}

export interface Invocation {
  /** Base name, wrappers taken off. */
  program: string;
  /** The words with the program first; `…` stands for what is not known. */
  argv: string[];
  /** sudo, env, nohup, timeout, xargs…, outermost first. */
  wrappers: string[];
  /** The assignments before it. */
  env: Record<string, string>;
  cwd: string;
  background: boolean;
  /** What it reads, where all of it is known. */
  stdin?: string;
  /** How many shells, substitutions and functions it is inside of. */
  depth: number;
  /** Every word is known. */
  exact: boolean;
}

export interface CommandAnalysis {
  /** All of it was read; otherwise the rest of this is what was found until then. */
  ok: boolean;
  /** Why part of it could not be told, each in words. */
  unclear: string[];
  invocations: Invocation[];
  uses: PathUse[];
  /** Something of it outlives it. */
  background: boolean;
  /**
   * The words and strings that may name something. What is only data (text for echo, a here-document for cat, a commit
   * message, a search pattern) is not among them, unless it goes on to something that cannot be followed.
   */
  literals: string[];
}

export interface AnalyseOptions {
  cwd: string;
  home: string;
  env?: Readonly<Record<string, string>>;
  /** The top folder of the repository, where the caller knows it: what `git rev-parse --show-toplevel` prints. */
  root?: string;
}
