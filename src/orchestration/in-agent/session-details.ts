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

/** The running agent of the session, as far as known. */
const atWorkSchema = z.strictObject({
  /** The agent's id in its program. */
  id: z.string(),
  agent: z.enum(SESSION_AGENTS),
  /** Its feature; null for the initializer. */
  feature: z.string().nullable().default(null),
});

export type AgentAtWork = z.infer<typeof atWorkSchema>;

const beganSchema = z.strictObject({
  feature: z.string(),
  tree: z.string(),
  /** Files that changed while the session was paused. */
  theirs: z.array(z.string()).default([]),
});

export type Began = z.infer<typeof beganSchema>;

/** Data of a session inside an agent program, in addition to the machine's state. */
const detailsSchema = z.strictObject({
  /** The base commit of the session; null until there is one. */
  base: z.string().nullable(),
  /** GuardKit created that commit from the initializer's work. */
  base_made: z.boolean(),
  /** What a person wants built, as text or a file's path; for the initializer. */
  brief: z.string(),
  /** Prefix of the agents' names: `guardkit:` if they come with the plugin. */
  prefix: z.string(),
  at_work: atWorkSchema.nullable(),
  /** The tree when the current feature began. */
  began: beganSchema.nullable(),
  /** The tree when the session was paused with no agent running: later changes are a person's. */
  rested: z.string().nullable().default(null),
  /** How often in a row the orchestrating agent was kept from stopping. */
  blocks: z.int().min(0),
  /** The end of the session was reported to the agent. */
  told_end: z.boolean(),
  /** Notices to show to the person with the next answer. */
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

/** Unreadable details fall back to new ones; the machine's state is stored separately. */
export function readDetails(kept: { details: JsonObject }): Details {
  const read = detailsSchema.safeParse(kept.details);
  return read.success ? read.data : newDetails({ base: null, brief: '', prefix: '' });
}

/** The session that an agent session drives, or whose end it has not been told. */
export function findDriven(
  { ledger, project }: Pick<SessionContext, 'ledger' | 'project'>,
  agentSession: string,
): KeptSession | undefined {
  const open = openSessions(ledger, project).find((one) => one.agent_session === agentSession);
  if (open) return open;
  const [last] = endedSessions(ledger, project, 1);
  return last?.agent_session === agentSession && !readDetails(last).told_end ? last : undefined;
}

/** Changes the details of a session. */
export function noteDetails(
  context: Pick<SessionContext, 'ledger' | 'project'>,
  id: string,
  change: Partial<Details> | ((before: Details) => Partial<Details>),
): KeptSession {
  return changeDetails(context, id, (kept) => {
    const before = readDetails(kept);
    const details = { ...before, ...(typeof change === 'function' ? change(before) : change) };
    return details as unknown as JsonObject;
  });
}

/** Returns the notices for the person and clears them. */
export function takeNotices(
  context: Pick<SessionContext, 'ledger' | 'project'>,
  kept: KeptSession,
): readonly string[] {
  const { notices } = readDetails(kept);
  if (notices.length > 0) noteDetails(context, kept.session.session, { notices: [] });
  return notices;
}

/** Guards for driven sessions apply only while the session is neither paused nor ended. */
export function noteDriven(
  { watch }: Pick<SessionContext, 'watch'>,
  { session, agent_session }: KeptSession,
  agent: string,
): void {
  if (agent_session === null) return;
  const work = { feature: session.feature, task: null, turn: null };
  noteSession(watch, { session: agent_session, agent, driven: isDriven(session), work });
}
