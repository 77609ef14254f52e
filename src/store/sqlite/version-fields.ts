import type { PreparedEpisode } from '../prepare-episode.ts';

/** SQL condition for a version that is not in the field and relation indexes yet. */
export function isUnindexed(seq: string): string {
  return `${seq} > (SELECT entered FROM index_state)`;
}

/** Versions with a field value that are not in the field index yet. Takes field, value and value. */
export function unindexedWithValue(field: string): string {
  return `SELECT v.seq FROM episode v WHERE ${isUnindexed('v.seq')} AND ${hasValue('v', field)}`;
}

/** Fields that are not in the field index yet, with its columns. */
export const UNINDEXED_FIELDS =
  'SELECT v.group_id, x.field, x.value, v.seq FROM episode v JOIN episode_field x ON x.seq = v.seq ' +
  `WHERE ${isUnindexed('v.seq')} UNION ALL SELECT v.group_id, o.key, o.atom, v.seq ` +
  `FROM episode v JOIN json_each(v.fields) o WHERE ${isUnindexed('v.seq')}`;

/** The relations implied by a body, as stored with its version. They start and end with it. */
export function relationsJson({ scope, relations }: PreparedEpisode): string {
  return JSON.stringify(relations.map(({ relation, to }) => [relation, scope, to]));
}

/** Relations that are not in `declared_edge` yet, with its columns. */
export const UNINDEXED_EDGES =
  'SELECT v.seq, r.value ->> 0 AS relation, r.value ->> 1 AS from_scope, v.entity_id AS from_id, ' +
  'r.value ->> 1 AS to_scope, r.value ->> 2 AS to_id ' +
  `FROM episode v JOIN json_each(v.relations) r WHERE ${isUnindexed('v.seq')}`;

/** Safe to use in SQL and in a JSON path without escaping. */
const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * The fields of a version as an object in its own row: separate rows would be one more page that a write waits for.
 * Undefined if SQLite would return another value from JSON than from a column, or if a field has several values; such
 * fields are stored in `episode_field`.
 */
export function fieldsJson(fields: PreparedEpisode['fields']): string | undefined {
  let json = '{';
  let previous: string | undefined;
  for (const { field, value } of fields) {
    // The values of one field are adjacent.
    if (field === previous || !PLAIN_NAME.test(field)) return undefined;
    if (typeof value === 'number' && !Number.isSafeInteger(value)) return undefined;
    json += `${previous === undefined ? '' : ','}"${field}":${typeof value === 'number' ? value : JSON.stringify(value)}`;
    previous = field;
  }
  // Control characters and lone surrogates are escaped, and SQLite reads those differently.
  return json.includes('\\u') ? undefined : `${json}}`;
}

/** SQL expression for a field value stored in the version's own row. Names come from declarations. */
export function ownValue(version: string, field: string): string {
  return PLAIN_NAME.test(field) ? `${version}.fields ->> '${field}'` : 'NULL';
}

/** SQL condition for a version with a field value. Takes field, value and value. */
function hasValue(version: string, field: string): string {
  return (
    `CASE WHEN ${version}.fields IS NULL THEN EXISTS (SELECT 1 FROM episode_field x WHERE x.seq = ${version}.seq ` +
    `AND x.field = ? AND x.value = ?) ELSE ${ownValue(version, field)} = ? END`
  );
}
