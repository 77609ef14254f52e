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
    message: `"${text.slice(0, 80)}" is not a legal entity id.`,
    hint: `An id is 1 to ${MAX_LENGTH} letters, digits and . _ : @ / # + - , and begins with a letter or digit.`,
  });
}

/** The other end of an edge that an entity's body implies. It may name something that has no episode. */
export interface DeclaredRelation {
  relation: string;
  to: string;
}

/** Everything the store, the commands and the prompts need to know of one kind of entity, in one place. */
export interface EntityDeclaration<Body extends JsonObject> {
  readonly type: string;
  /** Bare names of the groups it may live in. */
  readonly groups: readonly string[];
  /** Unknown keys must be refused by it, or a misspelt field would be stored as nothing. */
  readonly schema: z.ZodType<Body>;
  /** Left out where the writer chooses the id. */
  readonly id?: (body: Body) => string;
  readonly name: (body: Body) => string;
  /** Its first line tells a person what this is; all of it is what search finds it by. */
  readonly text: (body: Body) => string;
  /** Top-level fields that `list` may filter and sort on, the most selective first. */
  readonly indexed: readonly (keyof Body & string)[];
  /** Fields of a top-level object that may be filtered on likewise, each by its own name. */
  readonly indexedWithin?: { readonly [Field in keyof Body & string]?: readonly string[] };
  /** The indexed field whose highest value is the latest; without it the newest version is. */
  readonly latestBy?: keyof Body & string;
  /** Top-level fields whose strings, at any depth, are scrubbed of secrets. */
  readonly freeText: readonly (keyof Body & string)[];
  /** What was stored under an old name is read under its new one. */
  readonly renamed?: RenamedFields;
  readonly relations?: (body: Body) => DeclaredRelation[];
  /** Reads an id form that names several entities, as a filter on indexed fields. */
  readonly idFilter?: (id: string) => Partial<Record<keyof Body & string, string | number>> | undefined;
}

/** A declaration whose functions are only ever given bodies that its own schema has parsed. */
export type EntityType = EntityDeclaration<JsonObject>;

/** Checks a declaration's field names against its schema, then forgets the body's exact type. */
export function defineEntity<Body extends JsonObject>(declaration: EntityDeclaration<Body>): EntityType {
  // Sound because the store parses every body by this schema before it calls any of these functions.
  return declaration as unknown as EntityType;
}

export type EntityRegistry = ReadonlyMap<string, EntityType>;

export function entityRegistry(types: readonly EntityType[]): EntityRegistry {
  return new Map(types.map((entity) => [entity.type, entity]));
}
