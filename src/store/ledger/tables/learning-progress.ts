import type { Ledger } from '../ledger.ts';
import { cacheRead, findLastCached } from './read-cache.ts';

/** The kinds of entries that patterns and reviews of learned guards are based on. */
const LEARNED_FROM = [
  'action_judged',
  'violation_recorded',
  'violation_relabelled',
  'correction_noticed',
  'trace_recorded',
  'turn_recorded',
  'verification_recorded',
  'waiver_used',
  'feature_completed',
] as const;

/** Whether the project has entries to learn from since the last learning, delivered or not. */
export function hasUnlearned(ledger: Ledger, project: string): boolean {
  const { database, attempt } = ledger.file;
  const learned = Number(findLastCached(ledger, keyOf(project))?.stamp ?? 0);
  const later = database.prepare(
    'SELECT 1 FROM entries WHERE project = ? AND kind = ? AND number > ? LIMIT 1',
  );
  return attempt(() => LEARNED_FROM.some((kind) => later.get(project, kind, learned) !== undefined));
}

/** The number of the project's last entry. Read it before learning, since other processes continue writing. */
export function lastEntryNumber({ file }: Ledger, project: string): number {
  const { database, attempt } = file;
  return attempt(() =>
    Number(database.prepare('SELECT number FROM heads WHERE project = ?').pluck().get(project) ?? 0),
  );
}

export function markLearned(ledger: Ledger, project: string, number: number): void {
  cacheRead(ledger, keyOf(project), String(number), null);
}

function keyOf(project: string): string {
  return `learned up to in ${project}`;
}

/** The kinds of entries that most traces come from. */
const TRACE_KINDS = [
  'action_judged',
  'violation_recorded',
  'correction_noticed',
  'trace_recorded',
  'turn_recorded',
  'verification_recorded',
] as const;

/** Whether there may be something to recall: a few index lookups, so that a new project costs nothing. */
export function mayHaveTraces({ file }: Ledger, project: string): boolean {
  const { database, attempt } = file;
  const found = database.prepare('SELECT 1 FROM entries WHERE project = ? AND kind = ? LIMIT 1');
  return attempt(() => TRACE_KINDS.some((kind) => found.get(project, kind) !== undefined));
}
