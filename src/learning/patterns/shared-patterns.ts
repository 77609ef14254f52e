import type { StoreSettings } from '../../config/project/workspace.ts';
import { isProjectId, projectGroup } from '../../domain/entities/group.ts';
import { type Pattern, pattern, patternSchema } from '../../domain/entities/pattern.ts';
import { oneLine, withoutTags } from '../../domain/json/clean-text.ts';
import { scrubSecrets } from '../../domain/secrets/scrub-secrets.ts';
import { askStore } from '../../rules/ask-store.ts';
import type { EpisodeStore } from '../../store/episode-store.ts';

/** The group of the system, which all projects read. */
const SHARED = 'patterns';
const MAX_SHOWN = 8;
/** With the longest name of a project behind it, it still fits into a line of a prompt. */
const MAX_LINE = 280;

/** Makes a pattern known to all projects, with where it is from; undefined where the project has no such one. */
export async function sharePattern(
  store: Pick<EpisodeStore, 'get' | 'upsert'>,
  project: string,
  id: string,
): Promise<Pattern | undefined> {
  const found = await store.get(projectGroup(project, 'patterns'), id);
  if (!found) return undefined;
  // What only means something where it happened stays there.
  const shared: Pattern = { ...patternSchema.parse(found.body), origin: project, actions: [], examples: [] };
  await store.upsert({ group: SHARED, entity_type: pattern.type, body: shared, source: 'person' });
  return shared;
}

/** The same with a store that may be away: then there is nothing to tell. */
export async function recallSharedPatterns(settings: StoreSettings): Promise<string[]> {
  const answer = await askStore(settings, sharedPatterns);
  return answer.ok ? answer.value : [];
}

/** What went wrong again and again in other projects, a line each: for whoever begins a new one. */
export async function sharedPatterns(store: Pick<EpisodeStore, 'list'>): Promise<string[]> {
  const episodes = await store.list(SHARED, { limit: 100 });
  return episodes
    .flatMap(({ body }) => patternSchema.safeParse(body).data ?? [])
    .sort((a, b) => b.count - a.count || a.pattern_id.localeCompare(b.pattern_id))
    .slice(0, MAX_SHOWN)
    .map(describeShared);
}

/** The name of the project comes after what is cut, so that it is always there. */
function describeShared({ what, correct, origin }: Pattern): string {
  const said = `${what}${correct[0] === undefined ? '' : ` Instead: ${correct[0]}`}`;
  return `${oneLine(withoutTags(said), MAX_LINE)}${fromProject(origin)}`;
}

/** Nothing but the id of a project stands for one: a row that says something else is somebody's text. */
export function fromProject(origin: string | null): string {
  return origin === null || !isProjectId(origin) ? '' : ` (from ${scrubSecrets(origin)})`;
}
