import type { SearchFilter } from '../search/search-index.ts';
import type { EmbeddingClient } from './embedding-client.ts';

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

const BATCH = 32;
/** A person waits for a search; vectors that come later than this are not worth waiting for. */
const QUERY_TIMEOUT_MS = 500;
/** After an endpoint failed a search, searches leave it alone for so long. */
const REST_MS = 30_000;
/** Comparing more than this takes longer than the lexical search that it refines. */
const MAX_COMPARED = 20_000;
const MIN_SIMILARITY = 0.25;
const MAX_SIMILAR = 200;
/** How long a closing store waits for vectors under way; the rest is made next time. */
const CLOSE_GRACE_MS = 1000;

/** Makes vectors after writes and compares them at searches. Whatever its endpoint does, writes and searches go on. */
export class Embeddings {
  readonly model: string;
  readonly #client: EmbeddingClient;
  readonly #index: VectorIndex;
  #running: Promise<void> | undefined;
  #again = false;
  #closed = false;
  #restingUntil = 0;
  /** Up to this key all is done, so that a write does not look through everything again. */
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
        // A turn of the event loop first: the writer gets its answer before any of this begins.
        await new Promise((resolve) => setImmediate(resolve));
        await this.embedPending();
      } while (this.#again && !this.#closed);
    } catch {
      // Safe: what has no vector yet is found again by the next run; `status` counts it and `embed` tells the reason.
    }
  }

  /** Makes every vector that is missing, and says how many it made. */
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

  /** The episodes nearest in meaning to a query; undefined if the endpoint did not answer in time. */
  async similarities(
    query: string,
    groups: readonly string[] | undefined,
    filter: SearchFilter | undefined,
  ): Promise<ReadonlyMap<number, number> | undefined> {
    if (Date.now() < this.#restingUntil) return undefined;
    let asked: Float32Array | undefined;
    try {
      [asked] = await this.#client.embed([query], QUERY_TIMEOUT_MS);
    } catch {
      // Safe: the search is answered by words alone, and `embed` tells the reason.
      this.#restingUntil = Date.now() + REST_MS;
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

/** Both have length 1, so this is the cosine; other models' vectors have other lengths and compare as nothing. */
function dot(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) return 0;
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += (a[index] ?? 0) * (b[index] ?? 0);
  return sum;
}
