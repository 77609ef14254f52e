import type { EntityRegistry } from '../domain/entity-type.ts';
import type { Episode } from '../domain/episode.ts';
import type { CurrentVersion } from './plan-version.ts';
import { type PreparedEpisode, prepareEpisode } from './prepare-episode.ts';

/** A version from an export, as this store would keep it; its hash is made anew, since the file may have been edited. */
export function importedVersion(
  record: Episode,
  registry: EntityRegistry,
): { prepared: PreparedEpisode; version: CurrentVersion } {
  const prepared = prepareEpisode(record, registry);
  const version = {
    uuid: record.uuid,
    contentHash: prepared.contentHash,
    validAt: Date.parse(record.valid_at),
    invalidAt: record.invalid_at === null ? null : Date.parse(record.invalid_at),
    createdAt: Date.parse(record.created_at),
    expiredAt: record.expired_at === null ? null : Date.parse(record.expired_at),
  };
  return { prepared, version };
}
