import type { Edge } from '../domain/entities/episode.ts';
import { toTimestamp } from './read-episode.ts';

/** A relation as the backends keep it: times in milliseconds. */
export interface EdgeRow {
  uuid: string;
  from_scope: string;
  from_id: string;
  relation: string;
  to_scope: string;
  to_id: string;
  valid_at: number;
  invalid_at: number | null;
  created_at: number;
  expired_at: number | null;
}

export function readEdge(row: EdgeRow): Edge {
  return {
    ...row,
    valid_at: toTimestamp(row.valid_at),
    invalid_at: row.invalid_at === null ? null : toTimestamp(row.invalid_at),
    created_at: toTimestamp(row.created_at),
    expired_at: row.expired_at === null ? null : toTimestamp(row.expired_at),
  };
}
