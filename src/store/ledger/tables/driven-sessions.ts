import { type Fits, isShape, isText, isWhole, orNull } from '../../../domain/json/plain-shape.ts';
import { lazyStatements, perDatabase } from '../../sqlite/statements.ts';
import type { Ledger } from '../ledger.ts';
import { brokenLedger } from '../open-ledger-file.ts';

/** A driven session; `body` and `details` are JSON. */
export interface DrivenSessionRow {
  project: string;
  id: string;
  began_at: number;
  ended: number;
  checkout: string;
  agent_session: string | null;
  body: string;
  details: string;
}

const isRow: Fits<DrivenSessionRow> = isShape({
  project: isText,
  id: isText,
  began_at: isWhole,
  ended: isWhole,
  checkout: isText,
  agent_session: orNull(isText),
  body: isText,
  details: isText,
});

export function readSessionRow(ledger: Ledger, project: string, id: string): DrivenSessionRow | undefined {
  return rows(ledger, () => statements(ledger).one.all(project, id))[0];
}

/** Newest first. */
export function readSessionRows(
  ledger: Ledger,
  project: string,
  { ended, limit = -1 }: { ended: boolean; limit?: number },
): DrivenSessionRow[] {
  return rows(ledger, () => statements(ledger).all.all(project, ended ? 1 : 0, limit));
}

export function putSessionRow(ledger: Ledger, row: DrivenSessionRow): void {
  ledger.file.attempt(() => statements(ledger).put.run(row));
}

function rows(ledger: Ledger, read: () => unknown[]): DrivenSessionRow[] {
  const found = ledger.file.attempt(read);
  if (found.every(isRow)) return found;
  throw brokenLedger(ledger.path, 'a driven session is unreadable');
}

function statements({ file: { database } }: Ledger): ReturnType<typeof prepare> {
  return prepare(database);
}

const COLUMNS = 'project, id, began_at, ended, checkout, agent_session, body, details';

const prepare = perDatabase((database) =>
  lazyStatements({
    one: () => database.prepare(`SELECT ${COLUMNS} FROM driven_sessions WHERE project = ? AND id = ?`),
    all: () =>
      database.prepare(
        `SELECT ${COLUMNS} FROM driven_sessions WHERE project = ? AND ended = ? ORDER BY began_at DESC, id LIMIT ?`,
      ),
    put: () =>
      database.prepare(
        `INSERT INTO driven_sessions (${COLUMNS})
         VALUES (@project, @id, @began_at, @ended, @checkout, @agent_session, @body, @details)
         ON CONFLICT (project, id) DO UPDATE SET
           ended = excluded.ended, agent_session = excluded.agent_session,
           body = excluded.body, details = excluded.details`,
      ),
  }),
);
