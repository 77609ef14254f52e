import type { PreparedEpisode } from '../prepare-episode.ts';

/** The relations that a body implies, as `index_pending` keeps them until they are among the declared edges. */
export function pendingRelations({ scope, relations }: PreparedEpisode): string {
  return JSON.stringify(relations.map(({ relation, to }) => [relation, scope, to]));
}

/** What is kept so, in the columns of `declared_edge`. They begin and end with their version. */
export const PENDING_EDGES =
  'SELECT p.seq, r.value ->> 0 AS relation, r.value ->> 1 AS from_scope, v.entity_id AS from_id, ' +
  'r.value ->> 1 AS to_scope, r.value ->> 2 AS to_id ' +
  'FROM index_pending p JOIN episode v ON v.seq = p.seq JOIN json_each(p.relations) r';
