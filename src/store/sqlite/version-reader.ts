import type { EntityRegistry } from '../../domain/entities/entity-type.ts';
import type { Episode } from '../../domain/entities/episode.ts';
import { parseGroup } from '../../domain/entities/group.ts';
import { type Moment, readMoment, versionCondition } from '../as-of.ts';
import { checkFilters, checkOrder, checkPage, latestField } from '../check-filter.ts';
import type { GroupCount, ListOptions, ReadOptions } from '../episode-store.ts';
import { type EpisodeRow, readEpisode } from '../read-episode.ts';
import type { KeyedRow } from '../search/search-episodes.ts';
import type { Sql } from '../sql.ts';
import type { GroupIds } from './group-ids.ts';
import { EPISODE_COLUMNS, type EpisodeCells, episodeRow, listSql } from './list-query.ts';
import type { Database } from './open-database.ts';
import { StatementCache } from './statements.ts';
import { unindexedWithValue } from './version-fields.ts';

const FROM_EPISODES = 'FROM episode e JOIN episode_group g ON g.id = e.group_id';
/** With the entity given, the index finds it by this key. */
const CURRENT: Fragment = { text: 'e.version_key = 0', values: [] };
/** SQLite's value for no limit. */
const NO_LIMIT = -1;

type Fragment = Sql<string | number>;

/** Reads versions by exact key and by field. */
export class VersionReader {
  readonly #registry: EntityRegistry;
  readonly #groups: GroupIds;
  /** Existing groups with valid names. */
  readonly #legal = new Set<string>();
  readonly #statements: StatementCache;
  /** Statements that return arrays of cells. */
  readonly #latest: StatementCache;
  readonly #get;
  readonly #history;

