import type { Edge } from '../../domain/episode.ts';
import { type Moment, readMoment } from '../as-of.ts';
import type { EntityRef, Neighbour, NeighbourOptions } from '../episode-store.ts';
import { toTimestamp } from '../read-episode.ts';
import { type Step, walkNeighbours } from '../walk-neighbours.ts';
import type { Database } from './open-database.ts';
import { StatementCache } from './statement-cache.ts';

interface EdgeRow {
  uuid: string;
  from_scope: string;
  from_id: string;
  relation: string;
  to_scope: string;
  to_id: string;
  declared_by: string | null;
  valid_at: number;
  invalid_at: number | null;
  created_at: number;
  expired_at: number | null;
}

const COLUMNS =
  'e.uuid, e.from_scope, e.from_id, e.relation, e.to_scope, e.to_id, g.name AS declared_by, ' +
  'e.valid_at, e.invalid_at, e.created_at, e.expired_at';
const END_OF_TIME = 8_640_000_000_000_000;

/** Reads relations. */
export class EdgeReader {
  readonly #statements: StatementCache;

  constructor(database: Database) {
    this.#statements = new StatementCache(database);
  }

  async neighbours(
    start: EntityRef,
    { depth = 1, relation, asOf }: NeighbourOptions = {},
  ): Promise<Neighbour[]> {
    const moment = readMoment(asOf);
    return walkNeighbours(start, depth, async (at) => this.#steps(at, relation, moment));
  }

  /** Edges that entities of these groups declare or start from; all, if no groups are given. */
  *export(groups: readonly string[] | undefined): Generator<Edge> {
    const marks = groups?.map(() => '?').join(', ');
    const restriction = groups
      ? `WHERE g.name IN (${marks}) OR (e.declared_by IS NULL AND EXISTS (
           SELECT 1 FROM episode p JOIN episode_group pg ON pg.id = p.group_id
           WHERE p.entity_id = e.from_id AND pg.name IN (${marks})))`
      : '';
    const rows = this.#statements
      .get<EdgeRow>(
        `SELECT ${COLUMNS} FROM edge e LEFT JOIN episode_group g ON g.id = e.declared_by ${restriction} ORDER BY e.seq`,
      )
      .iterate(...(groups ?? []), ...(groups ?? []));
    for (const row of rows) {
      yield {
        ...row,
        valid_at: toTimestamp(row.valid_at),
        invalid_at: row.invalid_at === null ? null : toTimestamp(row.invalid_at),
        created_at: toTimestamp(row.created_at),
        expired_at: row.expired_at === null ? null : toTimestamp(row.expired_at),
      };
    }
  }

  #steps(at: EntityRef, relation: string | undefined, moment: Moment | undefined): Step[] {
    const known = moment?.knownAt ?? END_OF_TIME;
    const valid = moment?.validAt ?? END_OF_TIME;
    const time = moment
      ? 'AND created_at <= ? AND valid_at <= ? AND (expired_at IS NULL OR expired_at > ? OR invalid_at > ?)'
      : 'AND expired_at IS NULL';
    const half = (end: 'from' | 'to') =>
      `SELECT seq, from_scope, from_id, relation, to_scope, to_id FROM edge
       WHERE ${end}_scope = ? AND ${end}_id = ? ${relation === undefined ? '' : 'AND relation = ?'} ${time}`;
    const values = [
      at.scope,
      at.id,
      ...(relation === undefined ? [] : [relation]),
      ...(moment ? [known, valid, known, valid] : []),
    ];
    return this.#statements
      .get<EdgeRow>(`${half('from')} UNION ${half('to')} ORDER BY seq`)
      .all(...values, ...values)
      .map((row) => ({
        from: { scope: row.from_scope, id: row.from_id },
        relation: row.relation,
        to: { scope: row.to_scope, id: row.to_id },
      }));
  }
}
