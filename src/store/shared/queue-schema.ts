import { APPEND_FUNCTION } from './append-function.ts';
import { PERSONS_KINDS } from './shared-kinds.ts';

/**
 * Everything that the machines share besides the tables of DBOS: the chain, who works on what, and what may be spent. All
 * times are the server's, because the clocks of the machines differ.
 */
const TABLES = `
CREATE TABLE guardkit_queue.project (
  project text COLLATE "C" PRIMARY KEY,
  -- Part of every hash, so that an entry cannot be moved to another chain.
  chain text NOT NULL,
  -- The first commit of the repository: another repository with the same id is refused.
  identity text NOT NULL,
  -- The branch that completed features are stacked on; the remote's branch follows the tip.
  branch text NOT NULL,
  base text NOT NULL,
  tip text NOT NULL,
  budget_usd double precision,
  -- The head of the chain.
  number bigint NOT NULL DEFAULT 0,
  hash text NOT NULL DEFAULT repeat('0', 64),
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE guardkit_queue.entry (
  project text COLLATE "C" NOT NULL REFERENCES guardkit_queue.project,
  number bigint NOT NULL,
  kind text COLLATE "C" NOT NULL,
  -- Milliseconds since 1970.
  at bigint NOT NULL,
  body text COLLATE "C" NOT NULL,
  -- Who wrote it under which claim.
  worker text COLLATE "C" NOT NULL,
  feature text COLLATE "C" NOT NULL,
  epoch integer NOT NULL,
  -- The ledger of the machine that wrote it, and the head of the project's chain there.
  machine text COLLATE "C" NOT NULL,
  machine_number bigint NOT NULL,
  machine_hash text COLLATE "C" NOT NULL,
  -- What can exist only once, such as the judgement of a turn.
  step_key text COLLATE "C",
  -- Set in the first entry of an append: an append whose answer was lost is repeated, and adds nothing.
  batch text COLLATE "C",
  prev_hash text COLLATE "C" NOT NULL,
  hash text COLLATE "C" NOT NULL,
  PRIMARY KEY (project, number)
);
CREATE UNIQUE INDEX entry_once ON guardkit_queue.entry (project, step_key) WHERE step_key IS NOT NULL;
CREATE INDEX entry_stacked ON guardkit_queue.entry (project, feature) WHERE kind = 'feature_stacked';
CREATE UNIQUE INDEX entry_batch ON guardkit_queue.entry (project, batch) WHERE batch IS NOT NULL;

CREATE TABLE guardkit_queue.worker (
  id text COLLATE "C" PRIMARY KEY,
  -- Key of the advisory lock that its session holds.
  lock bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  host text NOT NULL,
  pid integer NOT NULL,
  version text NOT NULL,
  projects text[] NOT NULL,
  concurrency integer NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  beat_at timestamptz NOT NULL DEFAULT now(),
  -- When its lock was first seen free, while the server was up.
  free_at timestamptz,
  ended_at timestamptz,
  why text
);

CREATE TABLE guardkit_queue.claim (
  project text COLLATE "C" NOT NULL REFERENCES guardkit_queue.project,
  feature text COLLATE "C" NOT NULL,
  -- Goes up with every claim; writes under an earlier one are refused.
  epoch integer NOT NULL,
  worker text COLLATE "C" NOT NULL REFERENCES guardkit_queue.worker,
  taken_at timestamptz NOT NULL DEFAULT now(),
  released_at timestamptz,
  PRIMARY KEY (project, feature)
);

CREATE TABLE guardkit_queue.item (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project text COLLATE "C" NOT NULL REFERENCES guardkit_queue.project,
  feature text COLLATE "C" NOT NULL,
  priority integer NOT NULL,
  budget_usd double precision,
  -- Features that have to be completed before it.
  needs text[] COLLATE "C" NOT NULL,
  -- waiting for other features, queued, building, or how it ended: completed, blocked, stopped, cancelled, failed
  state text NOT NULL DEFAULT 'waiting',
  why text NOT NULL DEFAULT '',
  -- Of the engine; one for each time it is queued, since an ended one cannot run again.
  workflow text,
  tries integer NOT NULL DEFAULT 0,
  added_at timestamptz NOT NULL DEFAULT now(),
  began_at timestamptz,
  ended_at timestamptz
);
CREATE UNIQUE INDEX item_open ON guardkit_queue.item (project, feature)
  WHERE state IN ('waiting', 'queued', 'building');

CREATE TABLE guardkit_queue.reservation (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project text COLLATE "C" NOT NULL REFERENCES guardkit_queue.project,
  feature text COLLATE "C" NOT NULL,
  worker text COLLATE "C" NOT NULL,
  usd double precision NOT NULL,
  made_at timestamptz NOT NULL DEFAULT now(),
  -- Null while the agent runs. A reservation that is never settled counts as spent.
  spent_usd double precision
);
CREATE INDEX reservation_of ON guardkit_queue.reservation (project, feature);
`;

/** Entries are only added, by whichever role. */
const APPEND_ONLY = `
CREATE FUNCTION guardkit_queue.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'entries of the shared chain are never changed'; END $$;
CREATE TRIGGER entries_are_fixed BEFORE UPDATE OR DELETE ON guardkit_queue.entry
  FOR EACH ROW EXECUTE FUNCTION guardkit_queue.refuse_change();
`;

/**
 * Once a worker has claimed a feature, what builds record needs a claim: without one (epoch 0), only decisions of people are
 * added. Before that, a machine may import what it recorded alone.
 */
const CLAIMED_ONLY = `
CREATE FUNCTION guardkit_queue.require_claim() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.epoch <= 0 AND NOT NEW.kind = ANY (ARRAY[${[...PERSONS_KINDS].map((kind) => `'${kind}'`).join(', ')}])
    AND EXISTS (SELECT 1 FROM guardkit_queue.claim c WHERE c.project = NEW.project)
  THEN RAISE EXCEPTION 'no claim' USING ERRCODE = 'GK005'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER builds_need_a_claim BEFORE INSERT ON guardkit_queue.entry
  FOR EACH ROW EXECUTE FUNCTION guardkit_queue.require_claim();
`;

/** In order; a database has run the first of them. */
export const QUEUE_MIGRATIONS: readonly string[] = [TABLES + APPEND_FUNCTION + APPEND_ONLY, CLAIMED_ONLY];
