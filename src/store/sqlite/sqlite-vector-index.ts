import type { EntityRegistry } from '../../domain/entities/entity-type.ts';
import type { VectorIndex } from '../embeddings/embeddings.ts';
import { type EpisodeRow, searchText } from '../read-episode.ts';
import { EPISODE_COLUMNS } from './list-query.ts';
import type { Database } from './open-database.ts';
import { StatementCache } from './statements.ts';

const CURRENT = 'episode e JOIN episode_group g ON g.id = e.group_id';

export class SqliteVectorIndex implements VectorIndex {
  readonly #database: Database;
  readonly #registry: EntityRegistry;
  readonly #statements: StatementCache;

  constructor(database: Database, registry: EntityRegistry) {
    this.#database = database;
    this.#registry = registry;
    this.#statements = new StatementCache(database);
  }

  async pending(model: string, after: number, limit: number): Promise<{ key: number; text: string }[]> {
    const rows = this.#statements
      .get<EpisodeRow & { seq: number }>(
        `SELECT e.seq, ${EPISODE_COLUMNS} FROM ${CURRENT} LEFT JOIN vector v ON v.seq = e.seq AND v.model = ?
         WHERE e.seq > ? AND e.expired_at IS NULL AND v.seq IS NULL ORDER BY e.seq LIMIT CAST(? AS INTEGER)`,
      )
      .all(model, after, limit);
    return rows.map((row) => ({ key: row.seq, text: searchText(row, this.#registry) }));
  }

  async lastKey(): Promise<number> {
    return this.#statements.keys('SELECT coalesce(max(seq), 0) FROM episode').get() ?? 0;
  }

  async save(model: string, vectors: readonly { key: number; vector: Float32Array }[]): Promise<void> {
    // The version may have been purged in the meantime.
    const insert = this.#database.prepare(
      'INSERT OR REPLACE INTO vector (seq, model, vector) SELECT seq, ?, ? FROM episode WHERE seq = ?',
    );
    this.#database
      .transaction(() => {
        for (const { key, vector } of vectors) {
          insert.run(model, Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength), key);
        }
      })
      .immediate();
  }

  async *scan(model: string, groups: readonly string[] | undefined, limit: number) {
    const restriction = groups ? `AND g.name IN (${groups.map(() => '?').join(', ')})` : '';
    const rows = this.#statements
      .get<{ seq: number; vector: Buffer }>(
        `SELECT e.seq, v.vector FROM ${CURRENT} JOIN vector v ON v.seq = e.seq AND v.model = ?
         WHERE e.expired_at IS NULL ${restriction} ORDER BY e.seq DESC LIMIT ?`,
      )
      .all(model, ...(groups ?? []), limit);
    for (const { seq, vector } of rows) yield { key: seq, vector: toFloats(vector) };
  }

  async counts(model: string): Promise<{ embedded: number; pending: number }> {
    const row = this.#statements
      .get<{ total: number; embedded: number }>(
        `SELECT count(*) AS total, count(v.seq) AS embedded
         FROM episode e LEFT JOIN vector v ON v.seq = e.seq AND v.model = ? WHERE e.expired_at IS NULL`,
      )
      .get(model);
    const embedded = row?.embedded ?? 0;
    return { embedded, pending: (row?.total ?? 0) - embedded };
  }
}

/** Copied, since a database buffer may not be aligned to four bytes. */
function toFloats(buffer: Buffer): Float32Array {
  return new Float32Array(new Uint8Array(buffer).buffer);
}
