import * as z from 'zod';

const text = z.string();

export const memorySchema = z.object({
  /** Null without a store, or without a checkout that names one. */
  store: z.object({ backend: text, location: text, size_bytes: z.int() }).nullable(),
  groups: z.array(
    z.object({
      group: text,
      /** Without the project. */
      name: text,
      scope: z.enum(['system', 'project']),
      episodes: z.int(),
      /** Fields to filter by. */
      fields: z.array(text),
    }),
  ),
  /** Ledger entries that are not in memory yet. */
  undelivered: z.int(),
});
export type MemoryAnswer = z.infer<typeof memorySchema>;

export const episodesSchema = z.object({
  episodes: z.array(
    z.object({
      group: text,
      entity_id: text,
      entity_type: text,
      name: text,
      text,
      valid_at: text,
      score: z.number().nullable(),
    }),
  ),
  more: z.boolean(),
  milliseconds: z.number(),
});
export type EpisodesAnswer = z.infer<typeof episodesSchema>;

const linkSchema = z.object({
  relation: text,
  id: text,
  direction: z.enum(['out', 'in']),
  /** Null if no episode of the other entity is stored. */
  group: text.nullable(),
});

export const episodeSchema = z.object({
  group: text,
  entity_id: text,
  entity_type: text,
  name: text,
  /** The newest first. */
  versions: z.array(
    z.object({
      uuid: text,
      source: text,
      valid_at: text,
      invalid_at: text.nullable(),
      created_at: text,
      expired_at: text.nullable(),
      /** Field by field, as JSON. */
      body: z.array(z.object({ field: text, value: text })),
      /** Compared with the version before. */
      changes: z.array(z.object({ path: text, before: text.nullable(), after: text.nullable() })),
    }),
  ),
  links: z.array(linkSchema),
  /** Other entities that the id names. */
  others: z.array(z.object({ group: text, entity_id: text })),
});
export type EpisodeAnswer = z.infer<typeof episodeSchema>;
