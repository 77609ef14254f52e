import type { StoreSettings } from '../../config/project/workspace.ts';
import { isProjectId, projectGroup } from '../../domain/entities/group.ts';
import { type Pattern, pattern, patternSchema } from '../../domain/entities/pattern.ts';
import { oneLine, withoutTags } from '../../domain/json/clean-text.ts';
import { scrubSecrets } from '../../domain/secrets/scrub-secrets.ts';
import { askStore } from '../../rules/ask-store.ts';
import type { EpisodeStore } from '../../store/episode-store.ts';

/** The system group that all projects read. */
const SHARED = 'patterns';
const MAX_SHOWN = 8;
/** Fits into a line of a prompt even with the longest project name. */
const MAX_LINE = 280;

/** Shares a pattern with all projects, with its origin; undefined if the project has no such pattern. */
export async function sharePattern(
  store: Pick<EpisodeStore, 'get' | 'upsert'>,
  project: string,
  id: string,
): Promise<Pattern | undefined> {
  const found = await store.get(projectGroup(project, 'patterns'), id);
  if (!found) return undefined;
  // Remove what only makes sense in this project.
  const shared: Pattern = { ...patternSchema.parse(found.body), origin: project, actions: [], examples: [] };
  await store.upsert({ group: SHARED, entity_type: pattern.type, body: shared, source: 'person' });
  return shared;
}

/** Like `sharedPatterns`, but empty if the store is unavailable. */
export async function recallSharedPatterns(settings: StoreSettings): Promise<string[]> {
  const answer = await askStore(settings, sharedPatterns);
  return answer.ok ? answer.value : [];
}

/** Mistakes repeated in other projects, one line each, for a new project. */
export async function sharedPatterns(store: Pick<EpisodeStore, 'list'>): Promise<string[]> {
  const episodes = await store.list(SHARED, { limit: 100 });
  return episodes
    .flatMap(({ body }) => patternSchema.safeParse(body).data ?? [])
    .sort((a, b) => b.count - a.count || a.pattern_id.localeCompare(b.pattern_id))
    .slice(0, MAX_SHOWN)
    .map(describeShared);
}

/** The project name comes after the cut text, so that it is never cut. */
function describeShared({ what, correct, origin }: Pattern): string {
  const summary = `${what}${correct[0] === undefined ? '' : ` Instead: ${correct[0]}`}`;
  return `${oneLine(withoutTags(summary), MAX_LINE)}${fromProject(origin)}`;
}

/** Accepts only a project id as origin: anything else could be injected text. */
export function fromProject(origin: string | null): string {
  return origin === null || !isProjectId(origin) ? '' : ` (from ${scrubSecrets(origin)})`;
}
