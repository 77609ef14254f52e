import type { PreparedEpisode } from '../prepare-episode.ts';

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
export function hasValue(version: string, field: string): string {
  return (
    `CASE WHEN ${version}.fields IS NULL THEN EXISTS (SELECT 1 FROM episode_field x WHERE x.seq = ${version}.seq ` +
    `AND x.field = ? AND x.value = ?) ELSE ${ownValue(version, field)} = ? END`
  );
}
