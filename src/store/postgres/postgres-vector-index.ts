import type { EntityRegistry } from '../../domain/entities/entity-type.ts';
import type { VectorIndex } from '../embeddings/embeddings.ts';
import { searchText } from '../read-episode.ts';
import type { KeyedRow } from '../search/search-episodes.ts';
import { EPISODE_COLUMNS, FROM_EPISODES } from './list-query.ts';
import type { Session } from './postgres-database.ts';

/** Vectors per page: a few megabytes. */
const PAGE = 500;

export class PostgresVectorIndex implements VectorIndex {
  readonly #session: Session;
  readonly #registry: EntityRegistry;

  constructor(session: Session, registry: EntityRegistry) {
    this.#session = session;
    this.#registry = registry;
  }

  async pending(model: string, after: number, limit: number): Promise<{ key: number; text: string }[]> {
    const rows = await this.#session.query<KeyedRow>({
      text: `SELECT e.seq AS key, ${EPISODE_COLUMNS} FROM ${FROM_EPISODES}
             LEFT JOIN guardkit.vector v ON v.seq = e.seq AND v.model = ?
             WHERE e.seq > ? AND e.expired_at IS NULL AND v.seq IS NULL ORDER BY e.seq LIMIT ?`,
      values: [model, after, limit],
    });
    return rows.map((row) => ({ key: row.key, text: searchText(row, this.#registry) }));
  }

  async lastKey(): Promise<number> {
    const [row] = await this.#session.query<{ key: number }>({
      text: 'SELECT coalesce(max(seq), 0) AS key FROM guardkit.episode',
      values: [],
    });
    return row?.key ?? 0;
  }

  async save(model: string, vectors: readonly { key: number; vector: Float32Array }[]): Promise<void> {
    await this.#session.query({
      // The version may have been purged in the meantime.
      text: `INSERT INTO guardkit.vector (seq, model, vector)
             SELECT e.seq, ?, n.vector FROM unnest(?::bigint[], ?::bytea[]) AS n(seq, vector)
             JOIN guardkit.episode e ON e.seq = n.seq
             ON CONFLICT (seq) DO UPDATE SET model = excluded.model, vector = excluded.vector`,
      values: [
        model,
        vectors.map(({ key }) => key),
        vectors.map(({ vector }) => Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)),
      ],
    });
  }

  async *scan(model: string, groups: readonly string[] | undefined, limit: number) {
    const restriction = groups ? 'AND g.name = ANY(?::text[])' : '';
    let before = Number.MAX_SAFE_INTEGER;
    for (let left = limit; left > 0; left -= PAGE) {
      const rows = await this.#session.query<{ key: number; vector: Buffer }>({
        text: `SELECT e.seq AS key, v.vector FROM ${FROM_EPISODES}
               JOIN guardkit.vector v ON v.seq = e.seq AND v.model = ?
               WHERE e.expired_at IS NULL AND e.seq < ? ${restriction} ORDER BY e.seq DESC LIMIT ?`,
        values: [model, before, ...(groups ? [groups] : []), Math.min(PAGE, left)],
      });
      for (const { key, vector } of rows) {
        before = key;
        yield { key, vector: toFloats(vector) };
      }
      if (rows.length < PAGE) return;
    }
  }

  async counts(model: string): Promise<{ embedded: number; pending: number }> {
    const [row] = await this.#session.query<{ total: number; embedded: number }>({
      text: `SELECT count(*) AS total, count(v.seq) AS embedded FROM guardkit.episode e
             LEFT JOIN guardkit.vector v ON v.seq = e.seq AND v.model = ? WHERE e.expired_at IS NULL`,
      values: [model],
    });
    const embedded = row?.embedded ?? 0;
    return { embedded, pending: (row?.total ?? 0) - embedded };
  }
}

/** Copied, since a driver buffer may not be aligned to four bytes. */
function toFloats(buffer: Buffer): Float32Array {
  return new Float32Array(new Uint8Array(buffer).buffer);
}
