import * as z from 'zod';
import { SESSION_AGENTS } from '../../domain/entities/session-state.ts';
import type { JsonObject } from '../../domain/json/json.ts';

/** One agent of the session that has begun and not ended, as far as anybody told. */
const atWorkSchema = z.strictObject({
  /** The agent's own id in its program. */
  id: z.string(),
  agent: z.enum(SESSION_AGENTS),
  /** What it was given to do; null for the initializer. */
  feature: z.string().nullable().default(null),
});

export type AgentAtWork = z.infer<typeof atWorkSchema>;

const beganSchema = z.strictObject({
  feature: z.string(),
  tree: z.string(),
  /** Files that changed while the session rested. */
  theirs: z.array(z.string()).default([]),
});

export type Began = z.infer<typeof beganSchema>;

/** What a session inside an agent's program needs beside the machine. */
export const detailsSchema = z.strictObject({
  /** The commit that everything in the session is judged against; null until there is one. */
  base: z.string().nullable(),
  /** GuardKit made that commit of what the initializer left. */
  base_made: z.boolean(),
  /** What a person wants built, in their words or as a file's path; for the initializer. */
  brief: z.string(),
  /** What the names of the session's agents begin with: `guardkit:` where they come with the plugin. */
  prefix: z.string(),
  at_work: atWorkSchema.nullable(),
  /** The files as they were when the feature at work was begun, as a tree. */
  began: beganSchema.nullable(),
  /** The same when the session was laid to rest and nobody was at work: what changes from then on is a person's. */
  rested: z.string().nullable().default(null),
  /** How often in a row the agent that talks to the person was kept from stopping. */
  blocks: z.int().min(0),
  /** The agent was told how the session ended. */
  told_end: z.boolean(),
  /** What the person is told as soon as somebody asks. */
  notices: z.array(z.string()).default([]),
});

export type Details = z.infer<typeof detailsSchema>;

export function newDetails(given: Pick<Details, 'base' | 'brief' | 'prefix'>): Details {
  return {
    ...given,
    base_made: false,
    at_work: null,
    began: null,
    rested: null,
    blocks: 0,
    told_end: false,
    notices: [],
  };
}

/** What cannot be read is as at the beginning: the machine itself is kept apart from it. */
export function readDetails(kept: { details: JsonObject }): Details {
  const read = detailsSchema.safeParse(kept.details);
  return read.success ? read.data : newDetails({ base: null, brief: '', prefix: '' });
}
