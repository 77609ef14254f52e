/**
 * What learning has to remember between two looks at the traces, and the guards that came of it. What happened to a guard
 * is in the chain; what traces have in common can be found again from the traces.
 */
export const LEARNING_TABLES = `
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
