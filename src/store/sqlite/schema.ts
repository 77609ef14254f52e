import type { DatabaseKind } from './open-database.ts';

/**
 * Times are milliseconds. `seq` is the order of writing and the key of every index table; a version is current while
 * `expired_at` is null. The search tables contain terms from our own analysis, each prefixed with its group, so their
 * tokenizer only splits at spaces and a word is looked up only in the requested groups. Past versions have their own
 * table, so that the current one stays small.
 */
const INITIAL = `
CREATE TABLE episode_group (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE episode (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid TEXT NOT NULL UNIQUE,
  group_id INTEGER NOT NULL REFERENCES episode_group(id),
  entity_id TEXT NOT NULL,
  entity_type TEXT NOT NULL,
  name TEXT NOT NULL,
  body TEXT NOT NULL,
  source TEXT NOT NULL,
  content_hash TEXT NOT NULL,
  valid_at INTEGER NOT NULL,
  invalid_at INTEGER,
  created_at INTEGER NOT NULL,
  expired_at INTEGER
) STRICT;
CREATE UNIQUE INDEX episode_current ON episode(group_id, entity_id) WHERE expired_at IS NULL;
CREATE INDEX episode_recent ON episode(group_id, created_at, seq) WHERE expired_at IS NULL;
CREATE INDEX episode_versions ON episode(group_id, entity_id, created_at, seq);

CREATE TABLE episode_field (
  group_id INTEGER NOT NULL,
  field TEXT NOT NULL,
  value ANY NOT NULL,
  seq INTEGER NOT NULL REFERENCES episode(seq) ON DELETE CASCADE,
  PRIMARY KEY (group_id, field, value, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX episode_field_of ON episode_field(seq, field, value);

CREATE TABLE edge (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid TEXT NOT NULL UNIQUE,
  from_scope TEXT NOT NULL,
  from_id TEXT NOT NULL,
  relation TEXT NOT NULL,
  to_scope TEXT NOT NULL,
  to_id TEXT NOT NULL,
  valid_at INTEGER NOT NULL,
  invalid_at INTEGER,
  created_at INTEGER NOT NULL,
  expired_at INTEGER
) STRICT;
CREATE UNIQUE INDEX edge_current ON edge(from_scope, from_id, relation, to_scope, to_id) WHERE expired_at IS NULL;
CREATE INDEX edge_out ON edge(from_scope, from_id);
CREATE INDEX edge_in ON edge(to_scope, to_id);

CREATE TABLE declared_edge (
  seq INTEGER NOT NULL REFERENCES episode(seq) ON DELETE CASCADE,
  relation TEXT NOT NULL,
  from_scope TEXT NOT NULL,
  from_id TEXT NOT NULL,
  to_scope TEXT NOT NULL,
  to_id TEXT NOT NULL,
  PRIMARY KEY (seq, relation, to_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX declared_edge_out ON declared_edge(from_scope, from_id);
CREATE INDEX declared_edge_in ON declared_edge(to_scope, to_id);

CREATE TABLE stream_position (
  stream TEXT PRIMARY KEY,
  number INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE vector (
  seq INTEGER PRIMARY KEY REFERENCES episode(seq) ON DELETE CASCADE,
  model TEXT NOT NULL,
  vector BLOB NOT NULL
) STRICT;

-- What was written and is not in the search tables yet.
CREATE TABLE search_pending (
  seq INTEGER PRIMARY KEY REFERENCES episode(seq) ON DELETE CASCADE
) STRICT;
CREATE TABLE search_terms (
  seq INTEGER PRIMARY KEY REFERENCES episode(seq) ON DELETE CASCADE,
  head TEXT NOT NULL,
  text TEXT NOT NULL,
  -- Whether its keys are in one of the tables below.
  indexed INTEGER NOT NULL
) STRICT;
CREATE VIRTUAL TABLE search_current USING fts5(
  keys, content='', contentless_delete=1, detail=none, tokenize="ascii tokenchars '-_./:@#+='"
);
CREATE VIRTUAL TABLE search_past USING fts5(
  keys, content='', contentless_delete=1, detail=none, tokenize="ascii tokenchars '-_./:@#+='"
);
`;

/**
 * A write waits for every page it changes, and an index by value changes one page per value. So a version keeps its
 * own fields and relations in the order of writing, where they are adjacent, and the indexes over all versions are
 * updated later, with the search tables. They contain every version up to `entered`; later ones are read one by one.
 * Neither table has a foreign key to its episode: it would be checked for each row written, and a purge, which alone
 * removes episodes, is faster by group.
 */
