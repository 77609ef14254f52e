import type { EntityRegistry } from '../../domain/entities/entity-type.ts';
import type { Edge } from '../../domain/entities/episode.ts';
import type { ExportRecord, ImportReport } from '../episode-store.ts';
import { importedVersion } from '../export-file.ts';
import { readEpisode } from '../read-episode.ts';
import type { KeyedRow } from '../search/search-episodes.ts';
import { exportEdges } from './edge-reader.ts';
import { EPISODE_COLUMNS, FROM_EPISODES } from './list-query.ts';
import { encodeRows, type Session } from './postgres-database.ts';
import { entityKey, readState, readVersions, VersionBatch } from './version-batch.ts';
import { writeBatch } from './write-batch.ts';

/** Small, since each body may have a megabyte. */
const PAGE = 100;
const EDGE_CHUNK = 1000;

/** Reads page by page, inside a snapshot. */
export async function* exportRecords(
  session: Session,
  registry: EntityRegistry,
  groups: readonly string[] | undefined,
): AsyncGenerator<ExportRecord> {
  const restriction = groups ? 'AND g.name = ANY(?::text[])' : '';
  let rows: KeyedRow[];
  let last = 0;
  do {
    rows = await session.query<KeyedRow>({
      text:
        `SELECT e.seq AS key, ${EPISODE_COLUMNS} FROM ${FROM_EPISODES} ` +
        `WHERE e.seq > ? ${restriction} ORDER BY e.seq LIMIT ${PAGE}`,
      values: [last, ...(groups ? [groups] : [])],
    });
    for (const row of rows) {
      last = row.key;
      yield { kind: 'episode', ...readEpisode(row, registry) };
    }
  } while (rows.length === PAGE);
  for await (const edge of exportEdges(session, groups)) yield { kind: 'edge', ...edge };
}

export interface PreparedImport {
  episodes: ReturnType<typeof importedVersion>[];
  edges: Edge[];
  /** All groups of the import, which must exist before the rest is written. */
  groups: string[];
}

/** Refuses the first invalid record, before anything is written. */
export function prepareImport(records: readonly ExportRecord[], registry: EntityRegistry): PreparedImport {
  const edges = records.filter((record) => record.kind === 'edge');
  const episodes = records
    .filter((record) => record.kind === 'episode')
    .map((record) => importedVersion(record, registry));
  return { episodes, edges, groups: [...new Set(episodes.map(({ prepared }) => prepared.group))] };
}

/** Inside a transaction. */
export async function importRecords(
  session: Session,
  { episodes, edges }: PreparedImport,
  groupIds: ReadonlyMap<string, number>,
): Promise<ImportReport> {
  const edgesAdded = await importEdges(session, edges);
  const batch = new VersionBatch();
  const entities = episodes.map(({ prepared }) => entityKey(prepared, groupIds));
  await readState(session, batch, entities);
  await readVersions(
    session,
    batch,
    episodes.map(({ version }) => version.uuid),
  );
  const added = episodes.filter(({ prepared, version }) =>
    batch.import(prepared, entityKey(prepared, groupIds), version),
  );
  await writeBatch(session, batch, []);
  const count = edgesAdded + added.length;
  return { added: count, unchanged: episodes.length + edges.length - count };
}

/** Returns how many were new, with no equal open edge here. */
async function importEdges(session: Session, edges: readonly Edge[]): Promise<number> {
  let added = 0;
  for (let start = 0; start < edges.length; start += EDGE_CHUNK) {
    const values = [encodeRows(edges.slice(start, start + EDGE_CHUNK).map(edgeRow))];
    const columns =
      'uuid text, from_scope text, from_id text, relation text, to_scope text, to_id text, ' +
      'valid_at bigint, invalid_at bigint, created_at bigint, expired_at bigint';
    const rows = await session.query({
      text: `INSERT INTO guardkit.edge (uuid, from_scope, from_id, relation, to_scope, to_id,
               valid_at, invalid_at, created_at, expired_at)
             SELECT * FROM json_to_recordset(?::json) AS n(${columns}) ON CONFLICT DO NOTHING RETURNING seq`,
      values,
    });
    added += rows.length;
    // Open here, but closed where they come from.
    await session.query({
      text: `UPDATE guardkit.edge d SET invalid_at = n.invalid_at, expired_at = n.expired_at
             FROM json_to_recordset(?::json) AS n(${columns})
             WHERE d.uuid = n.uuid AND d.expired_at IS NULL AND n.expired_at IS NOT NULL`,
      values,
    });
  }
  return added;
}

function edgeRow(edge: Edge): object {
  return {
    ...edge,
    valid_at: Date.parse(edge.valid_at),
    invalid_at: edge.invalid_at === null ? null : Date.parse(edge.invalid_at),
    created_at: Date.parse(edge.created_at),
    expired_at: edge.expired_at === null ? null : Date.parse(edge.expired_at),
  };
}
