/** Path of the graph, relative to the project's root. */
export const GRAPH_PATH = '.maestro/knowledge.dot';

/** Its name in git's settings. */
export const MERGE_DRIVER = 'guardkit-knowledge';

/** The content of the file when it was read. */
export interface GraphText {
  text: string;
}

export type WriteResult = { ok: true } | { ok: false; why: 'changed' };

/** The file with the graph, wherever it is stored: on this machine, in a container, in a commit. */
export interface GraphFile {
  /** Name for messages. */
  readonly name: string;
  /** Runs work under the file's lock. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  /** Undefined if the file does not exist. */
  read(): Promise<GraphText | undefined>;
  /** Replaces the whole file, unless it changed since it was read. */
  write(text: string, basedOn: GraphText | undefined): Promise<WriteResult>;
  /** The paths, as written in nodes, that do not exist in the repository. */
  missing(paths: readonly string[]): Promise<ReadonlySet<string>>;
}

/** No file system allows longer paths. */
const MAX_PATH = 4096;

/** A node's `path` relative to the project's root, without a trailing line number or anchor. */
export function repositoryPath(path: string): string | 'pattern' | 'outside' {
  const bare = path
    .slice(0, MAX_PATH)
    .trim()
    .replace(/(?:#.*|:\d+(?:[-:]\d+)?)$/, '');
  if (/[*?[\]{}]/.test(bare)) return 'pattern';
  if (bare.includes('\0') || bare.startsWith('/') || /^[A-Za-z]:[\\/]/.test(bare)) return 'outside';
  return bare.split(/[\\/]/).includes('..') ? 'outside' : bare;
}
