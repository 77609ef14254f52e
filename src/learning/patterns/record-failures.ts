import type { EpisodeInput } from '../../domain/entities/episode.ts';
import { LEDGER_SOURCE } from '../../domain/entities/episode.ts';
import { failurePattern } from '../../domain/entities/failure-pattern.ts';
import { projectGroup } from '../../domain/entities/group.ts';
import { successfulFix } from '../../domain/entities/successful-fix.ts';
import { type TurnState, turnStateSchema } from '../../domain/entities/turn-state.ts';
import type { EpisodeStore } from '../../store/episode-store.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { cacheRead, findLastCached } from '../../store/ledger/tables/read-cache.ts';
import { findFailures, findFixes } from './find-failures.ts';

/** Only the newest turns are compared; older ones were processed before. */
const MAX_TURNS = 1000;

/** Stores feedback that Coaches repeated, and what resolved it. Does nothing without new turns. */
export async function recordFailures({
  ledger,
  store,
  project,
}: {
  ledger: Ledger;
  store: Pick<EpisodeStore, 'list' | 'upsertMany'>;
  project: string;
}): Promise<number> {
  const key = `turns of ${project} for failures`;
  const stamp = String(lastTurnEntry(ledger, project));
  if (findLastCached(ledger, key)?.stamp === stamp) return 0;
  const episodes = await store.list(projectGroup(project, 'turn_states'), { limit: MAX_TURNS });
  const turns = episodes
    .flatMap(({ body, valid_at, source }) => {
      // A turn written by hand was never judged.
      const turn = source === LEDGER_SOURCE ? turnStateSchema.safeParse(body).data : undefined;
      return turn ? [{ turn, at: turn.completed_at ?? valid_at }] : [];
    })
    .sort((a, b) => a.at.localeCompare(b.at))
    .map(({ turn }) => turn);
  const inputs = [
    ...findFailures(turns).map((body) =>
      episodeInput(project, 'failure_patterns', failurePattern.type, body),
    ),
    ...tasksOf(turns)
      .flatMap(findFixes)
      .map((body) => episodeInput(project, 'successful_fixes', successfulFix.type, body)),
  ];
  if (inputs.length > 0) await store.upsertMany(inputs);
  cacheRead(ledger, key, stamp, {});
  return inputs.length;
}

function lastTurnEntry({ file }: Ledger, project: string): number {
  const { database, attempt } = file;
  return attempt(() =>
    Number(
      database
        .prepare("SELECT max(number) FROM entries WHERE project = ? AND kind = 'turn_recorded'")
        .pluck()
        .get(project) ?? 0,
    ),
  );
}

function episodeInput(project: string, group: string, entity_type: string, body: unknown): EpisodeInput {
  return { group: projectGroup(project, group), entity_type, body, source: 'guardkit' };
}

function tasksOf(turns: readonly TurnState[]): TurnState[][] {
  const tasks = new Map<string, TurnState[]>();
  for (const turn of turns) {
    const key = `${turn.feature_id} ${turn.task_id}`;
    tasks.set(key, [...(tasks.get(key) ?? []), turn]);
  }
  return [...tasks.values()].map((own) => own.sort((a, b) => a.turn_number - b.turn_number));
}
