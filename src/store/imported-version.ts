import type { EntityRegistry } from '../domain/entities/entity-type.ts';
import type { Episode } from '../domain/entities/episode.ts';
import { GuardKitError } from '../guardkit-error.ts';
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

/** A uuid that another entity's version has here: taken for that one, a file about this group could end what is in that. */
export function takenUuid({ group, entityId }: Pick<PreparedEpisode, 'group' | 'entityId'>): GuardKitError {
  return new GuardKitError({
    code: 'import.uuid-taken',
    kind: 'input',
    message: `The uuid of a version of ${entityId} in ${group} is that of another entity here.`,
    hint: 'Nothing was imported. Export again: an export as it was written has no such version.',
  });
}
