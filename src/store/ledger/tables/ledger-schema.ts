import type { DatabaseKind } from '../../sqlite/open-database.ts';
import { CHAIN_TABLES, LOOKUPS } from './chain-schema.ts';

/** The state that every hook reads and writes. Not part of the chain, which records the events. */
const ENFORCEMENT_TABLES = `
  -- The current features, so that a hook need not walk the chain.
  CREATE TABLE features (
    project TEXT NOT NULL,
    id TEXT NOT NULL,
    position INTEGER NOT NULL,
    body TEXT NOT NULL,
    -- The last entry about it.
    number INTEGER NOT NULL,
    PRIMARY KEY (project, id)
  ) STRICT, WITHOUT ROWID;

  -- Files that an agent must not change, as last seen while no agent was acting.
  CREATE TABLE watched (
    project TEXT NOT NULL,
    checkout TEXT NOT NULL,
    path TEXT NOT NULL,
    -- File metadata; a changed stamp is a reason to read the file.
    stamp TEXT NOT NULL,
    hash TEXT NOT NULL,
    mode INTEGER NOT NULL,
    PRIMARY KEY (project, checkout, path)
  ) STRICT, WITHOUT ROWID;

  -- Their contents, to restore.
  CREATE TABLE kept (
    hash TEXT NOT NULL PRIMARY KEY,
    content BLOB NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- Open actions of agents, and the processes they left running.
  CREATE TABLE windows (
    project TEXT NOT NULL,
    checkout TEXT NOT NULL,
    session TEXT NOT NULL,
    action TEXT NOT NULL,
    opened_at INTEGER NOT NULL,
    -- JSON: the action and its processes.
    body TEXT NOT NULL,
    PRIMARY KEY (project, checkout, session, action)
  ) STRICT, WITHOUT ROWID;

  -- Sessions of agents that hooks have reported.
  CREATE TABLE sessions (
    project TEXT NOT NULL,
    session TEXT NOT NULL,
    began_at INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (project, session)
  ) STRICT, WITHOUT ROWID;

  -- Cached reads of files that are costly to read, valid while the stamp is unchanged.
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
  -- Traces already read, so that one delivered again does not count twice.
  CREATE TABLE seen_traces (
    project TEXT NOT NULL,
    trace TEXT NOT NULL,
    PRIMARY KEY (project, trace)
  ) STRICT, WITHOUT ROWID;

  -- Groups of similar traces, whether they are a pattern yet or not.
  CREATE TABLE trace_groups (
    project TEXT NOT NULL,
    id TEXT NOT NULL,
    -- What is equal in all of them; within a bucket they are similar in words.
    bucket TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (project, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX trace_groups_by_bucket ON trace_groups (project, bucket);

  -- The current learned guards; the project is empty for shared ones.
  CREATE TABLE learned_guards (
    project TEXT NOT NULL,
    id TEXT NOT NULL,
    -- Read by every hook, so kept apart from the longer body.
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
    -- The agent's own id; null if it has none, such as a stop.
    action TEXT,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    decision TEXT NOT NULL,
    -- JSON, without secrets and without the contents of files.
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX kept_actions_by_project ON kept_actions (project, id);
  CREATE INDEX kept_actions_by_session ON kept_actions (project, session, id);

  -- Prompts, and the last message of an agent before it stopped.
  CREATE TABLE sayings (
    id INTEGER PRIMARY KEY,
    project TEXT NOT NULL,
    session TEXT NOT NULL,
    at INTEGER NOT NULL,
    -- person, program, agent or interruption
    who TEXT NOT NULL,
    -- Empty if the text is not kept.
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
    -- Real path of the checkout in which it was started.
    checkout TEXT NOT NULL,
    -- The agent session that drives it; null if GuardKit does.
    agent_session TEXT,
    -- JSON: the state of the state machine.
    body TEXT NOT NULL,
    -- JSON: further data for the driving process.
    details TEXT NOT NULL,
    PRIMARY KEY (project, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX driven_sessions_by_age ON driven_sessions (project, ended, began_at);
`;

/** Which process answers a hook's event, and what it wrote of it so far. Rows are deleted after an hour. */
const EVENT_TABLES = `
  CREATE TABLE event_claims (
    key TEXT NOT NULL PRIMARY KEY,
    owner TEXT NOT NULL,
    at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE event_steps (
    key TEXT NOT NULL,
    step TEXT NOT NULL,
    heads TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (key, step)
  ) STRICT, WITHOUT ROWID;
`;

/** Kept beside the chain: its hashes cover neither. */
const SIGNATURE_TABLES = `
  -- The signature of this machine under the hash of an entry that decides something.
  CREATE TABLE signatures (
    project TEXT NOT NULL,
    number INTEGER NOT NULL,
    signature TEXT NOT NULL,
    PRIMARY KEY (project, number)
  ) STRICT, WITHOUT ROWID;

  -- Keyed digests of tables derived from the chain, by table and project.
  CREATE TABLE seals (
    name TEXT NOT NULL PRIMARY KEY,
    seal TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  ALTER TABLE readings ADD COLUMN seal TEXT NOT NULL DEFAULT '';
`;

/** With workers on several machines: which entries here are also in the chain that they share. */
const SHARED_TABLES = `
  CREATE TABLE shared_entries (
    project TEXT NOT NULL,
    -- The number in the shared chain, and the number here.
    shared INTEGER NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (project, shared)
  ) STRICT, WITHOUT ROWID;

  -- Everything up to this number of the shared chain is here.
  CREATE TABLE shared_pulled (
    project TEXT NOT NULL PRIMARY KEY,
    shared INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`;

/** Numbers of shared entries mean something only together with the chain that they belong to. */
const SHARED_CHAINS = `
  CREATE TABLE shared_chains (
    project TEXT NOT NULL PRIMARY KEY,
    chain TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
`;

export const LEDGER_DATABASE: DatabaseKind = {
  label: 'ledger',
  applicationId: 0x474b4c47,
  migrations: [
    CHAIN_TABLES,
    LOOKUPS,
    ENFORCEMENT_TABLES,
    SESSION_TABLES + LEARNING_TABLES + KEPT_TABLES,
    EVENT_TABLES,
    SIGNATURE_TABLES,
    SHARED_TABLES,
    SHARED_CHAINS,
  ],
  synchronous: 'FULL',
};
