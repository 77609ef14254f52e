import type { EpisodeInput } from '../../domain/entities/episode.ts';
import { projectGroup } from '../../domain/entities/group.ts';
import { type Pattern, pattern, patternSchema } from '../../domain/entities/pattern.ts';
import { FOUND_AFTERWARDS, type StoredTrace, traceSchema } from '../../domain/entities/trace.ts';
import type { EpisodeStore } from '../../store/episode-store.ts';
import { inTransaction } from '../../store/ledger/in-transaction.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { lastRelabelling } from '../../store/ledger/relabel-violations.ts';
import { cacheRead, findLastCached } from '../../store/ledger/tables/read-cache.ts';
import { forgetTraceGroups, readTraceGroups } from '../../store/ledger/tables/trace-groups.ts';
import type { PatternThresholds } from '../learning-settings.ts';
import { patternOfGroup } from './pattern-of-group.ts';
import { groupOf, placeTraces } from './place-traces.ts';

export interface ExtractInput {
  ledger: Ledger;
  store: Pick<EpisodeStore, 'list' | 'upsertMany' | 'info' | 'delete'>;
  project: string;
  thresholds: PatternThresholds;
}

export interface Extracted {
  /** All patterns of the project, most frequent first. */
  patterns: Pattern[];
  /** Ids of new patterns and of those with new traces. */
  changed: string[];
  /** Traces read for the first time. */
  read: number;
  /** Those of them that do not count, such as an agent's own claims or decisions. */
  leftOut: number;
  /** Ids of patterns that were based on changes of unknown author and are gone. */
  withdrawn: string[];
}

/** How far the traces have been read, and which patterns are not stored yet. */
interface Progress {
  location: string;
  thresholds: PatternThresholds;
  /** Groups whose pattern is not stored yet. */
  due: string[];
  /** The last entry that relabelled traces. */
  relabelled?: number;
}

const PAGE = 1000;
const BEGINNING = new Date(0).toISOString();
const MAX_PATTERNS = 500;
/** Several machines write to one store, so an earlier write may arrive a little later. */
const OVERLAP_MS = 10_000;

/** Groups new traces with each other and with earlier ones. The cost depends on the new traces only. */
export async function extractPatterns({
  ledger,
  store,
  project,
  thresholds,
}: ExtractInput): Promise<Extracted> {
  const { location } = await store.info();
  const key = `traces of ${project} for patterns`;
  const last = findLastCached(ledger, key);
  // Only this function writes it.
  const known = last?.body as Progress | undefined;
  const relabelled = lastRelabelling(ledger, project);
  const unchanged = known?.location === location && (known.relabelled ?? 0) === relabelled;
  // After a change of store, or when traces stop counting, all are grouped again.
  if (!unchanged) forgetTraceGroups(ledger, project);
  const from = unchanged && last ? last.stamp : BEGINNING;
  const due = new Set(unchanged ? known.due : []);
  let read = 0;
  let leftOut = 0;
  let reached = from;
  for (let offset = 0; ; offset += PAGE) {
    const { found, traces: page } = await readTraces(store, project, from, offset);
    if (found === 0) break;
    const placed = inTransaction(ledger, () => {
      const counts = placeTraces(
        ledger,
        project,
        page.map(({ trace }) => trace),
      );
      for (const id of counts.touched) due.add(id);
      reached = laterOf(reached, page.at(-1)?.createdAt ?? reached);
      const waiting = [...new Set([...dueOf(ledger, key), ...due])];
      cacheRead(ledger, key, reached, {
        location,
        thresholds,
        relabelled,
        due: waiting,
      } satisfies Progress);
      return counts;
    });
    read += placed.read;
    leftOut += placed.leftOut;
    if (found < PAGE) break;
  }
  const all = !unchanged || JSON.stringify(known.thresholds) !== JSON.stringify(thresholds);
  const found = patternsOf(ledger, project, all ? undefined : due, thresholds);
  const changed = await tell(store, project, found);
  const withdrawn = unchanged || relabelled === 0 ? [] : await withdraw(store, project, found);
  if (due.size > 0 || all) settle(ledger, key, due, { location, thresholds, relabelled });
  return { patterns: await readPatterns(store, project), changed, read, leftOut, withdrawn };
}

