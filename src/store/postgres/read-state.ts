import type { CurrentVersion } from '../plan-version.ts';
import type { Session } from './postgres-database.ts';
import type { EntityKey, VersionBatch } from './version-batch.ts';

const CHUNK = 2000;

const READ_STATE = `
SELECT e.group_id, e.entity_id, e.uuid, e.content_hash AS "contentHash", e.valid_at AS "validAt",
  e.invalid_at AS "invalidAt", e.created_at AS "createdAt", e.expired_at AS "expiredAt"
FROM unnest($1::integer[], $2::text[]) AS w(group_id, entity_id)
JOIN guardkit.episode e ON e.group_id = w.group_id AND e.entity_id = w.entity_id AND e.expired_at IS NULL`;

/** Makes known to a batch what is current of the entities it is about to write. */
export async function readState(
  session: Session,
  batch: VersionBatch,
  entities: readonly EntityKey[],
): Promise<void> {
  for (let start = 0; start < entities.length; start += CHUNK) {
    const chunk = entities.slice(start, start + CHUNK);
    const rows = await session.query<CurrentVersion & { group_id: number; entity_id: string }>({
      name: 'guardkit-state',
      text: READ_STATE,
      values: [chunk.map(({ groupId }) => groupId), chunk.map(({ entityId }) => entityId)],
    });
    for (const { group_id, entity_id, ...current } of rows) {
      batch.knowCurrent({ groupId: group_id, entityId: entity_id }, current);
    }
  }
}

/** Makes known which of these versions are stored. */
export async function readVersions(
  session: Session,
  batch: VersionBatch,
  uuids: readonly string[],
): Promise<void> {
  for (let start = 0; start < uuids.length; start += CHUNK) {
    const rows = await session.query<{
      uuid: string;
      expired_at: number | null;
      group_id: number;
      entity_id: string;
    }>({
      text: 'SELECT uuid, expired_at, group_id, entity_id FROM guardkit.episode WHERE uuid = ANY(?::text[])',
      values: [uuids.slice(start, start + CHUNK)],
    });
    for (const { uuid, expired_at, group_id, entity_id } of rows)
      batch.knowVersion({ groupId: group_id, entityId: entity_id }, uuid, expired_at);
  }
}
