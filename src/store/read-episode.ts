import type { EntityRegistry } from '../domain/entities/entity-type.ts';
import type { Edge, Episode } from '../domain/entities/episode.ts';
import { describeIssues } from '../domain/json/describe-issues.ts';
import type { JsonObject } from '../domain/json/json.ts';
import { isObject } from '../domain/json/plain-shape.ts';
import { withNewNames } from '../domain/json/renamed-fields.ts';
import { GuardKitError } from '../guardkit-error.ts';

/** A stored version: times in milliseconds, the body as text. */
export interface EpisodeRow {
  uuid: string;
  group_name: string;
  entity_id: string;
  entity_type: string;
  name: string;
  body: string;
  source: string;
  content_hash: string;
  valid_at: number;
  invalid_at: number | null;
  created_at: number;
  expired_at: number | null;
}

export function readEpisode(row: EpisodeRow, registry: EntityRegistry): Episode {
  const createdAt = toTimestamp(row.created_at);
  return {
    uuid: row.uuid,
    group: row.group_name,
    entity_id: row.entity_id,
    entity_type: row.entity_type,
    name: row.name,
    body: readBody(row, registry),
    source: row.source,
    content_hash: row.content_hash,
    // Most versions are valid from the time they are written.
    valid_at: row.valid_at === row.created_at ? createdAt : toTimestamp(row.valid_at),
    invalid_at: row.invalid_at === null ? null : toTimestamp(row.invalid_at),
    created_at: createdAt,
    expired_at: row.expired_at === null ? null : toTimestamp(row.expired_at),
  };
}

/**
 * The text that search shows for a row. A body that no longer fits its type is shown by name, so that it does not hide
 * other results.
 */
export function searchText(row: EpisodeRow, registry: EntityRegistry): string {
  const entity = registry.get(row.entity_type);
  if (!entity) return row.name;
  try {
    return entity.text(readBody(row, registry));
  } catch {
    // Safe: `get` and `list` report the fault in full; a search over many rows continues.
    return row.name;
  }
}

export function toTimestamp(millis: number): string {
  return new Date(millis).toISOString();
}

function readBody(row: EpisodeRow, registry: EntityRegistry): JsonObject {
  const entity = registry.get(row.entity_type);
  const body = withNewNames(parseJson(row), entity?.renamed);
  // Written by a newer version or with another program's entity type: there is no schema to check it against.
  if (!entity) return body;
  const parsed = entity.schema.safeParse(body);
  if (parsed.success) return parsed.data;
  // A field added by a newer version must not make the rest unreadable for an older one.
  if (parsed.error.issues.every((issue) => issue.code === 'unrecognized_keys')) return body;
  throw damaged(row, describeIssues(parsed.error));
}

function parseJson(row: EpisodeRow): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(row.body);
  } catch (error) {
    throw damaged(row, `the body is not JSON (${error instanceof Error ? error.message : error})`);
  }
  if (!isObject(value)) throw damaged(row, 'the body is not an object');
  return value as JsonObject;
}

function damaged(row: EpisodeRow, what: string): GuardKitError {
  return new GuardKitError({
    code: 'entity.invalid-stored-body',
    kind: 'outside',
    message: `The stored ${row.entity_type} ${row.entity_id} in ${row.group_name} is invalid:\n${what}`,
    hint: `It was changed outside guardkit. Write it again with \`guardkit memory add ${row.group_name} --id ${row.entity_id}\`.`,
  });
}

/** A stored relation: times in milliseconds. */
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