/** Removes stored groups from the progress; those of other processes stay. */
function settle(
  ledger: Ledger,
  key: string,
  stored: ReadonlySet<string>,
  now: Pick<Progress, 'location' | 'thresholds' | 'relabelled'>,
): void {
  inTransaction(ledger, () => {
    const stamp = findLastCached(ledger, key)?.stamp ?? BEGINNING;
    const left = dueOf(ledger, key).filter((id) => !stored.has(id));
    cacheRead(ledger, key, stamp, { ...now, due: left } satisfies Progress);
  });
}

function dueOf(ledger: Ledger, key: string): string[] {
  return (findLastCached(ledger, key)?.body as Partial<Progress> | undefined)?.due ?? [];
}

/** The stored patterns of a project. */
export async function readPatterns(store: Pick<EpisodeStore, 'list'>, project: string): Promise<Pattern[]> {
  const episodes = await store.list(projectGroup(project, 'patterns'), { limit: MAX_PATTERNS });
  return episodes
    .flatMap(({ body }) => patternSchema.safeParse(body).data ?? [])
    .sort((a, b) => b.count - a.count || a.pattern_id.localeCompare(b.pattern_id));
}

interface ReadTrace {
  trace: StoredTrace;
  createdAt: string;
}

async function readTraces(
  store: ExtractInput['store'],
  project: string,
  from: string,
  offset: number,
): Promise<{ found: number; traces: ReadTrace[] }> {
  const since = new Date(Math.max(0, Date.parse(from) - OVERLAP_MS)).toISOString();
  const episodes = await store.list(projectGroup(project, 'traces'), {
    where: [{ field: 'created_at', op: 'gte', value: since }],
    orderBy: { field: 'created_at', direction: 'asc' },
    limit: PAGE,
    offset,
  });
  const traces = episodes
    .flatMap(({ body, entity_id: id, valid_at: timestamp, created_at: createdAt }): ReadTrace[] => {
      // Skip traces that another version of GuardKit wrote in another format.
      const trace = traceSchema.safeParse(body).data;
      return trace ? [{ trace: { ...trace, id, project, timestamp }, createdAt }] : [];
    })
    .sort((a, b) => a.createdAt.localeCompare(b.createdAt) || a.trace.id.localeCompare(b.trace.id));
  return { found: episodes.length, traces };
}

function patternsOf(
  ledger: Ledger,
  project: string,
  ids: ReadonlySet<string> | undefined,
  thresholds: PatternThresholds,
): Pattern[] {
  if (ids?.size === 0) return [];
  return readTraceGroups(ledger, project, ids)
    .map(({ body }) => patternOfGroup(groupOf(body), thresholds))
    .filter((found) => found !== undefined);
}

async function tell(
  store: ExtractInput['store'],
  project: string,
  patterns: readonly Pattern[],
): Promise<string[]> {
  if (patterns.length === 0) return [];
  const inputs = patterns.map(
    (body): EpisodeInput => ({
      group: projectGroup(project, 'patterns'),
      entity_type: pattern.type,
      body,
      source: 'guardkit',
      valid_at: body.last_at,
    }),
  );
  const results = (await store.upsertMany(inputs)) ?? [];
  return patterns
    .filter((_, index) => results[index]?.action !== 'unchanged')
    .map(({ pattern_id }) => pattern_id);
}

/** Closes patterns of this guard that its remaining traces no longer support; their history stays. */
async function withdraw(
  store: ExtractInput['store'],
  project: string,
  found: readonly Pattern[],
): Promise<string[]> {
  const left = new Set(found.map(({ pattern_id }) => pattern_id));
  const wrong = (await readPatterns(store, project)).filter(
    ({ guard, pattern_id }) => guard === FOUND_AFTERWARDS && !left.has(pattern_id),
  );
  for (const { pattern_id } of wrong) await store.delete(projectGroup(project, 'patterns'), pattern_id);
  return wrong.map(({ pattern_id }) => pattern_id);
}

function laterOf(one: string, other: string): string {
  return one > other ? one : other;
}
