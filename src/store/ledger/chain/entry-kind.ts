import type * as z from 'zod';
import type { EpisodeInput } from '../../../domain/entities/episode.ts';
import type { JsonObject } from '../../../domain/json/json.ts';
import type { RenamedFields } from '../../../domain/json/renamed-fields.ts';
import { GuardKitError } from '../../../guardkit-error.ts';

/** What an entry says, without its place in the chain. */
export interface RecordedEntry<Body extends JsonObject> {
  /** The id of the ledger that it is in. */
  ledger: string;
  project: string;
  number: number;
  /** When it was recorded. Order is the number's: a clock may be set back. */
  at: string;
  body: Body;
}

/** Everything the ledger needs to know of one kind of entry, in one place. */
export interface EntryKindDeclaration<Body extends JsonObject> {
  readonly kind: string;
  /** Unknown keys must be refused by it. It must go on reading what earlier versions of it wrote. */
  readonly schema: z.ZodType<Body>;
  /** Top-level fields whose strings, at any depth, are scrubbed of secrets. */
  readonly freeText: readonly (keyof Body & string)[];
  /** What was recorded under an old name is read under its new one; the chain keeps it as it is. */
  readonly renamed?: RenamedFields;
  /** What the episode store is told of such an entry; left out where the entry stays in the ledger alone. */
  readonly episodes?: (entry: RecordedEntry<Body>) => EpisodeInput[];
}

/** A declaration whose functions are only ever given bodies that its own schema has parsed. */
export type EntryKind = EntryKindDeclaration<JsonObject>;

/** Checks a declaration's field names against its schema, then forgets the body's exact type. */
export function defineEntryKind<Body extends JsonObject>(declaration: EntryKindDeclaration<Body>): EntryKind {
  // Sound because the ledger parses every body by this schema before it calls `episodes`.
  return declaration as unknown as EntryKind;
}

export type EntryKindRegistry = ReadonlyMap<string, EntryKind>;

export function entryKindRegistry(kinds: readonly EntryKind[]): EntryKindRegistry {
  return new Map(kinds.map((kind) => [kind.kind, kind]));
}

export function requireEntryKind(registry: EntryKindRegistry, kind: string): EntryKind {
  const found = registry.get(kind);
  if (found) return found;
  throw new GuardKitError({
    code: 'ledger.unknown-kind',
    kind: 'input',
    message: `There is no kind of ledger entry named "${kind.slice(0, 80)}".`,
    hint: `Known kinds: ${[...registry.keys()].sort().join(', ')}.`,
  });
}
