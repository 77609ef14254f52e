import type { PreparedEpisode } from '../prepare-episode.ts';

/** Holds for a version that is not in the indexes of fields and relations yet. */
export function isLate(seq: string): string {
  return `${seq} > (SELECT entered FROM index_state)`;
}

/** Versions not in the field index yet that hold a value in a field: field and value. */
export const LATE_WITH_VALUE = `SELECT x.seq FROM episode_field x WHERE ${isLate('x.seq')} AND x.field = ? AND x.value = ?`;

/** The relations that a body implies, as its version keeps them. They begin and end with it. */
export function relationsJson({ scope, relations }: PreparedEpisode): string {
  return JSON.stringify(relations.map(({ relation, to }) => [relation, scope, to]));
}

/** Relations not among the declared edges yet, in their columns. */
export const LATE_EDGES =
  'SELECT v.seq, r.value ->> 0 AS relation, r.value ->> 1 AS from_scope, v.entity_id AS from_id, ' +
  'r.value ->> 1 AS to_scope, r.value ->> 2 AS to_id ' +
  `FROM episode v JOIN json_each(v.relations) r WHERE ${isLate('v.seq')}`;
