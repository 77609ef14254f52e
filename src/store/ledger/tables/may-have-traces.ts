import type { Ledger } from '../ledger.ts';

/** The kinds of entries that most traces come of. */
const TAUGHT_BY = [
  'action_judged',
  'violation_recorded',
  'correction_noticed',
  'trace_recorded',
  'turn_recorded',
  'verification_recorded',
] as const;

/** Whether there may be something to recall: a few questions to an index, so that a new project costs nothing. */
export function mayHaveTraces({ file }: Ledger, project: string): boolean {
  const { database, attempt } = file;
  const found = database.prepare('SELECT 1 FROM entries WHERE project = ? AND kind = ? LIMIT 1');
  return attempt(() => TAUGHT_BY.some((kind) => found.get(project, kind) !== undefined));
}
