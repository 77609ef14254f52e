import type { JsonObject } from '../../domain/json/json.ts';
import { noteSession } from '../../enforcement/actions/sessions.ts';
import {
  changeDetails,
  endedSessions,
  type KeptSession,
  openSessions,
} from '../session-record/kept-session.ts';
import { type Details, readDetails } from './details.ts';
import { isDriven } from './is-driven.ts';
import type { SessionContext } from './session-context.ts';

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