  constructor(database: Database, groups: GroupIds, registry: EntityRegistry) {
    this.#registry = registry;
    this.#groups = groups;
    this.#statements = new StatementCache(database);
    this.#latest = new StatementCache(database);
    this.#get = database
      .prepare<[number, string], EpisodeCells>(
        `SELECT ${EPISODE_COLUMNS} ${FROM_EPISODES} WHERE e.group_id = ? AND e.entity_id = ? AND e.version_key = 0`,
      )
      .raw();
    this.#history = database.prepare<[number, string], EpisodeRow>(
      `SELECT ${EPISODE_COLUMNS} ${FROM_EPISODES} WHERE e.group_id = ? AND e.entity_id = ? ORDER BY e.created_at, e.seq`,
    );
  }

  get(group: string, entityId: string, { asOf }: ReadOptions = {}): Episode | undefined {
    const groupId = this.#groupId(group);
    if (groupId === undefined) return undefined;
    const moment = readMoment(asOf);
    if (moment) {
      const row = this.#getAt(groupId, entityId, moment);
      return row && readEpisode(row, this.#registry);
    }
    const cells = this.#get.get(groupId, entityId);
    return cells && readEpisode(episodeRow(cells), this.#registry);
  }

  list(group: string, options: ListOptions = {}): Episode[] {
    const query = this.#listSql(group, options);
    if (!query) return [];
    return this.#rows(query).map((row) => readEpisode(row, this.#registry));
  }

  latest(group: string, { where, asOf }: Pick<ListOptions, 'where' | 'asOf'> = {}): Episode | undefined {
    const field = latestField(this.#registry, group) ?? 'created_at';
    const query = this.#listSql(group, { where, asOf, orderBy: { field, direction: 'desc' }, limit: 1 });
    const cells =
      query &&
      this.#latest
        .get<EpisodeCells>(query.text)
        .raw()
        .get(...query.values);
    return cells && readEpisode(episodeRow(cells), this.#registry);
  }

  /** Undefined if the group never had an episode. */
  #listSql(group: string, { where = [], orderBy, asOf, ...page }: ListOptions): Fragment | undefined {
    const filters = checkFilters(this.#registry, group, where);
    const order = checkOrder(this.#registry, group, orderBy?.field ?? 'created_at');
    const { limit = NO_LIMIT, offset } = checkPage(page);
    const moment = readMoment(asOf);
    const groupId = this.#groupId(group);
    if (groupId === undefined) return undefined;
    const direction = orderBy?.direction ?? 'desc';
    return listSql({ groupId, filters, order, direction, moment, limit, offset });
  }

  history(group: string, entityId: string): Episode[] {
    const groupId = this.#groupId(group);
    if (groupId === undefined) return [];
    return this.#history.all(groupId, entityId).map((row) => readEpisode(row, this.#registry));
  }

  find(entityId: string, { groups, asOf }: ReadOptions & { groups?: readonly string[] } = {}): Episode[] {
    for (const group of groups ?? []) parseGroup(group);
    return this.findRows(entityId, readMoment(asOf), groups).map((row) => readEpisode(row, this.#registry));
  }

  /** Rows with this id, or else those that it names as a short form. */
  findRows(entityId: string, moment: Moment | undefined, groups?: readonly string[]): KeyedRow[] {
    const version = moment ? versionCondition(moment, 'episode') : CURRENT;
    const conditions = [version, inGroups(groups)];
    const exact = this.#keyedRows([{ text: 'e.entity_id = ?', values: [entityId] }, ...conditions]);
    if (exact.length > 0) return exact;
    return [...this.#registry.values()].flatMap((entity) => {
      const filter = Object.entries(entity.idFilter?.(entityId) ?? {});
      if (filter.length === 0) return [];
      return this.#keyedRows([
        { text: 'e.entity_type = ?', values: [entity.type] },
        ...filter.map(([field, value]) => holdsValue(field, value ?? '')),
        ...conditions,
      ]);
    });
  }

  rowsByKey(keys: readonly number[]): KeyedRow[] {
    const select = this.#statements.get<KeyedRow>(
      `SELECT e.seq AS key, ${EPISODE_COLUMNS} ${FROM_EPISODES} WHERE e.seq = ?`,
    );
    return keys.flatMap((key) => select.get(key) ?? []);
  }

  counts(): GroupCount[] {
    return this.#statements
      .get<GroupCount>(
        `SELECT g.name AS "group", count(*) FILTER (WHERE e.expired_at IS NULL) AS episodes, count(*) AS versions
         ${FROM_EPISODES} GROUP BY g.name ORDER BY g.name`,
      )
      .all();
  }

  #keyedRows(conditions: readonly Fragment[]): KeyedRow[] {
    const where = conditions.map(({ text }) => text).join(' AND ');
    return this.#statements
      .get<KeyedRow>(
        `SELECT e.seq AS key, ${EPISODE_COLUMNS} ${FROM_EPISODES} WHERE ${where} ORDER BY g.name, e.created_at, e.seq LIMIT 200`,
      )
      .all(...conditions.flatMap(({ values }) => values));
  }

  #getAt(groupId: number, entityId: string, moment: Moment): EpisodeRow | undefined {
    const condition = versionCondition(moment, 'episode');
    return this.#rows({
      text: `SELECT ${EPISODE_COLUMNS} ${FROM_EPISODES} WHERE e.group_id = ? AND e.entity_id = ? AND ${condition.text}`,
      values: [groupId, entityId, ...condition.values],
    })[0];
  }

  #rows({ text, values }: Fragment): EpisodeRow[] {
    return this.#statements.get<EpisodeRow>(text).all(...values);
  }

  #groupId(group: string): number | undefined {
    if (!this.#legal.has(group)) parseGroup(group);
    const id = this.#groups.find(group);
    if (id !== undefined) this.#legal.add(group);
    return id;
  }
}

/** Always names the groups, because the id index starts with them. */
function inGroups(groups: readonly string[] | undefined): Fragment {
  if (groups === undefined) return { text: 'e.group_id IN (SELECT id FROM episode_group)', values: [] };
  const marks = groups.map(() => '?').join(', ');
  return {
    text: `e.group_id IN (SELECT id FROM episode_group WHERE name IN (${marks}))`,
    values: [...groups],
  };
}

/**
 * Searches each group's part of the field index, since the index starts with the group, and the versions not in it
 * yet.
 */
function holdsValue(field: string, value: string | number): Fragment {
  return {
    text:
      'e.seq IN (SELECT f.seq FROM episode_group n JOIN field_value f ' +
      `ON f.group_id = n.id AND f.field = ? AND f.value = ? UNION ALL ${unindexedWithValue(field)})`,
    values: [field, value, field, value, value],
  };
}
