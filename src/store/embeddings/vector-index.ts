/** What a backend offers to vector search; keys are those of the lexical index. */
export interface VectorIndex {
  /** Current episodes beyond a key that have no vector of this model yet, oldest first. */
  pending(model: string, after: number, limit: number): Promise<{ key: number; text: string }[]>;
  /** The newest key in use. */
  lastKey(): Promise<number>;
  save(model: string, vectors: readonly { key: number; vector: Float32Array }[]): Promise<void>;
  /** Vectors of current episodes of these groups (all, if undefined), newest first. */
  scan(
    model: string,
    groups: readonly string[] | undefined,
    limit: number,
  ): AsyncIterable<{ key: number; vector: Float32Array }>;
  counts(model: string): Promise<{ embedded: number; pending: number }>;
}
