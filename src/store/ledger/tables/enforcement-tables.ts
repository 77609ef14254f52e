/**
 * What every hook reads and writes: no part of the chain, since it says how things are and not what happened. What
 * happened to any of it is in the chain.
 */
export const ENFORCEMENT_TABLES = `
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
