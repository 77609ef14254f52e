import type { PreparedEpisode } from '../prepare-episode.ts';
import { hasValue } from './version-fields.ts';

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
