import type { Feature } from '../../../domain/entities/feature.ts';
import type { ListEditor } from '../../../domain/feature-list/list-rights.ts';
import { type PlannedEdit, planListEdit } from '../planned-edit.ts';
import type { ImportedFeatures } from './imported-features.ts';

/** Adds those that are not there. What is known already stays as it is, however far it has come since. */
export function planImport(
  current: readonly Feature[],
  taken: ReadonlySet<string>,
  { features, faults }: ImportedFeatures,
  editor: ListEditor,
): PlannedEdit {
  if (faults.length > 0) return { ok: false, faults };
  const known = new Set(current.map(({ id }) => id));
  const tasks = features.filter(({ id }) => taken.has(id));
  if (tasks.length > 0)
    return {
      ok: false,
      faults: tasks.map(({ id }) => ({
        feature: id,
        field: 'id',
        why: 'a task has this id',
        guidance: 'Give the feature another one.',
      })),
    };
  const after = features.filter(({ id }) => !known.has(id));
  return planListEdit(current, { before: [], after, editor });
}
