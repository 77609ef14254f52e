import type { ClosedVersion } from '../plan-version.ts';
import type { PreparedEpisode } from '../prepare-episode.ts';
import { encodeRows, type Session } from './postgres-database.ts';
import type { PlannedVersion, VersionBatch } from './version-batch.ts';
import { LOCK_CLASS } from './write-locks.ts';

/** Limits of one statement; larger batches take several, inside a transaction. */
const MAX_VERSIONS = 250;
const MAX_CHARACTERS = 8_000_000;
const MAX_TERM_BYTES = 1_000_000;

/**
 * Writes a whole batch in one statement. Each part waits for the parts it depends on by counting their rows: the locks
 * are taken first, and the old version is closed before the new one takes its place. If another process has taken it
 * since the batch was planned, the unique index refuses and nothing is written.
 */
const WRITE = `
WITH locked AS MATERIALIZED (
  SELECT pg_advisory_xact_lock(${LOCK_CLASS}, bucket) FROM unnest($1::integer[]) AS bucket
), closed AS (
  UPDATE guardkit.episode e SET invalid_at = c.invalid_at, expired_at = c.expired_at
  FROM json_to_recordset($2::json) AS c(uuid text, invalid_at bigint, expired_at bigint)
  WHERE e.uuid = c.uuid AND e.expired_at IS NULL AND (SELECT count(*) FROM locked) >= 0
  RETURNING e.seq, e.uuid
), moved AS (
  DELETE FROM guardkit.search_current s USING closed WHERE s.seq = closed.seq
  RETURNING s.seq, s.group_id, s.terms
), moved_in AS (
  INSERT INTO guardkit.search_past (seq, group_id, terms) SELECT * FROM moved
), version AS MATERIALIZED (
  SELECT nextval('guardkit.episode_seq') AS seq, v.*
  FROM json_to_recordset($3::json) AS v(position integer, uuid text, group_id integer, entity_id text,
    entity_type text, name text, body text, source text, content_hash text, valid_at bigint, invalid_at bigint,
    created_at bigint, expired_at bigint, head_terms text, text_terms text, terms text)
  WHERE (SELECT count(*) FROM closed) >= 0 AND (SELECT count(*) FROM locked) >= 0
), added AS (
  INSERT INTO guardkit.episode (seq, uuid, group_id, entity_id, entity_type, name, body, source, content_hash,
    valid_at, invalid_at, created_at, expired_at, head_terms, text_terms)
  SELECT seq, uuid, group_id, entity_id, entity_type, name, body, source, content_hash,
    valid_at, invalid_at, created_at, expired_at, head_terms, text_terms FROM version
), field AS (
  INSERT INTO guardkit.episode_field (group_id, field, text, number, seq)
  SELECT version.group_id, f.field, f.text, f.number, version.seq
  FROM json_to_recordset($4::json) AS f(position integer, field text, text text, number double precision)
  JOIN version ON version.position = f.position
), document AS (
  INSERT INTO guardkit.search_current (seq, group_id, terms)
  SELECT seq, group_id, array_to_tsvector(string_to_array(terms, ' ')) FROM version WHERE expired_at IS NULL
), past_document AS (
  INSERT INTO guardkit.search_past (seq, group_id, terms)
  SELECT seq, group_id, array_to_tsvector(string_to_array(terms, ' ')) FROM version WHERE expired_at IS NOT NULL
), relation AS (
  INSERT INTO guardkit.declared_edge (seq, relation, from_scope, from_id, to_scope, to_id)
  SELECT version.seq, r.relation, r.scope, version.entity_id, r.scope, r.target
  FROM json_to_recordset($5::json) AS r(position integer, relation text, scope text, target text)
  JOIN version ON version.position = r.position
)
SELECT uuid FROM closed`;

/** Whether one statement writes all of them, so that no transaction is needed. */
export function fitsOneStatement(episodes: readonly PreparedEpisode[]): boolean {
  return chunks(episodes, ({ bodyJson }) => bodyJson.length).length <= 1;
}

/** Writes a batch under these locks, and returns the stored versions that it closed. */
export async function writeBatch(
  session: Session,
  batch: VersionBatch,
  locks: readonly number[],
): Promise<ReadonlySet<string>> {
  const closed = new Set<string>();
  const [first = [], ...rest] = chunks(batch.inserts, ({ prepared }) => prepared.bodyJson.length);
  // All closes come first, so that the remaining chunks cannot conflict with them.
  for (const { uuid } of await writeChunk(session, first, batch.closes, locks)) closed.add(uuid);
  for (const chunk of rest) await writeChunk(session, chunk, [], []);
  return closed;
}

function writeChunk(
  session: Session,
  versions: readonly PlannedVersion[],
  closes: readonly ClosedVersion[],
  locks: readonly number[],
): Promise<{ uuid: string }[]> {
  return session.query<{ uuid: string }>({
    name: 'guardkit-write',
    text: WRITE,
    values: [
      locks,
      encodeRows(closes.map(closeRow)),
      encodeRows(versions.map(versionRow)),
      encodeRows(versions.flatMap(fieldRows)),
      encodeRows(versions.flatMap(relationRows)),
    ],
  });
}

function chunks<Item>(items: readonly Item[], characters: (item: Item) => number): Item[][] {
  const found: Item[][] = [];
  let room = 0;
  for (const item of items) {
    const chunk = found.at(-1);
    room -= characters(item);
    if (chunk && chunk.length < MAX_VERSIONS && room >= 0) {
      chunk.push(item);
    } else {
      found.push([item]);
      room = MAX_CHARACTERS - characters(item);
    }
  }
  return found;
}

function closeRow({ uuid, invalidAt, expiredAt }: ClosedVersion) {
  return { uuid, invalid_at: invalidAt, expired_at: expiredAt };
}

function versionRow({ uuid, groupId, prepared, times }: PlannedVersion, position: number) {
  const { head, text } = prepared.findTerms();
  return {
    position,
    uuid,
    group_id: groupId,
    entity_id: prepared.entityId,
    entity_type: prepared.entityType,
    name: prepared.name,
    body: prepared.bodyJson,
    source: prepared.source,
    content_hash: prepared.contentHash,
    valid_at: times.validAt,
    invalid_at: times.invalidAt,
    created_at: times.createdAt,
    expired_at: times.expiredAt,
    head_terms: head.join(' '),
    text_terms: text.join(' '),
    terms: searchableTerms([...head, ...text]).join(' '),
  };
}

/** A tsvector has a maximum size, which only a text of very many different words exceeds. */
function searchableTerms(terms: readonly string[]): string[] {
  let bytes = 0;
  return [...new Set(terms)].filter((term) => {
    bytes += Buffer.byteLength(term);
    return bytes <= MAX_TERM_BYTES;
  });
}

/** Each value once: a list may contain it twice, and a read by this value must not return the episode twice. */
function fieldRows({ prepared }: PlannedVersion, position: number) {
  const rows = prepared.fields.map(({ field, value }) => ({
    position,
    field,
    ...(typeof value === 'string' ? { text: value.toWellFormed() } : { number: value }),
  }));
  return distinct(rows);
}

function relationRows({ prepared: { scope, relations } }: PlannedVersion, position: number) {
  return distinct(relations.map(({ relation, to }) => ({ position, relation, scope, target: to })));
}

function distinct<Row extends object>(rows: readonly Row[]): Row[] {
  return [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
}
