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

/**
 * The only writer of the chain, in one call and so in one transaction. It runs with its owner's rights, so that workers and
 * people need none to write entries themselves. Error codes: GK001 the claim is lost, GK002 the tip
 * has moved, GK003 the entry exists.
 */
const APPEND = `
CREATE FUNCTION guardkit_queue.link(chain text, prev text, VARIADIC parts text[]) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
  SELECT encode(sha256(convert_to(
    (SELECT string_agg(octet_length(convert_to(part, 'UTF8')) || ':' || part, '' ORDER BY place)
     FROM unnest(ARRAY[chain, prev] || parts) WITH ORDINALITY AS p(part, place)), 'UTF8')), 'hex')
$$;

CREATE FUNCTION guardkit_queue.append(
  p_project text, p_feature text, p_epoch integer, p_worker text,
  p_machine text, p_machine_number bigint, p_machine_hash text, p_batch text, p_entries jsonb
) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
DECLARE
  head guardkit_queue.project;
  entry jsonb;
  first bigint;
  at bigint := (extract(epoch FROM clock_timestamp()) * 1000)::bigint;
BEGIN
  IF p_epoch > 0 THEN
    PERFORM 1 FROM guardkit_queue.claim c JOIN guardkit_queue.worker w ON w.id = c.worker
      WHERE c.project = p_project AND c.feature = p_feature AND c.epoch = p_epoch AND c.worker = p_worker
        AND c.released_at IS NULL AND w.ended_at IS NULL
      FOR SHARE OF c;
    IF NOT FOUND THEN RAISE EXCEPTION 'claim lost' USING ERRCODE = 'GK001'; END IF;
  END IF;
  SELECT * INTO head FROM guardkit_queue.project WHERE project = p_project FOR UPDATE;
  IF NOT FOUND THEN RAISE EXCEPTION 'unknown project' USING ERRCODE = 'GK004'; END IF;
  SELECT number INTO first FROM guardkit_queue.entry WHERE project = p_project AND batch = p_batch;
  IF FOUND THEN RETURN first; END IF;
  first := head.number + 1;
  FOR entry IN SELECT value FROM jsonb_array_elements(p_entries) LOOP
    IF entry->>'kind' = 'feature_stacked' THEN
      IF (entry->>'body')::jsonb->>'before' <> head.tip THEN
        RAISE EXCEPTION 'tip moved' USING ERRCODE = 'GK002';
      END IF;
      head.tip := (entry->>'body')::jsonb->>'commit';
    END IF;
    head.number := head.number + 1;
    INSERT INTO guardkit_queue.entry VALUES (
      p_project, head.number, entry->>'kind', at, entry->>'body', p_worker, p_feature, p_epoch,
      p_machine, p_machine_number, p_machine_hash, entry->>'key',
      CASE WHEN head.number = first THEN p_batch END, head.hash,
      guardkit_queue.link(head.chain, head.hash, p_project, head.number::text, entry->>'kind', at::text, entry->>'body',
        p_worker, p_feature, p_epoch::text, p_machine, p_machine_number::text, p_machine_hash))
      RETURNING hash INTO head.hash;
  END LOOP;
  UPDATE guardkit_queue.project SET number = head.number, hash = head.hash, tip = head.tip WHERE project = p_project;
  RETURN first;
EXCEPTION WHEN unique_violation THEN
  RAISE EXCEPTION 'exists' USING ERRCODE = 'GK003';
END $$;
`;

/** Entries are only added, by whichever role. */
const APPEND_ONLY = `
CREATE FUNCTION guardkit_queue.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'entries of the shared chain are never changed'; END $$;
CREATE TRIGGER entries_are_fixed BEFORE UPDATE OR DELETE ON guardkit_queue.entry
  FOR EACH ROW EXECUTE FUNCTION guardkit_queue.refuse_change();
`;

/** In order; a database has run the first of them. */
export const QUEUE_MIGRATIONS: readonly string[] = [TABLES + APPEND + APPEND_ONLY];
