/** The chain itself: entries can only be added, and only at the end. */
export const CHAIN_TABLES = `
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

  -- The end of each chain: without it, a chain without its last entries would look intact.
  CREATE TABLE heads (
    project TEXT NOT NULL PRIMARY KEY,
    number INTEGER NOT NULL,
    hash TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- Entries not delivered to the episode store yet; the id gives their age across projects.
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
  -- Also stops INSERT OR REPLACE, which deletes a row without firing the trigger above.
  CREATE TRIGGER entries_go_to_the_end BEFORE INSERT ON entries
    WHEN NEW.number <> 1 + coalesce((SELECT number FROM heads WHERE project = NEW.project), 0)
    BEGIN SELECT RAISE(ABORT, 'ledger entries are only added at the end'); END;
  CREATE TRIGGER heads_go_forward BEFORE UPDATE ON heads
    WHEN NEW.project <> OLD.project OR NEW.number <= OLD.number
    BEGIN SELECT RAISE(ABORT, 'the head of a ledger only goes forward'); END;
  CREATE TRIGGER heads_stay BEFORE DELETE ON heads
    BEGIN SELECT RAISE(ABORT, 'the head of a ledger is never removed'); END;
`;

/** Body fields for looking up entries, each with its own index. */
const LOOKUP_FIELDS = ['tree', 'feature_id', 'task_id'] as const;

export type LookupField = (typeof LOOKUP_FIELDS)[number];

/**
 * SQL for a field's value, exactly as in its index. A body that is not JSON has no value, and fails when it is read.
 */
function lookupValue(field: LookupField): string {
  return `iif(json_valid(body), body ->> '$.${field}', NULL)`;
}

/** SQL for the numbers of a project's entries of a kind with this value, newest first. */
export function lookupNumbers(field: LookupField): string {
  return `SELECT number FROM entries WHERE project = @project AND kind = @kind AND ${lookupValue(field)} = @value
    ORDER BY number DESC`;
}

export const LOOKUPS = LOOKUP_FIELDS.map(
  (field) => `
  CREATE INDEX entries_by_${field} ON entries (project, kind, ${lookupValue(field)}, number)
    WHERE ${lookupValue(field)} IS NOT NULL;`,
).join('');
