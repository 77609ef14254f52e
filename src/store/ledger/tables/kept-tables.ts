/**
 * What agents did and what was said to them, so that guards can be tried on the past and corrections be noticed. No part of
 * the chain: it is let go by age and size.
 */
export const KEPT_TABLES = `
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
