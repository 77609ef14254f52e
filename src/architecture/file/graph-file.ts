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
