import type { SearchFilter } from '../search/search-index.ts';
import type { EmbeddingClient } from './embedding-client.ts';

/** A backend's part of vector search. Keys are those of the lexical index. */
export interface VectorIndex {
  /** Current episodes after a key that have no vector of this model yet, oldest first. */
  pending(model: string, after: number, limit: number): Promise<{ key: number; text: string }[]>;
  /** The highest key in use. */
  lastKey(): Promise<number>;
  save(model: string, vectors: readonly { key: number; vector: Float32Array }[]): Promise<void>;
  /** Vectors of current episodes in these groups (default: all), newest first. */
  scan(
    model: string,
    groups: readonly string[] | undefined,
    limit: number,
  ): AsyncIterable<{ key: number; vector: Float32Array }>;
  counts(model: string): Promise<{ embedded: number; pending: number }>;
}

const BATCH = 32;
/** A person waits for a search; later vectors are not worth the wait. */
const QUERY_TIMEOUT_MS = 500;
/** How long searches skip an endpoint after it failed. */
const PAUSE_MS = 30_000;
/** Comparing more than this takes longer than the lexical search itself. */
const MAX_COMPARED = 20_000;
const MIN_SIMILARITY = 0.25;
const MAX_SIMILAR = 200;
/** How long closing waits for vectors in progress; the rest is done next time. */
const CLOSE_GRACE_MS = 1000;

/**
 * Creates vectors after writes and compares them in searches. Failures of the endpoint never stop writes or searches.
 */
export class Embeddings {
  readonly model: string;
  readonly #client: EmbeddingClient;
  readonly #index: VectorIndex;
  #running: Promise<void> | undefined;
  #again = false;
  #closed = false;
  #pausedUntil = 0;
  /** Everything up to this key is done, so that a write does not scan everything again. */
  #doneUpTo = 0;

  constructor(client: EmbeddingClient, index: VectorIndex) {
    this.model = client.model;
    this.#client = client;
    this.#index = index;
  }

  /** Called after a write; returns at once. */
  notify(): void {
    if (this.#closed) return;
    if (this.#running) {
      this.#again = true;
      return;
    }
    this.#running = this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  async #run(): Promise<void> {
    try {
      do {
        this.#again = false;
        // Yield to the event loop first, so that the writer gets its answer before this starts.
        await new Promise((resolve) => setImmediate(resolve));
        await this.embedPending();
      } while (this.#again && !this.#closed);
    } catch {
      // Safe: the next run finds missing vectors again; `status` counts them and `embed` reports the reason.
    }
  }

  /** Creates all missing vectors and returns their number. */
  async embedPending(): Promise<number> {
    let made = 0;
    while (!this.#closed) {
      const lastKey = await this.#index.lastKey();
      const pending = await this.#index.pending(this.model, this.#doneUpTo, BATCH);
      if (pending.length === 0) {
        this.#doneUpTo = Math.max(this.#doneUpTo, lastKey);
        break;
      }
      const vectors = await this.#client.embed(pending.map(({ text }) => text));
      if (this.#closed) break;
      await this.#index.save(
        this.model,
        pending.flatMap(({ key }, position) => {
          const vector = vectors[position];
          return vector ? [{ key, vector }] : [];
        }),
      );
      this.#doneUpTo = Math.max(this.#doneUpTo, ...pending.map(({ key }) => key));
      made += pending.length;
    }
    return made;
  }

  /** The episodes closest in meaning to a query; undefined if the endpoint did not answer in time. */
  async similarities(
    query: string,
    groups: readonly string[] | undefined,
    filter: SearchFilter | undefined,
  ): Promise<ReadonlyMap<number, number> | undefined> {
    if (Date.now() < this.#pausedUntil) return undefined;
    let asked: Float32Array | undefined;
    try {
      [asked] = await this.#client.embed([query], QUERY_TIMEOUT_MS);
    } catch {
      // Safe: the search uses words alone, and `embed` reports the reason.
      this.#pausedUntil = Date.now() + PAUSE_MS;
    }
    if (!asked) return undefined;
    const near: [number, number][] = [];
    for await (const { key, vector } of this.#index.scan(this.model, groups, MAX_COMPARED)) {
      const similarity = dot(asked, vector);
      if (similarity >= MIN_SIMILARITY) near.push([key, similarity]);
    }
    const fitting = filter && new Set(await filter.among(near.map(([key]) => key)));
    return new Map(
      near
        .filter(([key]) => !fitting || fitting.has(key))
        .sort((a, b) => b[1] - a[1])
        .slice(0, MAX_SIMILAR),
    );
  }

  async close(): Promise<void> {
    if (this.#running) {
      let timer: NodeJS.Timeout | undefined;
      const grace = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, CLOSE_GRACE_MS);
      });
      await Promise.race([this.#running, grace]);
      clearTimeout(timer);
    }
    this.#closed = true;
  }
}

/** Both are unit vectors, so this is the cosine. Vectors of other models differ in length and score 0. */
function dot(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) return 0;
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += (a[index] ?? 0) * (b[index] ?? 0);
  return sum;
}
