import { criterionWords, wordSimilarity } from '../../domain/criteria/criterion.ts';
import { type EpisodeInput, LEDGER_SOURCE } from '../../domain/entities/episode.ts';
import { type FailurePattern, failurePattern } from '../../domain/entities/failure-pattern.ts';
import { projectGroup } from '../../domain/entities/group.ts';
import { type SuccessfulFix, successfulFix } from '../../domain/entities/successful-fix.ts';
import { type TurnState, turnStateSchema } from '../../domain/entities/turn-state.ts';
import { turnStateId } from '../../domain/entities/work-id.ts';
import { sha256 } from '../../domain/json/json.ts';
import { isObject } from '../../domain/json/plain-shape.ts';
import type { EpisodeStore } from '../../store/episode-store.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { cacheRead, findLastCached } from '../../store/ledger/tables/read-cache.ts';

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

/** From this similarity on, two feedbacks ask for the same. */
const SAME = 0.6;
const MAX_TEXT = 1500;
const MAX_KEPT_TURNS = 20;
/** Feedback counts as repeated after this many turns or tasks. */
const TURNS = 3;
const TASKS = 2;

/** Feedback that Coaches repeated. Expects turns in order. */
export function findFailures(turns: readonly TurnState[]): FailurePattern[] {
  const clusters: { words: ReadonlySet<string>; turns: TurnState[] }[] = [];
  for (const turn of turns) {
    if (!wasSentBack(turn)) continue;
    const words = criterionWords(turn.coach_feedback);
    const known = clusters.find((one) => wordSimilarity(one.words, words) >= SAME);
    if (known) known.turns.push(turn);
    else clusters.push({ words, turns: [turn] });
  }
  return clusters.flatMap(({ turns: alike, words }) => {
    const tasks = unique(alike.map(({ task_id }) => task_id));
    const [first] = alike;
    if (!first?.coach_feedback || (alike.length < TURNS && tasks.length < TASKS)) return [];
    const times = alike.map(momentOf).sort();
    return [
      {
        failure_id: `FAILURE-${sha256([...words].sort().join(' ')).slice(0, 12)}`,
        feedback: first.coach_feedback.slice(0, MAX_TEXT),
        gates: unique(alike.flatMap(failedGates)),
        times: alike.length,
        tasks,
        features: unique(alike.map(({ feature_id }) => feature_id)),
        first_at: times[0] ?? EPOCH,
        last_at: times.at(-1) ?? EPOCH,
        turns: alike
          .slice(-MAX_KEPT_TURNS)
          .map((one) => turnStateId(one.feature_id, one.task_id, one.turn_number)),
      },
    ];
  });
}

/** Turns that ended a series of the same feedback. Expects the turns of one task, in order. */
export function findFixes(turns: readonly TurnState[]): SuccessfulFix[] {
  const fixes: SuccessfulFix[] = [];
  let row: TurnState[] = [];
  for (const turn of turns) {
    const last = row.at(-1);
    if (wasSentBack(turn) && (!last || sameFeedback(last, turn))) {
      row = [...row, turn];
      continue;
    }
    if (row.length >= 2 && last?.coach_feedback && turn.coach_decision !== null && turn.player_summary !== '')
      fixes.push({
        fix_id: `FIX-${turn.feature_id}-${turn.task_id}-T${turn.turn_number}`,
        feature_id: turn.feature_id,
        task_id: turn.task_id,
        turn_number: turn.turn_number,
        problem: last.coach_feedback.slice(0, MAX_TEXT),
        turns_before: row.length,
        fix: turn.player_summary.slice(0, MAX_TEXT),
        files: turn.files_modified.slice(0, 20),
        gates: failedGates(last).filter((gate) => !failedGates(turn).includes(gate)),
      });
    row = wasSentBack(turn) ? [turn] : [];
  }
  return fixes;
}

function sameFeedback(one: TurnState, other: TurnState): boolean {
  const [a, b] = [one, other].map(({ coach_feedback }) => criterionWords(coach_feedback ?? ''));
  return a !== undefined && b !== undefined && wordSimilarity(a, b) >= SAME;
}

function wasSentBack(turn: TurnState): turn is TurnState & { coach_feedback: string } {
  return (
    (turn.coach_decision === 'feedback' || turn.coach_decision === 'rejected') &&
    (turn.coach_feedback ?? '').trim() !== ''
  );
}

/** Gate results may come from other programs in another format. */
function failedGates({ quality_gate_results }: TurnState): string[] {
  const gates = quality_gate_results?.gates;
  if (!isObject(gates)) return [];
  return Object.entries(gates)
    .filter(([, result]) => result === 'fail')
    .map(([gate]) => gate);
}

function momentOf({ completed_at, started_at }: TurnState): string {
  return completed_at ?? started_at ?? EPOCH;
}

const EPOCH = new Date(0).toISOString();

function unique(names: readonly string[]): string[] {
  return [...new Set(names)];
}
