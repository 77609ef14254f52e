import type { EntityRegistry, EntityType } from '../domain/entities/entity-type.ts';
import { assertEntityId } from '../domain/entities/entity-type.ts';
import type { EpisodeInput } from '../domain/entities/episode.ts';
import { formatGroup, type GroupRef, parseGroup } from '../domain/entities/group.ts';
import { describeIssues } from '../domain/json/describe-issues.ts';
import { canonicalJson, isTooDeep, type JsonObject, MAX_JSON_DEPTH, sha256 } from '../domain/json/json.ts';
import { isObject } from '../domain/json/plain-shape.ts';
import { withNewNames } from '../domain/json/renamed-fields.ts';
import { scrubSecrets } from '../domain/secrets/scrub-secrets.ts';
import { parseTimestamp } from '../domain/timestamp.ts';
import { GuardKitError } from '../guardkit-error.ts';
import type { RelationInput } from './episode-store.ts';
import { scrubBody } from './scrub-body.ts';
import { analyzeDocument, type DocumentTerms } from './search/analyze.ts';

export const MAX_BODY_BYTES = 1024 * 1024;
const MAX_LINE = 300;
/** True of nearly every line. */
const PLAIN_LINE = /^[\x20-\x7e]*$/;

/** Booleans in indexed fields are stored as 1 or 0, which sort and compare alike on every backend. */
export type FieldValue = string | number;

export interface PreparedEpisode {
  group: string;
  scope: string;
  entityId: string;
  entityType: string;
  name: string;
  bodyJson: string;
  contentHash: string;
  source: string;
  /** Undefined means now, by the store's clock. */
  validAt: string | undefined;
  fields: { field: string; value: FieldValue }[];
  relations: { relation: string; to: string }[];
  /** Computed only when needed: an unchanged episode needs none. */
  findTerms(): DocumentTerms;
}

/** Everything a backend stores for one input: validated, scrubbed, hashed and prepared for the indexes. */
export function prepareEpisode(input: EpisodeInput, registry: EntityRegistry): PreparedEpisode {
  const ref = parseGroup(input.group);
  assertDepth(input);
  const entity = requireEntityType(registry, input.entity_type);
  assertGroup(entity, ref);
  const body = scrubbedBody(entity, parseBody(entity, input.body));
  const bodyJson = JSON.stringify(body);
  assertSize(entity, bodyJson);
  const entityId = resolveId(entity, body, input.entity_id);
  const name = cleanLine(input.name === undefined ? entity.name(body) : scrubSecrets(input.name));
  return {
    group: input.group,
    scope: ref.project,
    entityId,
    entityType: entity.type,
    name,
    bodyJson,
    contentHash: sha256(canonicalJson({ entity_type: entity.type, body })),
    source: input.source === undefined ? 'api' : cleanLine(scrubSecrets(input.source)),
    validAt: input.valid_at === undefined ? undefined : parseTimestamp(input.valid_at),
    fields: indexedFields(entity, body),
    relations: entity.relations?.(body) ?? [],
    // From the text: parts of the body still belong to the caller, who may change them before this runs.
    findTerms: () => analyzeDocument(`${entityId} ${name}`, entity.text(JSON.parse(bodyJson))),
  };
}

export function requireEntityType(registry: EntityRegistry, type: string): EntityType {
  const entity = registry.get(type);
  if (entity) return entity;
  throw new GuardKitError({
    code: 'entity.unknown-type',
    kind: 'input',
    message: `Unknown entity type "${type.slice(0, 80)}".`,
    hint: `Known types: ${[...registry.keys()].sort().join(', ')}.`,
  });
}

function assertGroup(entity: EntityType, ref: GroupRef): void {
  if (entity.groups.includes(ref.name)) return;
  throw new GuardKitError({
    code: 'entity.wrong-group',
    kind: 'input',
    message: `A ${entity.type} does not belong in the group ${formatGroup(ref)}.`,
    hint: `It belongs in ${entity.groups.join(', ')}.`,
  });
}

function parseBody(entity: EntityType, given: unknown): JsonObject {
  const body = entity.renamed && isObject(given) ? withNewNames(given, entity.renamed) : given;
  const parsed = entity.schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new GuardKitError({
    code: 'entity.invalid-body',
    kind: 'input',
    message: `Invalid ${entity.type}:\n${describeIssues(parsed.error)}`,
    hint: 'Fix these fields; nothing was written.',
  });
}

