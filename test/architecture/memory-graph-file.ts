import { GRAPH_PATH, type GraphFile, type GraphText } from '../../src/architecture/file/graph-file.ts';

/** A graph file in memory, as an example of a file that is not on this machine's disk. */
export class MemoryGraphFile implements GraphFile {
  readonly name = GRAPH_PATH;
  text: string | undefined;
  writes = 0;
  paths = new Set<string>();
  /** Called before each write, to simulate a concurrent change. */
  beforeWrite: () => void = () => {};

  constructor(text?: string) {
    this.text = text;
  }

  exclusively<T>(work: () => Promise<T>): Promise<T> {
    return work();
  }

  async read(): Promise<GraphText | undefined> {
    return this.text === undefined ? undefined : { text: this.text };
  }

  async write(text: string, basedOn: GraphText | undefined) {
    this.beforeWrite();
    if (this.text !== basedOn?.text) return { ok: false, why: 'changed' } as const;
    this.text = text;
    this.writes++;
    return { ok: true } as const;
  }

  async missing(paths: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set(paths.filter((path) => !this.paths.has(path)));
  }
}
