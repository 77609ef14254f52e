import * as z from 'zod';
import { SESSION_AGENTS } from '../../domain/entities/session-state.ts';
import type { JsonObject } from '../../domain/json/json.ts';
import { noteSession } from '../../enforcement/actions/sessions.ts';
import { isDriven } from '../session/session.ts';
import {
  changeDetails,
  endedSessions,
  type KeptSession,
  openSessions,
} from '../session-record/kept-session.ts';
import type { SessionContext } from './session-context.ts';

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
const detailsSchema = z.strictObject({
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

/** The session that an agent's own session drives, or has just ended. */
export function findDriven(
  { ledger, project }: Pick<SessionContext, 'ledger' | 'project'>,
  agentSession: string,
): KeptSession | undefined {
  const open = openSessions(ledger, project).find((one) => one.agent_session === agentSession);
  if (open) return open;
  const [last] = endedSessions(ledger, project, 1);
  return last?.agent_session === agentSession && !readDetails(last).told_end ? last : undefined;
}

/** Notes what a session inside an agent's program needs beside the machine; what is kept then. */
export function noteDetails(
  ground: Pick<SessionContext, 'ledger' | 'project'>,
  id: string,
  change: Partial<Details> | ((before: Details) => Partial<Details>),
): KeptSession {
  return changeDetails(ground, id, (kept) => {
    const before = readDetails(kept);
    const details = { ...before, ...(typeof change === 'function' ? change(before) : change) };
    return details as unknown as JsonObject;
  });
}

/** What the person has not been told yet; they are from now on. */
export function takeNotices(
  ground: Pick<SessionContext, 'ledger' | 'project'>,
  kept: KeptSession,
): readonly string[] {
  const { notices } = readDetails(kept);
  if (notices.length > 0) noteDetails(ground, kept.session.session, { notices: [] });
  return notices;
}

/** Guards for driven sessions hold while it goes on by itself, and rest while a person leads. */
export function noteDriven(
  { watch }: Pick<SessionContext, 'watch'>,
  { session, agent_session }: KeptSession,
  agent: string,
): void {
  if (agent_session === null) return;
  const work = { feature: session.feature, task: null, turn: null };
  noteSession(watch, { session: agent_session, agent, driven: isDriven(session), work });
}
