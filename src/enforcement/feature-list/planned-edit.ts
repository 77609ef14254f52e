import { findCycles } from '../../domain/dependencies.ts';
import type { Feature } from '../../domain/entities/feature.ts';
import type { ListedFeature, ListFault } from '../../domain/feature-list/feature-list.ts';
import { judgeListChange } from '../../domain/feature-list/judge-list-change.ts';
import type { ListEditor } from '../../domain/feature-list/list-rights.ts';
import { didYouMean, nearestWord } from '../../domain/nearest-word.ts';
import type { NewEntry } from '../../store/ledger/ledger.ts';

/** What a command would do to the features as they are. */
export type PlannedEdit =
  | { ok: true; changed: readonly Feature[]; removed: readonly string[]; entries?: readonly NewEntry[] }
  | { ok: false; faults: readonly ListFault[] };

/** What a command asks for, on which the editor's rights are judged. */
export interface AskedEdit {
  /** Those of the current features that it is about. */
  before: readonly Feature[];
  after: readonly ListedFeature[];
  editor: ListEditor;
  /** Ids that no feature may have though no feature has them. */
  taken?: ReadonlySet<string>;
}

/** Judges as a change of the list would be, but as a whole: one fault, and nothing of it is done. */
export function planListEdit(
  current: readonly Feature[],
  { before, after, editor, taken = new Set() }: AskedEdit,
): PlannedEdit {
  const known = new Set([...current.map(({ id }) => id), ...taken]);
  const list = { features: [...after], extra: {}, faults: [] };
  const { faults, changed, removed } = judgeListChange(before, list, editor, known);
  const found = [...faults, ...cycleFaults(current, changed)];
  return found.length > 0 ? { ok: false, faults: found } : { ok: true, changed, removed };
}

/** A slip of the hand is told from one that is not there. */
export function noSuchFeature(current: readonly Feature[], id: string): ListFault {
  const near = nearestWord(
    id,
    current.map((one) => one.id),
  );
  return {
    feature: id,
    field: 'id',
    why: 'there is no such feature',
    guidance: `\`guardkit feature list\` shows them all.${didYouMean(near)}`,
  };
}

/** Only those that the change makes; one that was there before must not keep anybody from mending it. */
function cycleFaults(current: readonly Feature[], changed: readonly Feature[]): ListFault[] {
  const before = new Map(current.map((one) => [one.id, one]));
  const further = changed.filter(
    ({ id, dependencies }) => !dependencies.every((other) => before.get(id)?.dependencies.includes(other)),
  );
  if (further.length === 0) return [];
  const all = new Map([...before, ...changed.map((one) => [one.id, one] as const)]);
  const ids = new Set(further.map(({ id }) => id));
  return findCycles([...all.values()])
    .filter((path) => path.some((id) => ids.has(id)))
    .map((path) => ({
      feature: path.find((id) => ids.has(id)) ?? '',
      field: 'dependencies',
      why: `it would wait for itself (${path.slice(0, 8).join(' → ')})`,
      guidance: 'Leave out one of these dependencies.',
    }));
}

/** What is waited for and does not exist, a line each. */
export function tellMissing(current: readonly Feature[], changed: readonly Feature[]): string[] {
  const known = new Set([...current, ...changed].map(({ id }) => id));
  return changed.flatMap(({ id, dependencies }) =>
    dependencies
      .filter((other) => !known.has(other))
      .map((other) => `${id} waits for ${other}, which does not exist yet.`),
  );
}
