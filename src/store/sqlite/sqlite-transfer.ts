import type { EntityRegistry } from '../../domain/entities/entity-type.ts';
import { openSqlite } from '../../platform/open-sqlite.ts';
import type { ExportRecord, ImportReport } from '../episode-store.ts';
import { importedVersion, takenUuid } from '../export-file.ts';
import { planImport } from '../plan-version.ts';
import { type EpisodeRow, readEpisode } from '../read-episode.ts';
import { EdgeReader, type EdgeWriter } from './edges.ts';
import type { GroupIds } from './group-ids.ts';
import { EPISODE_COLUMNS } from './list-query.ts';
import type { VersionWriter } from './version-writer.ts';

/** Reads on its own connection in one transaction: a snapshot, while others continue writing. */
export function* exportRecords(
  path: string,
  registry: EntityRegistry,
  groups: readonly string[] | undefined,
): Generator<ExportRecord> {
  const database = openSqlite(path, { readonly: true, fileMustExist: true });
  try {
    database.exec('BEGIN');
    const restriction = groups ? `WHERE g.name IN (${groups.map(() => '?').join(', ')})` : '';
    const rows = database
      .prepare<string[], EpisodeRow>(
        `SELECT ${EPISODE_COLUMNS} FROM episode e JOIN episode_group g ON g.id = e.group_id ${restriction} ORDER BY e.seq`,
      )
      .iterate(...(groups ?? []));
    for (const row of rows) yield { kind: 'episode', ...readEpisode(row, registry) };
    for (const edge of new EdgeReader(database).export(groups)) yield { kind: 'edge', ...edge };
  } finally {
    database.close();
  }
}

/** Inside a transaction. */
export function importRecords(
  records: readonly ExportRecord[],
  registry: EntityRegistry,
  groups: GroupIds,
  writer: VersionWriter,
  edges: EdgeWriter,
): ImportReport {
  const report: ImportReport = { added: 0, unchanged: 0 };
  const count = (added: boolean) => {
    if (added) report.added++;
    else report.unchanged++;
  };
  for (const record of records) {
    if (record.kind === 'edge') {
      count(edges.import(record));
      continue;
    }
    const { prepared, version } = importedVersion(record, registry);
    const groupId = groups.findOrCreate(prepared.group);
    const known = writer.known(version.uuid);
    if (known && (known.groupId !== groupId || known.entityId !== prepared.entityId))
      throw takenUuid(prepared);
    const plan = planImport(version, known, writer.current(groupId, prepared.entityId));
    if (plan.type !== 'skip' && plan.close) writer.close(plan.close);
    if (plan.type === 'insert') writer.insert(prepared, version.uuid, plan.times);
    count(plan.type === 'insert');
  }
  return report;
}
