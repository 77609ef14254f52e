import type { DatabaseKind } from '../../sqlite/open-database.ts';
import { ENFORCEMENT_TABLES } from './enforcement-tables.ts';
import { KEPT_TABLES } from './kept-tables.ts';
import { LEARNING_TABLES } from './learning-tables.ts';
import { SESSION_TABLES } from './session-tables.ts';

const FIRST = `
  CREATE TABLE ledger (id TEXT NOT NULL) STRICT;
  INSERT INTO ledger (id) VALUES (lower(hex(randomblob(16))));

  CREATE TABLE entries (
    project TEXT NOT NULL,
    number INTEGER NOT NULL CHECK (number >= 1),
    kind TEXT NOT NULL,
    at INTEGER NOT NULL,
    body TEXT NOT NULL,
    prev_hash TEXT NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (project, number)
  ) STRICT;
  CREATE INDEX entries_by_kind ON entries (project, kind, number);

  -- Where each chain ends: without it the removal of the last entries would leave a chain that looks whole.
  CREATE TABLE heads (
    project TEXT NOT NULL PRIMARY KEY,
    number INTEGER NOT NULL,
    hash TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- Entries that the episode store has not been told of; the id gives their age across projects.
  CREATE TABLE outbox (
    id INTEGER PRIMARY KEY,
    project TEXT NOT NULL,
    number INTEGER NOT NULL,
    refused TEXT,
    UNIQUE (project, number)
  ) STRICT;
  CREATE INDEX outbox_pending ON outbox (project, number) WHERE refused IS NULL;

  CREATE TRIGGER ledger_id_is_fixed BEFORE UPDATE ON ledger
    BEGIN SELECT RAISE(ABORT, 'the id of a ledger never changes'); END;
  CREATE TRIGGER ledger_id_stays BEFORE DELETE ON ledger
    BEGIN SELECT RAISE(ABORT, 'the id of a ledger never changes'); END;
  CREATE TRIGGER entries_are_fixed BEFORE UPDATE ON entries
    BEGIN SELECT RAISE(ABORT, 'ledger entries are never changed'); END;
  CREATE TRIGGER entries_stay BEFORE DELETE ON entries
    BEGIN SELECT RAISE(ABORT, 'ledger entries are never removed'); END;
  -- Also what stops INSERT OR REPLACE, which removes a row without asking the trigger above.
  CREATE TRIGGER entries_go_to_the_end BEFORE INSERT ON entries
    WHEN NEW.number <> 1 + coalesce((SELECT number FROM heads WHERE project = NEW.project), 0)
    BEGIN SELECT RAISE(ABORT, 'ledger entries are only added at the end'); END;
  CREATE TRIGGER heads_go_forward BEFORE UPDATE ON heads
    WHEN NEW.project <> OLD.project OR NEW.number <= OLD.number
    BEGIN SELECT RAISE(ABORT, 'the head of a ledger only goes forward'); END;
  CREATE TRIGGER heads_stay BEFORE DELETE ON heads
    BEGIN SELECT RAISE(ABORT, 'the head of a ledger is never removed'); END;
`;

/** Fields of a body by which entries are looked up, each with an index of its own. */
const LOOKUP_FIELDS = ['tree', 'feature_id', 'task_id'] as const;

export type LookupField = (typeof LOOKUP_FIELDS)[number];

/** A field's value as SQL has it, in the words of its index. A body that is no JSON has none, and is found out when it is read. */
function lookupValue(field: LookupField): string {
  return `iif(json_valid(body), body ->> '$.${field}', NULL)`;
}

/** The numbers of a project's entries of a kind with this value, newest first. */
export function lookupNumbers(field: LookupField): string {
  return `SELECT number FROM entries WHERE project = @project AND kind = @kind AND ${lookupValue(field)} = @value
    ORDER BY number DESC`;
}

const LOOKUPS = LOOKUP_FIELDS.map(
  (field) => `
  CREATE INDEX entries_by_${field} ON entries (project, kind, ${lookupValue(field)}, number)
    WHERE ${lookupValue(field)} IS NOT NULL;`,
).join('');

export const LEDGER_DATABASE: DatabaseKind = {
  label: 'ledger',
  applicationId: 0x474b4c47,
  migrations: [FIRST, LOOKUPS, ENFORCEMENT_TABLES, SESSION_TABLES + LEARNING_TABLES + KEPT_TABLES],
  synchronous: 'FULL',
};
