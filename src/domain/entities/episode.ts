import * as z from 'zod';
import type { JsonObject } from '../json/json.ts';
import { jsonObjectSchema } from '../json/json-schema.ts';
import { timestampSchema } from '../timestamp.ts';

/**
 * One version of one entity. `valid_at`/`invalid_at`: when it was true; `created_at`/`expired_at`: when it was known.
 * Null is an open end.
 */
export const episodeSchema = z.strictObject({
  uuid: z.uuid(),
  group: z.string(),
  entity_id: z.string(),
  entity_type: z.string(),
  name: z.string(),
  body: jsonObjectSchema,
  source: z.string(),
  content_hash: z.string().regex(/^[0-9a-f]{64}$/),
  valid_at: timestampSchema,
  invalid_at: timestampSchema.nullable(),
  created_at: timestampSchema,
  expired_at: timestampSchema.nullable(),
});

export interface Episode<Body extends JsonObject = JsonObject>
  extends Omit<z.infer<typeof episodeSchema>, 'body'> {
  body: Body;
}

/** The writer's input; the rest of a version is derived. */
export interface EpisodeInput {
  group: string;
  entity_type: string;
  body: unknown;
  /** Required only if the entity type does not derive it from the body. */
  entity_id?: string;
  name?: string;
  /** Who or what wrote it. */
  source?: string;
  /** When it became true (default: now). */
  valid_at?: string;
}

/** A relation between two entities, by scope and id, with the same two time axes as an episode. */
export const edgeSchema = z.strictObject({
  uuid: z.uuid(),
  /** The project, or empty for the system. */
  from_scope: z.string(),
  from_id: z.string(),
  relation: z.string(),
  to_scope: z.string(),
  to_id: z.string(),
  valid_at: timestampSchema,
  invalid_at: timestampSchema.nullable(),
  created_at: timestampSchema,
  expired_at: timestampSchema.nullable(),
});

export type Edge = z.infer<typeof edgeSchema>;

/** Delivered by the outbox: recorded by GuardKit. */
export const LEDGER_SOURCE = 'ledger';

/** Written by a person at a terminal. */
export const PERSON_SOURCE = 'person';

/** Written by any other program, agents included. */
export const PROGRAM_SOURCE = 'program';

/** Readers trust these sources more than a program, so a program may not claim them. */
const BELIEVED: ReadonlySet<string> = new Set([LEDGER_SOURCE, PERSON_SOURCE, 'guardkit', 'system_seeding']);

export function isBelievedSource(source: string): boolean {
  return BELIEVED.has(source);
}
