import * as z from 'zod';
import { type JsonObject, jsonObjectSchema } from '../../domain/json/json.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import { inTransaction } from '../../store/ledger/in-transaction.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import {
  type DrivenSessionRow,
  putSessionRow,
  readSessionRow,
  readSessionRows,
} from '../../store/ledger/tables/session-table.ts';
import { type Session, sessionSchema } from '../session/session.ts';

/** A session as the ledger has it. */
export interface KeptSession {
  session: Session;
  /** When it was started. */
  began_at: string;
  /** The checkout in which it was started, by its real path. */
  checkout: string;
  /** The agent's own session that drives it; null where GuardKit does. */
  agent_session: string | null;
  /** What whoever drives it needs besides; parsed by them. */
  details: JsonObject;
}

export function readKeptSession(ledger: Ledger, project: string, id: string): KeptSession | undefined {
  const row = readSessionRow(ledger, project, id);
  return row && parse(ledger, row);
}

/** Those that have not ended, the newest first. */
export function openSessions(ledger: Ledger, project: string): KeptSession[] {
  return readSessionRows(ledger, project, { ended: false }).map((row) => parse(ledger, row));
}

/** Those that have, the newest first. */
export function endedSessions(ledger: Ledger, project: string, limit?: number): KeptSession[] {
  const range = limit === undefined ? { ended: true } : { ended: true, limit };
  return readSessionRows(ledger, project, range).map((row) => parse(ledger, row));
}

/** In a transaction of the caller's, in which it has read what it changes. */
export function keepSession(ledger: Ledger, project: string, kept: KeptSession): void {
  putSessionRow(ledger, {
    project,
    id: kept.session.session,
    began_at: Date.parse(kept.began_at),
    ended: kept.session.phase === 'ended' ? 1 : 0,
    checkout: kept.checkout,
    agent_session: kept.agent_session,
    body: JSON.stringify(kept.session),
    details: JSON.stringify(kept.details),
  });
}

/** Changes what is kept besides, and nothing else; what is kept then. */
export function changeDetails(
  { ledger, project }: { ledger: Ledger; project: string },
  id: string,
  change: (before: KeptSession) => JsonObject,
): KeptSession {
  return inTransaction(ledger, () => {
    const before = readKeptSession(ledger, project, id);
    if (!before) throw unknownSession(id);
    const next = { ...before, details: change(before) };
    if (JSON.stringify(next.details) !== JSON.stringify(before.details)) keepSession(ledger, project, next);
    return next;
  });
}

const rowSchema = z.object({ body: sessionSchema, details: jsonObjectSchema });

function parse(ledger: Ledger, row: DrivenSessionRow): KeptSession {
  const parsed = rowSchema.safeParse({ body: readJson(row.body), details: readJson(row.details) });
  if (!parsed.success)
    throw new GuardKitError({
      code: 'session.unreadable',
      kind: 'outside',
      message: `What the ledger ${ledger.path} says of session ${row.id.slice(0, 80)} cannot be read.`,
      hint: 'Another version of guardkit may have written it; use that one to end the session.',
    });
  return {
    session: parsed.data.body,
    began_at: new Date(row.began_at).toISOString(),
    checkout: row.checkout,
    agent_session: row.agent_session,
    details: parsed.data.details,
  };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No schema accepts undefined, so the caller answers for it as for any that does not fit.
    return undefined;
  }
}

export function unknownSession(id: string): GuardKitError {
  return new GuardKitError({
    code: 'session.unknown',
    kind: 'input',
    message: `There is no session ${id.slice(0, 80)} in this project.`,
    hint: '`guardkit session status` shows the one that is under way.',
  });
}
