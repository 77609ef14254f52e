import * as z from 'zod';
import type { JsonObject } from '../../domain/json/json.ts';
import { jsonObjectSchema } from '../../domain/json/json-schema.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import { inTransaction } from '../../store/ledger/in-transaction.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import {
  type DrivenSessionRow,
  putSessionRow,
  readSessionRow,
  readSessionRows,
} from '../../store/ledger/tables/driven-sessions.ts';
import { type Session, sessionSchema } from '../session/session.ts';

/** A stored session. */
export interface KeptSession {
  session: Session;
  /** When it was started. */
  began_at: string;
  /** Real path of the checkout in which it was started. */
  checkout: string;
  /** The agent session that drives it; null if GuardKit does. */
  agent_session: string | null;
  /** The driver's own data, parsed by the driver. */
  details: JsonObject;
}

export function readKeptSession(ledger: Ledger, project: string, id: string): KeptSession | undefined {
  const row = readSessionRow(ledger, project, id);
  return row && parse(ledger, row);
}

/** Sessions that have not ended, the newest first. */
export function openSessions(ledger: Ledger, project: string): KeptSession[] {
  return readSessionRows(ledger, project, { ended: false }).map((row) => parse(ledger, row));
}

/** Ended sessions, the newest first. */
export function endedSessions(ledger: Ledger, project: string, limit?: number): KeptSession[] {
  const range = limit === undefined ? { ended: true } : { ended: true, limit };
  return readSessionRows(ledger, project, range).map((row) => parse(ledger, row));
}

/** Call it in the transaction that read the session. */
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

/** Changes only the details. */
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
      message: `Cannot read session ${row.id.slice(0, 80)} in the ledger ${ledger.path}.`,
      hint: 'Another version of guardkit may have written it; use that version to end the session.',
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
    // Safe: no schema accepts undefined, so the caller reports it as unreadable.
    return undefined;
  }
}

export function unknownSession(id: string): GuardKitError {
  return new GuardKitError({
    code: 'session.unknown',
    kind: 'input',
    message: `No session ${id.slice(0, 80)} in this project.`,
    hint: '`guardkit session status` shows the open session.',
  });
}
