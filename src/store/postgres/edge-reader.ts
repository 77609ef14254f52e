import type { Edge } from '../../domain/entities/episode.ts';
import { inForce, type Moment, readMoment } from '../as-of.ts';
import type { EntityRef, Neighbour, NeighbourOptions } from '../episode-store.ts';
import { type EdgeRow, readEdge } from '../read-episode.ts';
import { joinSql, type Sql } from '../sql.ts';
import { type Step, walkNeighbours } from '../walk-neighbours.ts';
import { currentOrPast } from './list-query.ts';
import { decodeText, type Session, type SqlValue } from './postgres-database.ts';

type Fragment = Sql<SqlValue>;

const PAGE = 1000;
const STEP = 'e.created_at, d.from_scope, d.from_id, d.relation, d.to_scope, d.to_id';

/** Follows explicit relations and those declared by the version in force. */
export async function readNeighbours(
  session: Session,
  start: EntityRef,
  { depth = 1, relation, asOf }: NeighbourOptions = {},
): Promise<Neighbour[]> {
  const moment = readMoment(asOf);
  return walkNeighbours(start, depth, (at) => readSteps(session, at, relation, moment));
}

/** Explicit edges that start from an entity of these groups (default: all). */
export async function* exportEdges(
  session: Session,
  groups: readonly string[] | undefined,
): AsyncGenerator<Edge> {
  const restriction = groups
    ? `AND EXISTS (SELECT 1 FROM guardkit.episode e JOIN guardkit.episode_group g ON g.id = e.group_id
         WHERE e.entity_id = d.from_id AND g.name = ANY(?::text[])
         AND CASE strpos(g.name, '__') WHEN 0 THEN '' ELSE split_part(g.name, '__', 1) END = d.from_scope)`
    : '';
  let rows: (EdgeRow & { seq: number })[];
  let last = 0;
  do {
    rows = await session.query({
      text: `SELECT d.seq, d.uuid, d.from_scope, d.from_id, d.relation, d.to_scope, d.to_id,
               d.valid_at, d.invalid_at, d.created_at, d.expired_at
             FROM guardkit.edge d WHERE d.seq > ? ${restriction} ORDER BY d.seq LIMIT ${PAGE}`,
      values: [last, ...(groups ? [groups] : [])],
    });
    for (const { seq, ...row } of rows) {
      last = seq;
      yield readEdge(decodeRow(row));
    }
  } while (rows.length === PAGE);
}

async function readSteps(
  session: Session,
  at: EntityRef,
  relation: string | undefined,
  moment: Moment | undefined,
): Promise<Step[]> {
  const stated = inForce('e', moment);
  const declared = currentOrPast(moment);
  const parts = [outOf(at), into(at)].flatMap((touching) => {
    const wanted =
      relation === undefined ? touching : both(touching, { text: 'd.relation = ?', values: [relation] });
    return [
      selectSteps('guardkit.edge d JOIN guardkit.edge e', both(wanted, stated)),
      selectSteps('guardkit.declared_edge d JOIN guardkit.episode e', both(wanted, declared)),
    ];
  });
  const { text, values } = joinSql(parts, ' UNION ');
  const rows = await session.query<EdgeRow>({
    text: `${text} ORDER BY created_at, from_scope, from_id, relation, to_scope, to_id`,
    values,
  });
  return rows.map(decodeRow).map((row) => ({
    from: { scope: row.from_scope, id: row.from_id },
    relation: row.relation,
    to: { scope: row.to_scope, id: row.to_id },
  }));
}

function selectSteps(tables: string, where: Fragment): Fragment {
  return { text: `SELECT ${STEP} FROM ${tables} ON e.seq = d.seq WHERE ${where.text}`, values: where.values };
}

function outOf({ scope, id }: EntityRef): Fragment {
  return { text: 'd.from_scope = ? AND d.from_id = ?', values: [scope, id] };
}

function into({ scope, id }: EntityRef): Fragment {
  return {
    text: 'd.to_scope = ? AND left(d.to_id, 256) = left(?, 256) AND d.to_id = ?',
    values: [scope, id, id],
  };
}

function both(a: Fragment, b: Fragment): Fragment {
  return joinSql([a, b], ' AND ');
}

/** Relation names and targets are free text. */
function decodeRow<Row extends Pick<EdgeRow, 'from_id' | 'relation' | 'to_id'>>(row: Row): Row {
  return {
    ...row,
    from_id: decodeText(row.from_id),
    relation: decodeText(row.relation),
    to_id: decodeText(row.to_id),
  };
}
