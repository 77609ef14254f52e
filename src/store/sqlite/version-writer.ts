import { ENTITY_REGISTRY } from '../../domain/entities/entity-types.ts';
import type { UpsertResult } from '../episode-store.ts';
import {
  type ClosedVersion,
  type CurrentVersion,
  closeVersion,
  planUpsert,
  type VersionPlan,
  type VersionTimes,
} from '../plan-version.ts';
import type { PreparedEpisode } from '../prepare-episode.ts';
import type { DocumentTerms } from '../search/analyze.ts';
import type { GroupIds } from './group-ids.ts';
import type { Database } from './open-database.ts';
import { StatementCache } from './statements.ts';
import { fieldsJson, relationsJson } from './version-fields.ts';

interface CurrentRow extends CurrentVersion {
  seq: number;
}

interface KnownRow {
  seq: number;
  expiredAt: number | null;
  groupId: number;
  entityId: string;
}

const VERSION_COLUMNS =
  'seq, uuid, content_hash AS contentHash, valid_at AS validAt, invalid_at AS invalidAt, created_at AS createdAt, expired_at AS expiredAt';

/** Never reuses a number, since the indexes that follow the writes go by number. */
const NEXT_SEQ = '(SELECT max(coalesce((SELECT max(seq) FROM episode), 0), purged) + 1 FROM index_state)';

