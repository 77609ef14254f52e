import type { Episode } from '../../../domain/entities/episode.ts';
import { GROUPS, parseGroup, projectGroup } from '../../../domain/entities/group.ts';
import { diffBodies } from '../../../domain/json/diff-bodies.ts';
import type { JsonValue } from '../../../domain/json/json.ts';
import type { EpisodeStore, Filter } from '../../../store/episode-store.ts';
import type { EpisodeAnswer, EpisodesAnswer, MemoryAnswer } from './memory-schema.ts';
import { type OpenedProject, type ReadContext, unknown } from './read-context.ts';

const MAX_EPISODES = 100;
const MAX_TEXT = 600;
const MAX_VALUE = 20_000;
const MAX_VERSIONS = 50;
const MAX_LINKS = 200;

/** The groups of a project's memory. */
export async function readMemory(context: ReadContext, opened: OpenedProject): Promise<MemoryAnswer> {
  const undelivered = opened.ledger.outbox.status().pending;
  const store = await context.store(opened.checkout);
  if (!store) return { store: null, groups: [], undelivered };
  const info = await store.info();
  const counts = new Map((await store.counts()).map(({ group, episodes }) => [group, episodes]));
  return {
    store: { backend: info.backend, location: info.location, size_bytes: info.sizeBytes },
    groups: visible(opened.project).map((group) => {
      const { name, project } = parseGroup(group);
      const types = [...store.entityTypes.values()].filter(({ groups }) => groups.includes(name));
      return {
        group,
        name,
        scope: project === '' ? 'system' : 'project',
        episodes: counts.get(group) ?? 0,
        fields: [...new Set(types.flatMap(({ indexed }) => indexed))],
      };
    }),
    undelivered,
  };
}

export interface EpisodesAsked {
  query: string;
  group?: string | undefined;
  field?: string | undefined;
  value?: string | undefined;
}

/** Episodes found by words, or the newest of a group. */
export async function readEpisodes(
  context: ReadContext,
  { checkout, project }: OpenedProject,
  { query, group, field, value = '' }: EpisodesAsked,
): Promise<EpisodesAnswer> {
  const began = performance.now();
  const store = await context.store(checkout);
  const groups = visible(project).filter((one) => group === undefined || one === group);
  if (!store || groups.length === 0) return { episodes: [], more: false, milliseconds: 0 };
  const where = field === undefined ? [] : [filterOf(field, value)];
  const limit = MAX_EPISODES + 1;
  const found =
    query.trim() === ''
      ? await newest(store, groups, where, limit)
      : await store.search(query, { groups, limit, ...(where.length > 0 ? { where } : {}) });
  return {
    episodes: found.slice(0, MAX_EPISODES).map((one) => ({
      group: one.group,
      entity_id: one.entity_id,
      entity_type: one.entity_type,
      name: one.name.slice(0, MAX_TEXT),
      text: one.text.slice(0, MAX_TEXT),
      valid_at: one.valid_at,
      score: 'score' in one ? one.score : null,
    })),
    more: found.length > MAX_EPISODES,
    milliseconds: performance.now() - began,
  };
}

/** An entity with all its versions, and what leads to it and from it. */
export async function readEpisode(
  context: ReadContext,
  { checkout, project }: OpenedProject,
  { id, group }: { id: string; group?: string | undefined },
): Promise<EpisodeAnswer> {
  const store = await context.store(checkout);
  const groups = visible(project);
  if (!store || (group !== undefined && !groups.includes(group))) throw unknown('episode', id);
  const found = group === undefined ? await store.find(id, { groups }) : [{ group, entity_id: id }];
  const [first] = found;
  const history = first ? await store.history(first.group, first.entity_id) : [];
  const current = history.at(-1);
  if (!first || !current) throw unknown('episode', id);
  const links = await store.neighbours({ scope: parseGroup(first.group).project, id: first.entity_id });
  return {
    group: first.group,
    entity_id: first.entity_id,
    entity_type: current.entity_type,
    name: current.name.slice(0, MAX_TEXT),
    versions: history
      .map((one, index) => version(one, history[index - 1]))
      .slice(-MAX_VERSIONS)
      .reverse(),
    links: await Promise.all(
      links.slice(0, MAX_LINKS).map(async ({ relation, direction, id: other }) => {
        const [episode] = await store.find(other, { groups });
        return { relation, direction, id: other, group: episode?.group ?? null };
      }),
    ),
    others: found.slice(1).map((one) => ({ group: one.group, entity_id: one.entity_id })),
  };
}

function visible(project: string): string[] {
  return GROUPS.map(({ name, scope }) => (scope === 'system' ? name : projectGroup(project, name)));
}

async function newest(
  store: EpisodeStore,
  groups: readonly string[],
  where: readonly Filter[],
  limit: number,
): Promise<(Episode & { text: string })[]> {
  const lists = await Promise.all(groups.map((group) => store.list(group, { where, limit })));
  return lists
    .flat()
    .sort((one, other) => other.created_at.localeCompare(one.created_at))
    .slice(0, limit)
    .map((one) => ({ ...one, text: store.entityTypes.get(one.entity_type)?.text(one.body) ?? one.name }));
}

/** A value that a person typed may be stored as a number or a truth value. */
function filterOf(field: string, value: string): Filter {
  const number = Number(value);
  return {
    field,
    op: 'in',
    value: [
      value,
      ...(value !== '' && Number.isFinite(number) ? [number] : []),
      ...(value === 'true' || value === 'false' ? [value === 'true'] : []),
    ],
  };
}

function version(one: Episode, before: Episode | undefined): EpisodeAnswer['versions'][number] {
  return {
    uuid: one.uuid,
    source: one.source,
    valid_at: one.valid_at,
    invalid_at: one.invalid_at,
    created_at: one.created_at,
    expired_at: one.expired_at,
    body: Object.entries(one.body).map(([field, value]) => ({ field, value: shown(value) ?? '' })),
    changes: before
      ? diffBodies(before.body, one.body).map((change) => ({
          path: change.path,
          before: shown(change.before),
          after: shown(change.after),
        }))
      : [],
  };
}

function shown(value: JsonValue | undefined): string | null {
  if (value === undefined) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return text.length <= MAX_VALUE ? text : `${text.slice(0, MAX_VALUE)}…`;
}
