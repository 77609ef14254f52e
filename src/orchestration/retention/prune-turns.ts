import { join } from 'node:path';
import type { ProjectConfig } from '../../config/project/project-config.ts';
import type { Work } from '../../config/work/work.ts';
import { projectGroup } from '../../domain/entities/group.ts';
import { turnStateSchema } from '../../domain/entities/turn-state.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Repository } from '../../platform/git/repository.ts';
import { tryLock } from '../../platform/processes/process-lock.ts';
import type { EpisodeStore } from '../../store/episode-store.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { type ArchivedTurns, archiveTurns, type TurnRef } from './archive-turns.ts';
import { findCompleteFeatures } from './find-complete-features.ts';

/** How many turns memory keeps. */
export interface RetentionLimits {
  perFeature: number;
  perProject: number;
}

const DEFAULT_LIMITS: RetentionLimits = { perFeature: 50, perProject: 200 };

/** The limits from `retention:`, with defaults. */
export function retentionLimits({ retention }: Pick<ProjectConfig, 'retention'>): RetentionLimits {
  return {
    perFeature: retention?.turns_per_feature ?? DEFAULT_LIMITS.perFeature,
    perProject: retention?.turns_per_project ?? DEFAULT_LIMITS.perProject,
  };
}

/** A turn in memory, of a complete feature. */
export interface KeptTurn {
  id: string;
  feature: string;
  task: string;
  number: number;
  /** When it was made. */
  at: string;
}

/**
 * The turns to prune, oldest first. `turns` are those of complete features only: work in progress counts towards the
 * project's limit but is never pruned.
 */
export function choosePrunableTurns(
  turns: readonly KeptTurn[],
  /** All turns of the project, including those in progress. */
  total: number,
  { perFeature, perProject }: RetentionLimits,
): KeptTurn[] {
  const oldestFirst = [...turns].sort(byAge);
  const left = new Map<string, number>();
  for (const { feature } of turns) left.set(feature, (left.get(feature) ?? 0) + 1);
  const chosen = new Set<KeptTurn>();
  for (const turn of oldestFirst) {
    const count = left.get(turn.feature) ?? 0;
    if (count <= perFeature) continue;
    chosen.add(turn);
    left.set(turn.feature, count - 1);
  }
  for (const turn of oldestFirst) {
    if (total - chosen.size <= perProject) break;
    chosen.add(turn);
  }
  return oldestFirst.filter((turn) => chosen.has(turn));
}

function byAge(a: KeptTurn, b: KeptTurn): number {
  if (a.at !== b.at) return a.at < b.at ? -1 : 1;
  if (a.number !== b.number) return a.number - b.number;
  return a.id < b.id ? -1 : 1;
}

export interface PruneRequest {
  home: string;
  project: string;
  repository: Repository;
  ledger: Ledger;
  store: EpisodeStore;
  limits: RetentionLimits;
  /** The current features and tasks; called only if a limit is exceeded. */
  work(): Promise<Work>;
  /** The feature that the caller is building. */
  building?: string;
  clock: Clock;
  dryRun?: boolean;
}

export interface PruneReport {
  /** Turns in memory before. */
  total: number;
  /** Pruned turns, or with `dryRun` those to prune; oldest first. */
  turns: KeptTurn[];
  archives: ArchivedTurns[];
}

/**
 * Deletes the oldest turns of complete features beyond the limits from memory, with their refs, after archiving both. The
 * ledger keeps its entries.
 */
export async function pruneTurns(request: PruneRequest): Promise<PruneReport> {
  const { home, project, store, limits, dryRun = false } = request;
  const group = projectGroup(project, 'turn_states');
  const total = (await store.counts()).find((count) => count.group === group)?.episodes ?? 0;
  const nothing: PruneReport = { total, turns: [], archives: [] };
  if (total <= Math.min(limits.perFeature, limits.perProject)) return nothing;
  const lock = tryLock(join(home, 'locks', project, 'prune.lock'));
  // Another process is pruning.
  if (!lock) return nothing;
  try {
    const turns = choosePrunableTurns(await turnsOfComplete(request, group), total, limits);
    if (dryRun || turns.length === 0) return { ...nothing, turns };
    const refs = await findRefs(request.repository, turns);
    const archives: ArchivedTurns[] = [];
    for (const feature of new Set(turns.map((turn) => turn.feature))) {
      const own = turns.filter((turn) => turn.feature === feature);
      archives.push(await pruneFeature(request, group, feature, own, refs));
    }
    return { total, turns, archives };
  } finally {
    lock.release();
  }
}

async function turnsOfComplete(request: PruneRequest, group: string): Promise<KeptTurn[]> {
  const { home, project, ledger, store, building } = request;
  const complete = findCompleteFeatures(ledger, project, await request.work()).filter(
    (id) => id !== building && !isBeingBuilt(home, project, id),
  );
  if (complete.length === 0) return [];
  const episodes = await store.list(group, { where: [{ field: 'feature_id', op: 'in', value: complete }] });
  return episodes.flatMap(({ entity_id, body, valid_at }) => {
    const turn = turnStateSchema.safeParse(body).data;
    if (!turn) return [];
    const { feature_id: feature, task_id: task, turn_number: number, started_at } = turn;
    return [{ id: entity_id, feature, task, number, at: started_at ?? valid_at }];
  });
}

function isBeingBuilt(home: string, project: string, featureId: string): boolean {
  const lock = tryLock(join(home, 'locks', project, `${featureId}.lock`));
  lock?.release();
  return lock === undefined;
}

async function pruneFeature(
  { home, project, repository, ledger, store, clock }: PruneRequest,
  group: string,
  feature: string,
  turns: readonly KeptTurn[],
  allRefs: ReadonlyMap<string, string>,
): Promise<ArchivedTurns> {
  const refs = turns.flatMap((turn): TurnRef[] => {
    const ref = refOf(turn);
    const commit = allRefs.get(ref);
    return commit === undefined ? [] : [{ ref, commit }];
  });
  const archived = await archiveTurns({
    home,
    group,
    store,
    repository,
    feature,
    turnIds: new Set(turns.map(({ id }) => id)),
    refs,
    base: firstBase(ledger, project, feature),
    at: clock(),
  });
  if (refs.length > 0) {
    const input = refs.map(({ ref, commit }) => `delete ${ref} ${commit}\n`).join('');
    await repository.run(['update-ref', '--stdin'], { input });
  }
  for (const { id } of turns) await store.delete(group, id);
  return archived;
}

function refOf({ feature, task, number }: KeptTurn): string {
  return `refs/guardkit/${feature}/${task}/T${number}`;
}

async function findRefs(
  repository: Repository,
  turns: readonly KeptTurn[],
): Promise<ReadonlyMap<string, string>> {
  const wanted = new Set(turns.map(refOf));
  const text = await repository.run(['for-each-ref', '--format=%(refname) %(objectname)', 'refs/guardkit/']);
  const all = text.split('\n').map((line): [string, string] => {
    const [ref = '', commit = ''] = line.split(' ');
    return [ref, commit];
  });
  return new Map(all.filter(([ref]) => wanted.has(ref)));
}

function firstBase(ledger: Ledger, project: string, feature: string): string | undefined {
  const builds = [...ledger.lookup(project, { kind: 'build_began', field: 'feature_id', value: feature })];
  const base = builds.at(-1)?.body.base_commit;
  return typeof base === 'string' ? base : undefined;
}
