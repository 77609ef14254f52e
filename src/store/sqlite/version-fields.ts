import type { PreparedEpisode } from '../prepare-episode.ts';

/** Holds for a version that is not in the indexes of fields and relations yet. */
export function isLate(seq: string): string {
  return `${seq} > (SELECT entered FROM index_state)`;
}

/** Versions not in the field index yet that have a value in a field: takes field, value and value. */
export function lateWithValue(field: string): string {
  return `SELECT v.seq FROM episode v WHERE ${isLate('v.seq')} AND ${hasValue('v', field)}`;
}

/** Fields not in the field index yet, in its columns. */
export const LATE_FIELDS =
  'SELECT v.group_id, x.field, x.value, v.seq FROM episode v JOIN episode_field x ON x.seq = v.seq ' +
  `WHERE ${isLate('v.seq')} UNION ALL SELECT v.group_id, o.key, o.atom, v.seq ` +
  `FROM episode v JOIN json_each(v.fields) o WHERE ${isLate('v.seq')}`;

/** The relations that a body implies, as its version keeps them. They begin and end with it. */
export function relationsJson({ scope, relations }: PreparedEpisode): string {
  return JSON.stringify(relations.map(({ relation, to }) => [relation, scope, to]));
}

/** Relations not among the declared edges yet, in their columns. */
export const LATE_EDGES =
  'SELECT v.seq, r.value ->> 0 AS relation, r.value ->> 1 AS from_scope, v.entity_id AS from_id, ' +
  'r.value ->> 1 AS to_scope, r.value ->> 2 AS to_id ' +
  `FROM episode v JOIN json_each(v.relations) r WHERE ${isLate('v.seq')}`;

/** What may stand in SQL and in a path into JSON as it is. */
const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * The fields of a version as an object in its own row: rows of their own would be one more page that a write waits
 * for. Undefined where SQLite would not give back from JSON what it gives back from a column, or where a field has
 * several values; such fields are kept in `episode_field`.
 */
export function fieldsJson(fields: PreparedEpisode['fields']): string | undefined {
  let json = '{';
  let previous: string | undefined;
  for (const { field, value } of fields) {
    // The values of one field follow each other.
    if (field === previous || !PLAIN_NAME.test(field)) return undefined;
    if (typeof value === 'number' && !Number.isSafeInteger(value)) return undefined;
    json += `${previous === undefined ? '' : ','}"${field}":${typeof value === 'number' ? value : JSON.stringify(value)}`;
    previous = field;
  }
  // Escaped are control characters and halves of pairs, which SQLite reads in another way.
  return json.includes('\\u') ? undefined : `${json}}`;
}

/** The value of a field that a version keeps in its own row, as an expression. Names come from declarations. */
export function ownValue(version: string, field: string): string {
  return PLAIN_NAME.test(field) ? `${version}.fields ->> '${field}'` : 'NULL';
}

/** Holds for a version that has a value in a field: takes field, value and value. */
function hasValue(version: string, field: string): string {
  return (
    `CASE WHEN ${version}.fields IS NULL THEN EXISTS (SELECT 1 FROM episode_field x WHERE x.seq = ${version}.seq ` +
    `AND x.field = ? AND x.value = ?) ELSE ${ownValue(version, field)} = ? END`
  );
}
