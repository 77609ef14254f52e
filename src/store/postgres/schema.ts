/**
 * Times are milliseconds. `seq` is the order of writing and the key of every index table; a version is current while
 * `expired_at` is null. Text is compared by its bytes, as SQLite does, whatever language the database is set to.
 *
 * The search tables hold the distinct terms that our own analysis made, as a tsvector: no dictionary of the server is
 * ever asked, and a term is found in it much faster than in an array, which counts where a search walks row by row.
 * Past versions have a table of their own, so that the current one stays as small as what is searched. Without a list
 * of pending entries (fastupdate) a write takes a little longer, and no search has to read that list.
 *
 * Texts of any length are indexed by their beginning or a hash, since an index entry has a largest size.
 *
 * `episode_field`, `declared_edge` and the search tables do without foreign keys: only a purge removes episodes, it
 * removes those rows with them, and a check for each of some ten rows is time that a write need not spend.
 */
const INITIAL = `
CREATE TABLE guardkit.episode_group (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text COLLATE "C" NOT NULL UNIQUE
);

CREATE SEQUENCE guardkit.episode_seq;
CREATE TABLE guardkit.episode (
  seq bigint PRIMARY KEY,
  uuid text COLLATE "C" NOT NULL UNIQUE,
  group_id integer NOT NULL REFERENCES guardkit.episode_group(id),
  entity_id text COLLATE "C" NOT NULL,
  entity_type text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  body text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  content_hash text COLLATE "C" NOT NULL,
  valid_at bigint NOT NULL,
  invalid_at bigint,
  created_at bigint NOT NULL,
  expired_at bigint,
  -- Every term in order, for ranking.
  head_terms text COLLATE "C" NOT NULL,
  text_terms text COLLATE "C" NOT NULL
);
ALTER SEQUENCE guardkit.episode_seq OWNED BY guardkit.episode.seq;
CREATE UNIQUE INDEX episode_current ON guardkit.episode(group_id, entity_id) WHERE expired_at IS NULL;
CREATE INDEX episode_current_id ON guardkit.episode(entity_id) WHERE expired_at IS NULL;
CREATE INDEX episode_recent ON guardkit.episode(group_id, created_at, seq) WHERE expired_at IS NULL;
CREATE INDEX episode_versions ON guardkit.episode(group_id, entity_id, created_at, seq);

CREATE TABLE guardkit.episode_field (
  group_id integer NOT NULL,
  field text COLLATE "C" NOT NULL,
  text text COLLATE "C",
  number double precision,
  seq bigint NOT NULL,
  CHECK ((text IS NULL) <> (number IS NULL))
);
CREATE INDEX episode_field_text ON guardkit.episode_field(group_id, field, left(text, 256), seq) WHERE text IS NOT NULL;
CREATE INDEX episode_field_number ON guardkit.episode_field(group_id, field, number, seq) WHERE number IS NOT NULL;
CREATE INDEX episode_field_of ON guardkit.episode_field(seq, field);

CREATE TABLE guardkit.edge (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  uuid text COLLATE "C" NOT NULL UNIQUE,
  from_scope text COLLATE "C" NOT NULL,
  from_id text COLLATE "C" NOT NULL,
  relation text COLLATE "C" NOT NULL,
  to_scope text COLLATE "C" NOT NULL,
  to_id text COLLATE "C" NOT NULL,
  valid_at bigint NOT NULL,
  invalid_at bigint,
  created_at bigint NOT NULL,
  expired_at bigint
);
CREATE UNIQUE INDEX edge_current ON guardkit.edge(from_scope, from_id, relation, to_scope, hashtextextended(to_id, 0))
  WHERE expired_at IS NULL;
CREATE INDEX edge_out ON guardkit.edge(from_scope, from_id);
CREATE INDEX edge_in ON guardkit.edge(to_scope, left(to_id, 256));

CREATE TABLE guardkit.declared_edge (
  seq bigint NOT NULL,
  relation text COLLATE "C" NOT NULL,
  from_scope text COLLATE "C" NOT NULL,
  from_id text COLLATE "C" NOT NULL,
  to_scope text COLLATE "C" NOT NULL,
  to_id text COLLATE "C" NOT NULL
);
CREATE INDEX declared_edge_of ON guardkit.declared_edge(seq);
CREATE INDEX declared_edge_out ON guardkit.declared_edge(from_scope, from_id);
CREATE INDEX declared_edge_in ON guardkit.declared_edge(to_scope, left(to_id, 256));

CREATE TABLE guardkit.stream_position (
  stream text COLLATE "C" PRIMARY KEY,
  number bigint NOT NULL
);

CREATE TABLE guardkit.vector (
  seq bigint PRIMARY KEY REFERENCES guardkit.episode(seq) ON DELETE CASCADE,
  model text COLLATE "C" NOT NULL,
  vector bytea NOT NULL
);
ALTER TABLE guardkit.vector ALTER vector SET STORAGE EXTERNAL;

CREATE TABLE guardkit.search_current (
  seq bigint NOT NULL,
  group_id integer NOT NULL,
  terms tsvector NOT NULL,
  PRIMARY KEY (seq, group_id)
) WITH (toast_tuple_target = 8160);
CREATE INDEX search_current_terms ON guardkit.search_current USING gin (terms) WITH (fastupdate = off);

CREATE TABLE guardkit.search_past (
  seq bigint NOT NULL,
  group_id integer NOT NULL,
  terms tsvector NOT NULL,
  PRIMARY KEY (seq, group_id)
);
CREATE INDEX search_past_terms ON guardkit.search_past USING gin (terms);
`;

/**
 * The trace field `attempted` used to be called `attempt`. Bodies stay as written and are renamed when read; the
 * indexed fields are renamed here, so that a query needs only one name.
 */
const ATTEMPTED = `
UPDATE guardkit.episode_field SET field = 'attempted' WHERE field = 'attempt' AND group_id IN (
  SELECT id FROM guardkit.episode_group WHERE right(name, 8) = '__traces');
`;

/** Positions of the machines' ledgers, kept where a machine's own programs do not reach by themselves. Rows only come. */
const ANCHORS = `
CREATE TABLE guardkit.ledger_anchor (
  stream text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  hash text COLLATE "C" NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (stream, number)
);
`;

/** Each runs once, in order; their number is the schema version. */
export const MIGRATIONS: readonly string[] = [INITIAL, ATTEMPTED, ANCHORS];
