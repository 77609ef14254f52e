import { projectGroup } from '../../domain/group.ts';
import { type Pattern, pattern, patternSchema } from '../../domain/pattern.ts';
import type { EpisodeStore } from '../../store/episode-store.ts';

/** The group of the system, which all projects read. */
const SHARED = 'patterns';
const MAX_SHOWN = 8;
const MAX_LINE = 300;

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

/** What went wrong again and again in other projects, a line each: for whoever begins a new one. */
export async function sharedPatterns(store: Pick<EpisodeStore, 'list'>): Promise<string[]> {
  const episodes = await store.list(SHARED, { limit: 100 });
  return episodes
    .flatMap(({ body }) => patternSchema.safeParse(body).data ?? [])
    .sort((a, b) => b.count - a.count || a.pattern_id.localeCompare(b.pattern_id))
    .slice(0, MAX_SHOWN)
    .map(({ what, correct }) => line(`${what}${correct[0] === undefined ? '' : ` Instead: ${correct[0]}`}`));
}

/** As one line: what has no line break cannot begin a heading or a block of a prompt. */
function line(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
      .replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\s]+/g, ' ')
      .trim()
      .slice(0, MAX_LINE)
      .toWellFormed()
  );
}
