import { randomUUID } from 'node:crypto';
import type { Edge } from '../../domain/entities/episode.ts';
import { inForce, type Moment, readMoment, versionCondition } from '../as-of.ts';
import type { EntityRef, Neighbour, NeighbourOptions, RelationInput } from '../episode-store.ts';
import type { VersionTimes } from '../plan-version.ts';
import { type EdgeRow, readEdge } from '../read-episode.ts';
import { joinSql, type Sql } from '../sql.ts';
import { type Step, walkNeighbours } from '../walk-neighbours.ts';
import type { Database } from './open-database.ts';
import { StatementCache } from './statements.ts';
import { UNINDEXED_EDGES } from './version-fields.ts';

const COLUMNS =
  'd.uuid, d.from_scope, d.from_id, d.relation, d.to_scope, d.to_id, d.valid_at, d.invalid_at, d.created_at, d.expired_at';
const STEP = 'e.created_at, d.from_scope, d.from_id, d.relation, d.to_scope, d.to_id';

/** Reads relations: explicit ones, and those declared by the version in force. */
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

  /** Explicit edges that start from an entity of these groups (default: all). */
  *export(groups: readonly string[] | undefined): Generator<Edge> {
    const restriction = groups
      ? `WHERE EXISTS (SELECT 1 FROM episode e JOIN episode_group g ON g.id = e.group_id
           WHERE e.entity_id = d.from_id AND g.name IN (${groups.map(() => '?').join(', ')})
           AND CASE instr(g.name, '__') WHEN 0 THEN '' ELSE substr(g.name, 1, instr(g.name, '__') - 1) END = d.from_scope)`
      : '';
    const rows = this.#statements
      .get<EdgeRow>(`SELECT ${COLUMNS} FROM edge d ${restriction} ORDER BY d.seq`)
      .iterate(...(groups ?? []));
    for (const row of rows) yield readEdge(row);
  }

  #steps(at: EntityRef, relation: string | undefined, moment: Moment | undefined): Step[] {
    const stated = inForce('e', moment);
    const declared = versionCondition(moment, 'episode');
    const { text, values } = joinSql<string | number>(
      (['from', 'to'] as const).flatMap((end) => {
        const touching = atEnd(end, at, relation);
        return [
          joinSql<string | number>([
            { text: `SELECT ${STEP} FROM edge d JOIN edge e ON e.seq = d.seq WHERE`, values: [] },
            touching,
            stated,
          ]),
          ...['declared_edge', `(${UNINDEXED_EDGES})`].map((source) =>
            joinSql<string | number>([
              { text: `SELECT ${STEP} FROM ${source} d JOIN episode e ON e.seq = d.seq WHERE`, values: [] },
              touching,
              declared,
            ]),
          ),
        ];
      }),
      ' UNION ',
    );
    return this.#statements
      .get<EdgeRow>(`${text} ORDER BY created_at, from_scope, from_id, relation, to_scope, to_id`)
      .all(...values)
      .map((row) => ({
        from: { scope: row.from_scope, id: row.from_id },
        relation: row.relation,
        to: { scope: row.to_scope, id: row.to_id },
      }));
  }
}

function atEnd(end: 'from' | 'to', at: EntityRef, relation: string | undefined): Sql<string | number> {
  const ends = `d.${end}_scope = ? AND d.${end}_id = ?`;
  if (relation === undefined) return { text: `${ends} AND`, values: [at.scope, at.id] };
  return { text: `${ends} AND d.relation = ? AND`, values: [at.scope, at.id, relation] };
}

/** Writes explicit relations. Every method runs inside a transaction. */
export class EdgeWriter {
  readonly #insert;
  readonly #close;

  constructor(database: Database) {
    this.#insert = database.prepare(
      `INSERT INTO edge (uuid, from_scope, from_id, relation, to_scope, to_id,
         valid_at, invalid_at, created_at, expired_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO NOTHING`,
    );
    this.#close = database.prepare(
      'UPDATE edge SET invalid_at = ?, expired_at = ? WHERE uuid = ? AND expired_at IS NULL',
    );
  }

  relate({ from, relation, to }: RelationInput, at: Pick<VersionTimes, 'validAt' | 'createdAt'>): boolean {
    const ends = [from.scope, from.id, relation, to.scope, to.id];
    return this.#insert.run(randomUUID(), ...ends, at.validAt, null, at.createdAt, null).changes > 0;
  }

  /** False if this edge, or an equal open one, already exists. */
  import(edge: Edge): boolean {
    const invalidAt = edge.invalid_at === null ? null : Date.parse(edge.invalid_at);
    const expiredAt = edge.expired_at === null ? null : Date.parse(edge.expired_at);
    const { changes } = this.#insert.run(
      edge.uuid,
      edge.from_scope,
      edge.from_id,
      edge.relation,
      edge.to_scope,
      edge.to_id,
      Date.parse(edge.valid_at),
      invalidAt,
      Date.parse(edge.created_at),
      expiredAt,
    );
    // Open here, but closed where it comes from.
    if (changes === 0 && expiredAt !== null) this.#close.run(invalidAt, expiredAt, edge.uuid);
    return changes > 0;
  }
}