const INSERT = `INSERT INTO episode (seq, uuid, group_id, entity_id, entity_type, name, body, source, content_hash,
     valid_at, invalid_at, created_at, expired_at, relations, fields)
   VALUES (${NEXT_SEQ}, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

const FIELDS_AT_ONCE = 20;
const MARKS = '(?,?,?),';

/** Writes versions with everything derived from them. All but `upsertAtOnce` run inside a transaction. */
export class VersionWriter {
  readonly #database: Database;
  readonly #groups: GroupIds;
  readonly #current;
  readonly #close;
  readonly #insert;
  readonly #insertFirst;
  readonly #statements: StatementCache;
  readonly #toIndex;
  readonly #saveTerms;
  readonly #seqOf;
  /** Whether the last single write created an entity: the next is likely to be of the same kind. */
  #newExpected = true;

  constructor(database: Database, groups: GroupIds) {
    this.#database = database;
    this.#groups = groups;
    this.#statements = new StatementCache(database);
    this.#current = database.prepare<[number, string], CurrentRow>(
      `SELECT ${VERSION_COLUMNS} FROM episode WHERE group_id = ? AND entity_id = ? AND version_key = 0`,
    );
    this.#seqOf = database.prepare<[string], KnownRow>(
      'SELECT seq, expired_at AS expiredAt, group_id AS groupId, entity_id AS entityId FROM episode WHERE uuid = ?',
    );
    this.#close = database.prepare('UPDATE episode SET invalid_at = ?, expired_at = ? WHERE seq = ?');
    this.#insert = database.prepare(INSERT);
    this.#insertFirst = database.prepare(
      `${INSERT} ON CONFLICT (group_id, entity_id, version_key) DO NOTHING`,
    );
    this.#saveTerms = database.prepare(
      'INSERT INTO search_terms (seq, head, text, indexed) VALUES (?, ?, ?, 0)',
    );
    this.#toIndex = database.prepare('INSERT OR IGNORE INTO search_pending (seq) VALUES (?)');
  }

  current(groupId: number, entityId: string): CurrentRow | undefined {
    return this.#current.get(groupId, entityId);
  }

  known(uuid: string): KnownRow | undefined {
    return this.#seqOf.get(uuid);
  }

  /**
   * An upsert in one statement, which is its own transaction and costs half as much. Undefined if it needs more than
   * one; then nothing was written.
   */
  upsertAtOnce(prepared: PreparedEpisode, now: number): UpsertResult | undefined {
    const groupId = this.#groups.find(prepared.group);
    if (groupId === undefined) return undefined;
    // Reading first would slow down new entities, and the insert detects conflicts anyway. Not for a given `valid_at`,
    // which is checked only when something is written.
    const created =
      this.#newExpected && prepared.validAt === undefined
        ? this.#insertAtOnce(prepared, groupId, planUpsert(prepared, undefined, now))
        : undefined;
    if (created) return created;
    const current = this.current(groupId, prepared.entityId);
    this.#newExpected = current === undefined;
    const plan = planUpsert(prepared, current, now);
    if (plan.type === 'unchanged') return { action: 'unchanged', uuid: plan.uuid };
    return this.#insertAtOnce(prepared, groupId, plan);
  }

  #insertAtOnce(prepared: PreparedEpisode, groupId: number, plan: VersionPlan): UpsertResult | undefined {
    if (plan.type !== 'create' || !ENTITY_REGISTRY.has(prepared.entityType)) return undefined;
    const fields = fieldsJson(prepared.fields);
    if (fields === undefined) return undefined;
    const { uuid } = plan.version;
    const { changes } = this.#insertFirst.run(...cells(prepared, groupId, uuid, plan.version), fields);
    // It exists, or another process was faster.
    return changes > 0 ? { action: 'created', uuid } : undefined;
  }

  upsert(prepared: PreparedEpisode, now: number): UpsertResult {
    const groupId = this.#groups.findOrCreate(prepared.group);
    const plan = planUpsert(prepared, this.current(groupId, prepared.entityId), now);
    switch (plan.type) {
      case 'unchanged':
        return { action: 'unchanged', uuid: plan.uuid };
      case 'create':
        this.insert(prepared, plan.version.uuid, plan.version);
        return { action: 'created', uuid: plan.version.uuid };
      case 'update':
        this.close(plan.close);
        this.insert(prepared, plan.version.uuid, plan.version);
        return { action: 'updated', uuid: plan.version.uuid, previousUuid: plan.close.uuid };
    }
  }

  insert(prepared: PreparedEpisode, uuid: string, times: VersionTimes): void {
    const groupId = this.#groups.findOrCreate(prepared.group);
    const fields = fieldsJson(prepared.fields);
    const row = cells(prepared, groupId, uuid, times);
    const { lastInsertRowid: seq } = this.#insert.run(...row, fields ?? null);
    if (fields === undefined) this.#insertFields(Number(seq), prepared.fields);
    // Programs without this entity type cannot produce its text, so store the terms.
    if (!ENTITY_REGISTRY.has(prepared.entityType)) this.#saveTerms.run(seq, ...joined(prepared.findTerms()));
  }

  /** Several per statement, since a statement costs more than a row. */
  #insertFields(seq: number, fields: PreparedEpisode['fields']): void {
    for (let start = 0; start < fields.length; start += FIELDS_AT_ONCE) {
      const some =
        start === 0 && fields.length <= FIELDS_AT_ONCE ? fields : fields.slice(start, start + FIELDS_AT_ONCE);
      const values: (string | number)[] = [];
      for (const { field, value } of some) values.push(seq, field, value);
      const marks = MARKS.repeat(some.length).slice(0, -1);
      this.#statements
        .get(`INSERT OR IGNORE INTO episode_field (seq, field, value) VALUES ${marks}`)
        .run(...values);
    }
  }

  close({ uuid, invalidAt, expiredAt }: ClosedVersion): void {
    const row = this.#seqOf.get(uuid);
    if (!row) return;
    this.#close.run(invalidAt, expiredAt, row.seq);
    this.#toIndex.run(row.seq);
  }

  /** Closes an entity without a successor. */
  delete(group: string, entityId: string, now: number): boolean {
    const groupId = this.#groups.find(group);
    const current = groupId === undefined ? undefined : this.current(groupId, entityId);
    if (!current) return false;
    this.close(closeVersion(current, now, now));
    return true;
  }

  /** Deletes every version of a group permanently. */
  purge(group: string): number {
    const groupId = this.#groups.find(group);
    if (groupId === undefined) return 0;
    for (const sql of [
      `UPDATE index_state SET purged =
         max(purged, (SELECT coalesce(max(seq), 0) FROM episode WHERE group_id = ?))`,
      'DELETE FROM search_current WHERE rowid IN (SELECT seq FROM episode WHERE group_id = ?)',
      'DELETE FROM search_past WHERE rowid IN (SELECT seq FROM episode WHERE group_id = ?)',
      'DELETE FROM field_value WHERE group_id = ?',
      'DELETE FROM episode_field WHERE seq IN (SELECT seq FROM episode WHERE group_id = ?)',
    ]) {
      this.#database.prepare(sql).run(groupId);
    }
    return this.#database.prepare('DELETE FROM episode WHERE group_id = ?').run(groupId).changes;
  }
}

/** In column order, without the fields. */
function cells(prepared: PreparedEpisode, groupId: number, uuid: string, times: VersionTimes) {
  return [
    uuid,
    groupId,
    prepared.entityId,
    prepared.entityType,
    prepared.name,
    prepared.bodyJson,
    prepared.source,
    prepared.contentHash,
    times.validAt,
    times.invalidAt,
    times.createdAt,
    times.expiredAt,
    relationsJson(prepared),
  ];
}

function joined({ head, text }: DocumentTerms): [string, string] {
  return [head.join(' '), text.join(' ')];
}

/** False if this delivery of the stream, or a later one, was already applied. Call inside a transaction. */
export function advanceStream(statements: StatementCache, stream: string, number: number): boolean {
  const { changes } = statements
    .get(
      `INSERT INTO stream_position (stream, number) VALUES (?, ?)
       ON CONFLICT (stream) DO UPDATE SET number = excluded.number WHERE number < excluded.number`,
    )
    .run(stream, number);
  return changes > 0;
}
