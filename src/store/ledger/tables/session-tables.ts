/** Sessions that go from feature to feature: how they stand. What happened in them is in the chain. */
export const SESSION_TABLES = `
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