const INDEXES_BEHIND_WRITES = `
CREATE TABLE field_value (
  group_id INTEGER NOT NULL,
  field TEXT NOT NULL,
  value ANY NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (group_id, field, value, seq)
) STRICT, WITHOUT ROWID;
INSERT INTO field_value SELECT group_id, field, value, seq FROM episode_field ORDER BY group_id, field, value, seq;

CREATE TABLE new_episode_field (
  seq INTEGER NOT NULL,
  field TEXT NOT NULL,
  value ANY NOT NULL,
  PRIMARY KEY (seq, field, value)
) STRICT, WITHOUT ROWID;
INSERT INTO new_episode_field SELECT seq, field, value FROM episode_field ORDER BY seq, field, value;
DROP TABLE episode_field;
ALTER TABLE new_episode_field RENAME TO episode_field;

-- What the body implies, as [[relation, scope, id], …]; null in versions from before, whose edges are declared.
ALTER TABLE episode ADD COLUMN relations TEXT;

CREATE TABLE index_state (entered INTEGER NOT NULL) STRICT;
INSERT INTO index_state SELECT coalesce(max(seq), 0) FROM episode;
`;

/**
 * The narrower the write, the fewer pages it waits for: most versions keep their fields in their own row, and one
 * index finds both the current version of an entity, whose key is 0, and all others. `fields` is null in older
 * versions and where a row cannot hold them; these use `episode_field`.
 */
const NARROW_WRITES = `
ALTER TABLE episode ADD COLUMN fields TEXT;
ALTER TABLE episode ADD COLUMN version_key INTEGER AS (CASE WHEN expired_at IS NULL THEN 0 ELSE seq END) VIRTUAL;
CREATE UNIQUE INDEX episode_entity ON episode(group_id, entity_id, version_key);
DROP INDEX episode_current;
DROP INDEX episode_versions;
`;

/**
 * AUTOINCREMENT costs a write one more page. A writer therefore takes the number after the highest in use and the
 * highest ever purged: the indexes that follow the writes by number would skip a reused one. The rest of the table is
 * unchanged.
 */
const NUMBERED_BY_WRITERS = `
ALTER TABLE index_state ADD COLUMN purged INTEGER NOT NULL DEFAULT 0;
UPDATE index_state SET purged = coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'episode'), 0);

CREATE TABLE new_episode (
  seq INTEGER PRIMARY KEY,
  uuid TEXT NOT NULL UNIQUE,
  group_id INTEGER NOT NULL REFERENCES episode_group(id),
  entity_id TEXT NOT NULL,
  entity_type TEXT NOT NULL,
  name TEXT NOT NULL,
  body TEXT NOT NULL,
  source TEXT NOT NULL,
  content_hash TEXT NOT NULL,
  valid_at INTEGER NOT NULL,
  invalid_at INTEGER,
  created_at INTEGER NOT NULL,
  expired_at INTEGER,
  relations TEXT,
  fields TEXT,
  version_key INTEGER AS (CASE WHEN expired_at IS NULL THEN 0 ELSE seq END) VIRTUAL
) STRICT;
INSERT INTO new_episode (seq, uuid, group_id, entity_id, entity_type, name, body, source, content_hash,
    valid_at, invalid_at, created_at, expired_at, relations, fields)
  SELECT seq, uuid, group_id, entity_id, entity_type, name, body, source, content_hash,
    valid_at, invalid_at, created_at, expired_at, relations, fields FROM episode ORDER BY seq;
DROP TABLE episode;
ALTER TABLE new_episode RENAME TO episode;
CREATE INDEX episode_recent ON episode(group_id, created_at, seq) WHERE expired_at IS NULL;
CREATE UNIQUE INDEX episode_entity ON episode(group_id, entity_id, version_key);
`;

/**
 * The trace field `attempted` used to be called `attempt`. Bodies stay as written and are renamed when read; the
 * indexed fields are renamed here, so that a query needs only one name. In a value every quote is escaped, so only the
 * field name is replaced.
 */
const ATTEMPTED = `
UPDATE episode SET fields = replace(fields, '"attempt":', '"attempted":')
  WHERE group_id IN (SELECT id FROM episode_group WHERE name GLOB '*__traces') AND instr(fields, '"attempt":') > 0;
UPDATE OR REPLACE episode_field SET field = 'attempted' WHERE field = 'attempt' AND seq IN (
  SELECT seq FROM episode WHERE group_id IN (SELECT id FROM episode_group WHERE name GLOB '*__traces'));
UPDATE OR REPLACE field_value SET field = 'attempted' WHERE field = 'attempt' AND group_id IN (
  SELECT id FROM episode_group WHERE name GLOB '*__traces');
`;

export const EPISODE_DATABASE: DatabaseKind = {
  label: 'episode store',
  applicationId: 0x474b4550, // GKEP
  migrations: [INITIAL, INDEXES_BEHIND_WRITES, NARROW_WRITES, NUMBERED_BY_WRITERS, ATTEMPTED],
  // Survives a killed process. What must survive a power cut comes from the ledger, which requests it (see `once`).
  synchronous: 'NORMAL',
};
