import type * as z from 'zod';
import { GuardKitError } from '../../guardkit-error.ts';
import type { JsonObject } from '../json/json.ts';
import type { RenamedFields } from '../json/renamed-fields.ts';

const ENTITY_ID = /^[A-Za-z0-9][A-Za-z0-9._:@/#+-]*$/;
const MAX_LENGTH = 256;

export function isEntityId(text: string): boolean {
  return text.length <= MAX_LENGTH && ENTITY_ID.test(text);
}

export function assertEntityId(text: string): void {
  if (isEntityId(text)) return;
  throw new GuardKitError({
    code: 'entity.illegal-id',
    kind: 'input',
    message: `"${text.slice(0, 80)}" is not a valid entity id.`,
    hint: `Use 1 to ${MAX_LENGTH} letters, digits or . _ : @ / # + -, starting with a letter or digit.`,
  });
}

/** An edge implied by an entity's body. Its target may have no episode. */
export interface DeclaredRelation {
  relation: string;
  to: string;
}

/** Everything that the store, the commands and the prompts need about one entity type. */
export interface EntityDeclaration<Body extends JsonObject> {
  readonly type: string;
  /** Bare names of the allowed groups. */
  readonly groups: readonly string[];
  /** Must refuse unknown keys, or a misspelt field would be dropped silently. */
  readonly schema: z.ZodType<Body>;
  /** Absent if the writer chooses the id. */
  readonly id?: (body: Body) => string;
  readonly name: (body: Body) => string;
  /** The text that search indexes; its first line is the summary shown to people. */
  readonly text: (body: Body) => string;
  /** Top-level fields that `list` can filter and sort by, most selective first. */
  readonly indexed: readonly (keyof Body & string)[];
  /** Fields of a top-level object that can be filtered by in the same way, under their own names. */
  readonly indexedWithin?: { readonly [Field in keyof Body & string]?: readonly string[] };
  /** The indexed field whose highest value is the latest (default: the newest version). */
  readonly latestBy?: keyof Body & string;
  /** Top-level fields in which secrets are scrubbed, at any depth. */
  readonly freeText: readonly (keyof Body & string)[];
  /** Old names of stored fields, read under the new name. */
  readonly renamed?: RenamedFields;
  readonly relations?: (body: Body) => DeclaredRelation[];
  /** Converts an id that names several entities to a filter on indexed fields. */
  readonly idFilter?: (id: string) => Partial<Record<keyof Body & string, string | number>> | undefined;
}

/** A declaration whose functions only receive bodies parsed by its own schema. */
export type EntityType = EntityDeclaration<JsonObject>;

/** Checks a declaration's field names against its schema, then erases the body type. */
export function defineEntity<Body extends JsonObject>(declaration: EntityDeclaration<Body>): EntityType {
  // Sound because the store parses every body with this schema before it calls any of these functions.
  return declaration as unknown as EntityType;
}

export type EntityRegistry = ReadonlyMap<string, EntityType>;

export function entityRegistry(types: readonly EntityType[]): EntityRegistry {
  return new Map(types.map((entity) => [entity.type, entity]));
}
