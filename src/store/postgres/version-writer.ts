import { randomUUID } from 'node:crypto';
import { parseTimestamp } from '../../domain/timestamp.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import type { Clock } from '../../platform/clock.ts';
import type { RelationInput, StreamPosition, UpsertResult } from '../episode-store.ts';
import type { PreparedEpisode } from '../prepare-episode.ts';
import type { GroupIds } from './group-ids.ts';
import type { PostgresDatabase, Session } from './postgres-database.ts';
import { type EntityKey, entityKey, readState, VersionBatch } from './version-batch.ts';
import { fitsOneStatement, writeBatch } from './write-batch.ts';
import { ALL_BUCKETS, beginLocked, buckets } from './write-locks.ts';

const PURGE_CHUNK = 5000;

/** Writes versions with everything derived from them. */
export class VersionWriter {
  readonly #database: PostgresDatabase;
  readonly #groups: GroupIds;
  readonly #clock: Clock;

  constructor(database: PostgresDatabase, groups: GroupIds, clock: Clock) {
    this.#database = database;
    this.#groups = groups;
    this.#clock = clock;
  }

  /** All or none; undefined if the stream was already past this number. */
  async upsert(
    prepared: readonly PreparedEpisode[],
    once?: StreamPosition,
  ): Promise<UpsertResult[] | undefined> {
    const groupIds = await this.#groups.findOrCreateAll([...new Set(prepared.map(({ group }) => group))]);
    const work = prepared.map((episode) => ({ episode, entity: entityKey(episode, groupIds) }));
    const locks = buckets(work.map(({ entity }) => entity));
    if (!once && fitsOneStatement(prepared)) {
      const results = await this.#upsertAtOnce(work, locks);
      if (results) return results;
    }
    const results = await this.#database.transaction(async (session) => {
      if (once && !(await moveStream(session, once))) return undefined;
      return this.#upsertAfterReading(session, work, locks);
    }, beginLocked(locks));
    await refreshStatistics(this.#database, prepared.length);
    return results;
  }

  /** In a single statement; undefined if another process wrote between reading and writing. */
  async #upsertAtOnce(
    work: readonly { episode: PreparedEpisode; entity: EntityKey }[],
    locks: readonly number[],
  ): Promise<UpsertResult[] | undefined> {
    try {
      return await this.#upsertAfterReading(this.#database, work, locks);
    } catch (error) {
      if (error instanceof GuardKitError && error.code === 'store.conflict') return undefined;
      throw error;
    }
  }

  async #upsertAfterReading(
    session: Session,
    work: readonly { episode: PreparedEpisode; entity: EntityKey }[],
    locks: readonly number[],
  ): Promise<UpsertResult[]> {
    const batch = new VersionBatch();
    await readState(
      session,
      batch,
      work.map(({ entity }) => entity),
    );
    const results = work.map(({ episode, entity }) => batch.upsert(episode, entity, this.#clock()));
    if (batch.isEmpty) return results;
    const closed = await writeBatch(session, batch, locks);
    const missed = new Set(batch.closes.map(({ uuid }) => uuid).filter((uuid) => !closed.has(uuid)));
    // Another process deleted that version in the meantime, so this call replaced nothing.
    return results.map((result) =>
      result.previousUuid && missed.has(result.previousUuid)
        ? { action: 'created', uuid: result.uuid }
        : result,
    );
  }

  /** Closes an entity without a successor; false if there was none. */
  async delete(group: string, entityId: string): Promise<boolean> {
    const groupId = await this.#groups.find(group);
    if (groupId === undefined) return false;
    const entity = { groupId, entityId };
    return this.#database.transaction(
      async (session) => {
        const batch = new VersionBatch();
        await readState(session, batch, [entity]);
        const deleted = batch.delete(entity, this.#clock());
        if (deleted) await writeBatch(session, batch, []);
        return deleted;
      },
      beginLocked(buckets([entity])),
    );
  }

  /** Deletes every version of a group permanently. */
  async purge(group: string): Promise<number> {
    const groupId = await this.#groups.find(group);
    if (groupId === undefined) return 0;
    return this.#database.transaction(async (session) => {
      let purged = 0;
      let count: number;
      do {
        count = await purgeSome(session, groupId);
        purged += count;
      } while (count > 0);
      return purged;
    }, beginLocked(ALL_BUCKETS));
  }

  /** False if an equal open edge exists. */
  async relate({ from, relation, to, valid_at }: RelationInput): Promise<boolean> {
    const now = this.#clock();
    const validAt = valid_at === undefined ? now : Date.parse(parseTimestamp(valid_at));
    const rows = await this.#database.query({
      text: `INSERT INTO guardkit.edge (uuid, from_scope, from_id, relation, to_scope, to_id, valid_at, created_at)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING seq`,
      values: [randomUUID(), from.scope, from.id, relation, to.scope, to.id, validAt, now],
    });
    return rows.length > 0;
  }
}

/** False if the stream is at or past this number. Its row stays locked until the transaction ends. */
async function moveStream(session: Session, { stream, number, hash }: StreamPosition): Promise<boolean> {
  const rows = await session.query({
    text: `WITH moved AS (
             INSERT INTO guardkit.stream_position AS p (stream, number) VALUES (?, ?)
             ON CONFLICT (stream) DO UPDATE SET number = excluded.number WHERE p.number < excluded.number
             RETURNING p.stream, p.number
           ), anchored AS (
             INSERT INTO guardkit.ledger_anchor (stream, number, hash)
             SELECT moved.stream, moved.number, given.hash FROM moved, (SELECT ?::text AS hash) AS given
             WHERE given.hash IS NOT NULL ON CONFLICT DO NOTHING
           )
           SELECT number FROM moved`,
    values: [stream, number, hash ?? null],
  });
  return rows.length > 0;
}

/** In chunks, each well within the statement timeout. */
async function purgeSome(session: Session, groupId: number): Promise<number> {
  const [row] = await session.query<{ count: number }>({
    text: `WITH gone AS (
             DELETE FROM guardkit.episode WHERE seq IN (
               SELECT seq FROM guardkit.episode WHERE group_id = ? ORDER BY seq LIMIT ${PURGE_CHUNK})
             RETURNING seq
           ), relation AS (DELETE FROM guardkit.declared_edge USING gone WHERE declared_edge.seq = gone.seq
           ), field AS (DELETE FROM guardkit.episode_field USING gone WHERE episode_field.seq = gone.seq
           ), document AS (DELETE FROM guardkit.search_current USING gone WHERE search_current.seq = gone.seq
           ), past AS (DELETE FROM guardkit.search_past USING gone WHERE search_past.seq = gone.seq)
           SELECT count(*) AS count FROM gone`,
    values: [groupId],
  });
  return row?.count ?? 0;
}

/** Fewer rows do not affect query plans. */
const MANY = 1000;

/**
 * Updates the server's statistics after a large write. The server would do so itself a minute later; until then it
 * would treat every term as rare.
 */
export async function refreshStatistics(session: Session, written: number): Promise<void> {
  if (written < MANY) return;
  try {
    await session.query({
      text: 'ANALYZE guardkit.search_current, guardkit.episode, guardkit.episode_field, guardkit.declared_edge',
      values: [],
    });
  } catch {
    // Safe: the data is written, and searches are correct without it.
  }
}
