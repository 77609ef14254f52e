/** Where the graph of a project is kept, from its root. */
export const GRAPH_PATH = '.maestro/knowledge.dot';

/** A file as it was read. */
export interface GraphText {
  text: string;
}

export type WriteResult = { ok: true } | { ok: false; why: 'changed' };

/** The one file that holds a graph, wherever it lies: on this machine, in a container, in a commit. */
export interface GraphFile {
  /** What messages call it. */
  readonly name: string;
  /** Runs something while nobody else who asks for it does. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  /** Undefined where there is no file. */
  read(): Promise<GraphText | undefined>;
  /** Replaces the file as a whole, unless it is no longer what was read. */
  write(text: string, basedOn: GraphText | undefined): Promise<WriteResult>;
  /** Which of these paths, as nodes give them, the repository does not have. */
  missing(paths: readonly string[]): Promise<ReadonlySet<string>>;
}

/** No file system has longer ones. */
const MAX_PATH = 4096;

/** The path below the project's root that a node's `path` means: without a line or an anchor at its end. */
export function repositoryPath(path: string): string | 'pattern' | 'outside' {
  const bare = path
    .slice(0, MAX_PATH)
    .trim()
    .replace(/(?:#.*|:\d+(?:[-:]\d+)?)$/, '');
  if (/[*?[\]{}]/.test(bare)) return 'pattern';
  if (bare.includes('\0') || bare.startsWith('/') || /^[A-Za-z]:[\\/]/.test(bare)) return 'outside';
  return bare.split(/[\\/]/).includes('..') ? 'outside' : bare;
}
