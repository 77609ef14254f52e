import type * as z from 'zod';
import type { EpisodeInput } from '../../../domain/entities/episode.ts';
import type { JsonObject } from '../../../domain/json/json.ts';
import type { RenamedFields } from '../../../domain/json/renamed-fields.ts';
import { GuardKitError } from '../../../guardkit-error.ts';

/** The content of an entry, without its place in the chain. */
export interface RecordedEntry<Body extends JsonObject> {
  /** The id of its ledger. */
  ledger: string;
  project: string;
  number: number;
  /** When it was recorded. The number defines the order: a clock may be set back. */
  at: string;
  body: Body;
}

/** The declaration of one kind of entry. */
export interface EntryKindDeclaration<Body extends JsonObject> {
  readonly kind: string;
  /** Must refuse unknown keys, and must still read what its earlier versions wrote. */
  readonly schema: z.ZodType<Body>;
  /** Top-level fields whose strings, at any depth, are scrubbed of secrets. */
  readonly freeText: readonly (keyof Body & string)[];
  /** Fields recorded under an old name are read under the new one; the chain stays unchanged. */
  readonly renamed?: RenamedFields;
  /** The episodes that the store receives for such an entry; omitted if the entry stays in the ledger. */
  readonly episodes?: (entry: RecordedEntry<Body>) => EpisodeInput[];
}

/** A declaration whose functions only receive bodies parsed by its own schema. */
export type EntryKind = EntryKindDeclaration<JsonObject>;

/** Checks a declaration's field names against its schema, then erases the body's type. */
export function defineEntryKind<Body extends JsonObject>(declaration: EntryKindDeclaration<Body>): EntryKind {
  // Sound because the ledger parses every body with this schema before it calls `episodes`.
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
    message: `Unknown kind of ledger entry "${kind.slice(0, 80)}".`,
    hint: `Known kinds: ${[...registry.keys()].sort().join(', ')}.`,
  });
}
