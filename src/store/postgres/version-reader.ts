import type { EntityRegistry } from '../../domain/entities/entity-type.ts';
import type { Episode } from '../../domain/entities/episode.ts';
import { parseGroup } from '../../domain/entities/group.ts';
import { sha256 } from '../../domain/json/json.ts';
import { type Moment, readMoment } from '../as-of.ts';
import { checkFilters, checkOrder, checkPage, latestField } from '../check-filter.ts';
import type { ListOptions, ReadOptions } from '../episode-store.ts';
import { type EpisodeRow, readEpisode } from '../read-episode.ts';
import type { KeyedRow } from '../search/search-episodes.ts';
import { joinSql, type Sql } from '../sql.ts';
import type { GroupIds } from './group-ids.ts';
import { currentOrPast, EPISODE_COLUMNS, FROM_EPISODES, holdsValue, listSql } from './list-query.ts';
import type { Session, SqlValue } from './postgres-database.ts';

type Fragment = Sql<SqlValue>;

/** An id in more groups than this is not specific enough. */
const MAX_NAMED = 200;

/** Reads versions by exact key and by field. */
export class VersionReader {
  readonly #session: Session;
  readonly #groups: GroupIds;
  readonly #registry: EntityRegistry;

  constructor(session: Session, groups: GroupIds, registry: EntityRegistry) {
    this.#session = session;
    this.#groups = groups;
    this.#registry = registry;
  }

  async get(group: string, entityId: string, { asOf }: ReadOptions = {}): Promise<Episode | undefined> {
    parseGroup(group);
    const moment = readMoment(asOf);
    const condition = currentOrPast(moment);
    const [row] = await this.#session.query<EpisodeRow>({
      name: moment ? 'guardkit-get-past' : 'guardkit-get',
      text: `SELECT ${EPISODE_COLUMNS} FROM ${FROM_EPISODES} WHERE g.name = ? AND e.entity_id = ? AND ${condition.text}`,
      values: [group, entityId, ...condition.values],
    });
    return row && readEpisode(row, this.#registry);
  }

  async list(group: string, options: ListOptions = {}): Promise<Episode[]> {
    parseGroup(group);
    const filters = checkFilters(this.#registry, group, options.where ?? []);
    const order = checkOrder(this.#registry, group, options.orderBy?.field ?? 'created_at');
    const page = checkPage(options);
    const moment = readMoment(options.asOf);
    const groupId = await this.#groups.find(group);
    if (groupId === undefined) return [];
    const query = listSql({
      groupId,
      filters,
      order,
      direction: options.orderBy?.direction ?? 'desc',
      moment,
      ...page,
    });
    // Planning takes longer than the query; there are only a few shapes to name.
    const name = moment ? undefined : `guardkit-list-${sha256(query.text).slice(0, 16)}`;
    const rows = await this.#session.query<EpisodeRow>({ ...query, name });
    return rows.map((row) => readEpisode(row, this.#registry));
  }

  async latest(
    group: string,
    options: Pick<ListOptions, 'where' | 'asOf'> = {},
  ): Promise<Episode | undefined> {
    parseGroup(group);
    const field = latestField(this.#registry, group) ?? 'created_at';
    const [episode] = await this.list(group, {
      ...options,
      orderBy: { field, direction: 'desc' },
      limit: 1,
    });
    return episode;
  }

  async history(group: string, entityId: string): Promise<Episode[]> {
    parseGroup(group);
    const rows = await this.#session.query<EpisodeRow>({
      text:
        `SELECT ${EPISODE_COLUMNS} FROM ${FROM_EPISODES} WHERE g.name = ? AND e.entity_id = ? ` +
        'ORDER BY e.created_at, e.seq',
      values: [group, entityId],
    });
    return rows.map((row) => readEpisode(row, this.#registry));
  }

  async find(
    entityId: string,
    { groups, asOf }: ReadOptions & { groups?: readonly string[] } = {},
  ): Promise<Episode[]> {
    for (const group of groups ?? []) parseGroup(group);
    const rows = await this.findRows([entityId], readMoment(asOf), groups);
    return rows.map((row) => readEpisode(row, this.#registry));
  }

  /** Rows with these ids, in order, or else those that they name as short forms. */
  async findRows(
    entityIds: readonly string[],
    moment: Moment | undefined,
    groups?: readonly string[],
  ): Promise<KeyedRow[]> {
    if (entityIds.length === 0) return [];
    const conditions: Fragment[] = [currentOrPast(moment), inGroups(groups)];
    const exact = await this.#keyedRows(
      [{ text: 'e.entity_id = ANY(?::text[])', values: [entityIds] }, ...conditions],
      MAX_NAMED * entityIds.length,
    );
    const found: KeyedRow[] = [];
    for (const id of entityIds) {
      const rows = exact.filter((row) => row.entity_id === id).slice(0, MAX_NAMED);
      found.push(...(rows.length > 0 ? rows : await this.#shortForm(id, conditions)));
    }
    return found;
  }

  async rowsByKey(keys: readonly number[]): Promise<KeyedRow[]> {
    if (keys.length === 0) return [];
    return this.#keyedRows([{ text: 'e.seq = ANY(?::bigint[])', values: [keys] }], keys.length);
  }

  async #shortForm(entityId: string, conditions: readonly Fragment[]): Promise<KeyedRow[]> {
    const found: KeyedRow[] = [];
    for (const entity of this.#registry.values()) {
      const filter = Object.entries(entity.idFilter?.(entityId) ?? {});
      if (filter.length === 0) continue;
      const fields = filter.map(([field, value]) => holdsAnywhere(field, value ?? ''));
      found.push(
        ...(await this.#keyedRows([
          { text: 'e.entity_type = ?', values: [entity.type] },
          ...fields,
          ...conditions,
        ])),
      );
    }
    return found;
  }

  #keyedRows(conditions: readonly Fragment[], limit = MAX_NAMED): Promise<KeyedRow[]> {
    const where = joinSql(conditions, ' AND ');
    return this.#session.query<KeyedRow>({
      text:
        `SELECT e.seq AS key, ${EPISODE_COLUMNS} FROM ${FROM_EPISODES} WHERE ${where.text} ` +
        'ORDER BY g.name, e.created_at, e.seq LIMIT ?',
      values: [...where.values, limit],
    });
  }
}

function inGroups(groups: readonly string[] | undefined): Fragment {
  if (groups === undefined) return { text: 'true', values: [] };
  return { text: 'g.name = ANY(?::text[])', values: [groups] };
}

/** Searches each group's part of the field index, since the index starts with the group. */
function holdsAnywhere(field: string, value: string | number): Fragment {
  const is = holdsValue('f', field, value);
  return {
    text:
      'e.seq IN (SELECT f.seq FROM guardkit.episode_group n JOIN guardkit.episode_field f ' +
      `ON f.group_id = n.id AND ${is.text})`,
    values: is.values,
  };
}
