import * as z from 'zod';
import type { EntityRegistry } from '../domain/entities/entity-type.ts';
import { type Edge, type Episode, edgeSchema, episodeSchema } from '../domain/entities/episode.ts';
import { describeIssues } from '../domain/json/describe-issues.ts';
import { GuardKitError } from '../guardkit-error.ts';
import type { ExportRecord, RelationInput } from './episode-store.ts';
import type { CurrentVersion } from './plan-version.ts';
import { type PreparedEpisode, prepareEpisode, prepareRelation } from './prepare-episode.ts';

const FORMAT_VERSION = 1;

const headerSchema = z.strictObject({ kind: z.literal('guardkit-export'), version: z.int() });
const recordSchema = z.discriminatedUnion('kind', [
  episodeSchema.extend({ kind: z.literal('episode') }),
  edgeSchema.extend({ kind: z.literal('edge') }),
]);

export function exportHeader(): z.infer<typeof headerSchema> {
  return { kind: 'guardkit-export', version: FORMAT_VERSION };
}

/** Parses an export file. One invalid line refuses the whole file; the error names the first. */
export function parseExport(text: string, file: string, registry: EntityRegistry): ExportRecord[] {
  const lines = text.split('\n').map((line, index) => ({ line: line.trim(), number: index + 1 }));
  const [header, ...records] = lines.filter(({ line }) => line !== '');
  checkHeader(header?.line, file);
  return records.map(({ line, number }) => {
    try {
      return parseRecord(line, registry);
    } catch (error) {
      throw malformed(file, number, error instanceof Error ? error.message : String(error));
    }
  });
}

function checkHeader(line: string | undefined, file: string): void {
  const parsed = headerSchema.safeParse(parseJson(line ?? ''));
  if (!parsed.success) {
    throw new GuardKitError({
      code: 'import.foreign',
      kind: 'input',
      message: line === undefined ? `${file} is empty.` : `${file} is not a guardkit export.`,
      hint: 'Nothing was imported. Use a file written by `guardkit memory export --out FILE`.',
    });
  }
  const { version } = parsed.data;
  if (version > FORMAT_VERSION) {
    throw new GuardKitError({
      code: 'import.newer-format',
      kind: 'input',
      message: `${file} has export format version ${version}; this guardkit reads up to ${FORMAT_VERSION}.`,
      hint: 'Nothing was imported. A newer guardkit wrote the file: upgrade this one.',
    });
  }
}

function parseRecord(line: string, registry: EntityRegistry): ExportRecord {
  const value = parseJson(line);
  if (value === undefined) throw new Error('not JSON');
  const parsed = recordSchema.safeParse(value);
  if (!parsed.success) throw new Error(describeIssues(parsed.error));
  const record = parsed.data;
  assertTimes(record);
  // Checked here too, because the store no longer has the line number. Uses the stored id, since a short id names the
  // same entity.
  if (record.kind === 'episode') return { ...record, entity_id: prepareEpisode(record, registry).entityId };
  prepareRelation(relationOf(record));
  return record;
}

function relationOf({ from_scope, from_id, relation, to_scope, to_id }: Edge): RelationInput {
  return { from: { scope: from_scope, id: from_id }, relation, to: { scope: to_scope, id: to_id } };
}

/** A version is open on both axes or closed on both, and neither axis runs backwards. */
function assertTimes(version: Pick<Episode, 'valid_at' | 'invalid_at' | 'created_at' | 'expired_at'>): void {
  const { valid_at, invalid_at, created_at, expired_at } = version;
  if ((invalid_at === null) !== (expired_at === null))
    throw new Error('invalid_at, expired_at: either both are set or neither is');
  if (invalid_at !== null && invalid_at < valid_at) throw new Error('invalid_at: before valid_at');
  if (expired_at !== null && expired_at < created_at) throw new Error('expired_at: before created_at');
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // Safe: undefined is not a JSON value, and every caller refuses it.
    return undefined;
  }
}

function malformed(file: string, line: number, what: string): GuardKitError {
  return new GuardKitError({
    code: 'import.malformed',
    kind: 'input',
    message: `${file}, line ${line}: ${what}`,
    hint: 'Nothing was imported. Fix that line, or export again.',
  });
}

/**
 * A version from an export as this store would keep it. Its hash is computed again, since the file may have been
 * edited.
 */
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

/** For a uuid that already belongs to another entity here: importing it could close a version in another group. */
export function takenUuid({ group, entityId }: Pick<PreparedEpisode, 'group' | 'entityId'>): GuardKitError {
  return new GuardKitError({
    code: 'import.uuid-taken',
    kind: 'input',
    message: `The uuid of a version of ${entityId} in ${group} already belongs to another entity.`,
    hint: 'Nothing was imported. Export again: an unedited export has no such version.',
  });
}
