import type { DatabaseKind } from '../../sqlite/open-database.ts';

/** The state that every hook reads and writes. Not part of the chain, which records the events. */
const ENFORCEMENT_TABLES = `
  -- The features as the chain leaves them, so that a hook need not walk it.
  CREATE TABLE features (
    project TEXT NOT NULL,
    id TEXT NOT NULL,
    position INTEGER NOT NULL,
    body TEXT NOT NULL,
    -- The entry that said so last.
    number INTEGER NOT NULL,
    PRIMARY KEY (project, id)
  ) STRICT, WITHOUT ROWID;

  -- Files that an agent may not change, as they were last found when no agent was acting.
  CREATE TABLE watched (
    project TEXT NOT NULL,
    checkout TEXT NOT NULL,
    path TEXT NOT NULL,
    -- What the system tells of a file without reading it; a change of it is a reason to read.
    stamp TEXT NOT NULL,
    hash TEXT NOT NULL,
    mode INTEGER NOT NULL,
    PRIMARY KEY (project, checkout, path)
  ) STRICT, WITHOUT ROWID;

  -- Their contents, to put back.
  CREATE TABLE kept (
    hash TEXT NOT NULL PRIMARY KEY,
    content BLOB NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- Actions of agents that have begun and not ended, and what they left running.
  CREATE TABLE windows (
    project TEXT NOT NULL,
    checkout TEXT NOT NULL,
    session TEXT NOT NULL,
    action TEXT NOT NULL,
    opened_at INTEGER NOT NULL,
    -- JSON: what the window has to remember of the action and of its processes.
    body TEXT NOT NULL,
    PRIMARY KEY (project, checkout, session, action)
  ) STRICT, WITHOUT ROWID;

  -- Sessions of agents that hooks have told of.
  CREATE TABLE sessions (
    project TEXT NOT NULL,
    session TEXT NOT NULL,
    began_at INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (project, session)
  ) STRICT, WITHOUT ROWID;

  -- What was read from a file that is costly to read, for as long as the file keeps its stamp.
  CREATE TABLE readings (
    path TEXT NOT NULL PRIMARY KEY,
    stamp TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
`;

/**
 * The state of learning between two runs, and the learned guards. Changes of guards are in the chain; groups can be
 * rebuilt from the traces.
 */
const LEARNING_TABLES = `
  -- Traces that were looked at, so that one which is delivered again does not count twice.
  CREATE TABLE seen_traces (
    project TEXT NOT NULL,
    trace TEXT NOT NULL,
    PRIMARY KEY (project, trace)
  ) STRICT, WITHOUT ROWID;

  -- Traces that have something in common, whether they are a pattern yet or not.
  CREATE TABLE trace_groups (
    project TEXT NOT NULL,
    id TEXT NOT NULL,
    -- What they agree in to the letter; within it they are alike in words.
    bucket TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (project, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX trace_groups_by_bucket ON trace_groups (project, bucket);

  -- Guards that were made of patterns, as the chain leaves them; the project is empty for those that all share.
  CREATE TABLE learned_guards (
    project TEXT NOT NULL,
    id TEXT NOT NULL,
    -- What every hook asks for, apart from the rest, which is longer.
    mode TEXT NOT NULL,
    origin TEXT NOT NULL,
    definition TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (project, id)
  ) STRICT, WITHOUT ROWID;
`;

/**
 * Actions of agents and their prompts, for backtests and for detecting corrections. Not part of the chain; pruned by
 * age and size.
 */
const KEPT_TABLES = `
  CREATE TABLE kept_actions (
    id INTEGER PRIMARY KEY,
    project TEXT NOT NULL,
    session TEXT NOT NULL,
    -- The agent's own id of it; null for one that has none, such as a stop.
    action TEXT,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    decision TEXT NOT NULL,
    -- JSON, without secrets and without the contents of files.
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX kept_actions_by_project ON kept_actions (project, id);
  CREATE INDEX kept_actions_by_session ON kept_actions (project, session, id);

  -- Prompts, and the last words of an agent before it stopped.
  CREATE TABLE sayings (
    id INTEGER PRIMARY KEY,
    project TEXT NOT NULL,
    session TEXT NOT NULL,
    at INTEGER NOT NULL,
    -- person, program, agent or interruption
    who TEXT NOT NULL,
    -- Empty where only that it was said is kept.
    text TEXT NOT NULL
  ) STRICT;
  CREATE INDEX sayings_by_project ON sayings (project, at);
  CREATE INDEX sayings_by_session ON sayings (project, session, id);
`;

/** The state of driven sessions. Their events are in the chain. */
const SESSION_TABLES = `
  CREATE TABLE driven_sessions (
    project TEXT NOT NULL,
    id TEXT NOT NULL,
    began_at INTEGER NOT NULL,
    ended INTEGER NOT NULL,
    -- The checkout in which it was started, by its real path.
    checkout TEXT NOT NULL,
    -- The agent's own session that drives it; null where GuardKit does.
    agent_session TEXT,
    -- JSON: what the machine knows.
    body TEXT NOT NULL,
    -- JSON: what whoever drives it needs besides.
    details TEXT NOT NULL,
    PRIMARY KEY (project, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX driven_sessions_by_age ON driven_sessions (project, ended, began_at);
`;

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