/** Parsed again if something was scrubbed, since scrubbing may have made a text too long. */
function scrubbedBody(entity: EntityType, body: JsonObject): JsonObject {
  const scrubbed = scrubBody(body, entity.freeText);
  return scrubbed === body ? body : parseBody(entity, scrubbed);
}

/**
 * Checked before anything walks the body: hostile nesting would overflow the stack of every walker, the schema first.
 */
function assertDepth({ entity_type, body }: EpisodeInput): void {
  if (!isTooDeep(body)) return;
  throw new GuardKitError({
    code: 'entity.too-deep',
    kind: 'input',
    message: `The body of this ${entity_type.slice(0, 80)} is nested more than ${MAX_JSON_DEPTH} levels deep.`,
    hint: 'Store a flatter body; nothing was written.',
  });
}

function assertSize(entity: EntityType, bodyJson: string): void {
  // No character of a string takes more than three bytes.
  if (bodyJson.length * 3 <= MAX_BODY_BYTES) return;
  const bytes = Buffer.byteLength(bodyJson);
  if (bytes <= MAX_BODY_BYTES) return;
  throw new GuardKitError({
    code: 'entity.too-large',
    kind: 'input',
    message: `The body of this ${entity.type} is ${(bytes / 1_000_000).toFixed(1)} MB; at most 1 MB is stored.`,
    hint: 'Keep the large part in a file and store its path and a summary.',
  });
}

function resolveId(entity: EntityType, body: JsonObject, given: string | undefined): string {
  const derived = entity.id?.(body);
  const id = derived ?? given;
  if (id === undefined) {
    throw new GuardKitError({
      code: 'entity.no-id',
      kind: 'input',
      message: `A ${entity.type} needs an entity id.`,
      hint: 'Give an entity id.',
    });
  }
  assertEntityId(id);
  if (derived !== undefined && given !== undefined && derived !== given && !namesSame(entity, given, body)) {
    throw new GuardKitError({
      code: 'entity.id-mismatch',
      kind: 'input',
      message: `The given id is ${given.slice(0, 80)}, but this body has the id ${derived}.`,
      hint: `Use ${derived}, or fix the body.`,
    });
  }
  return id;
}

function namesSame(entity: EntityType, id: string, body: JsonObject): boolean {
  const filter = entity.idFilter?.(id);
  return filter !== undefined && Object.entries(filter).every(([field, value]) => body[field] === value);
}

function indexedFields(entity: EntityType, body: JsonObject): PreparedEpisode['fields'] {
  const fields: PreparedEpisode['fields'] = [];
  const add = (field: string, value: unknown) => {
    if (typeof value === 'boolean') fields.push({ field, value: value ? 1 : 0 });
    else if (typeof value === 'string' || typeof value === 'number') fields.push({ field, value });
  };
  for (const field of entity.indexed) {
    const value = body[field];
    if (Array.isArray(value)) for (const one of value) add(field, one);
    else add(field, value);
  }
  for (const [object, names = []] of Object.entries(entity.indexedWithin ?? {})) {
    const within = body[object];
    if (!isObject(within)) continue;
    for (const field of names) add(field, within[field]);
  }
  return fields;
}

/** Names and sources are shown on one line and compared as text: no control characters, no lone surrogates. */
function cleanLine(text: string): string {
  if (text.length <= MAX_LINE && PLAIN_LINE.test(text)) return text;
  const line = text
    .slice(0, MAX_LINE)
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
    .replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');
  // The cut may have left half of a surrogate pair, which toWellFormed replaced.
  return text.length > MAX_LINE ? line.replace(/\ufffd$/, '') : line;
}

/** Checks the names of a relation. */
export function prepareRelation(input: RelationInput): RelationInput {
  assertEntityId(input.from.id);
  assertEntityId(input.to.id);
  for (const { scope } of [input.from, input.to]) {
    if (scope !== '') parseGroup(formatGroup({ project: scope, name: 'features' }));
  }
  if (!/^[a-z][a-z0-9_]{0,60}$/.test(input.relation)) {
    throw new GuardKitError({
      code: 'relation.illegal',
      kind: 'input',
      message: `Invalid relation "${input.relation.slice(0, 60)}".`,
      hint: 'Use lower-case words joined by underscores, such as turn_of.',
    });
  }
  return input;
}
