import type { Feature } from '../../domain/entities/feature.ts';
import type { ListedFields } from '../../domain/feature-list/list-fields.ts';
import type { ListEditor } from '../../domain/feature-list/list-rights.ts';
import { type PlannedEdit, planListEdit } from './planned-edit.ts';

export interface Addition {
  /** Undefined for the next free one. */
  id: string | undefined;
  says: ListedFields;
}

/** Adds one feature that only the list has. `taken` are ids of tasks. */
export function planAddition(
  current: readonly Feature[],
  taken: ReadonlySet<string>,
  { id = nextId([...current.map((one) => one.id), ...taken]), says }: Addition,
  editor: ListEditor,
): PlannedEdit {
  if (taken.has(id) || current.some((one) => one.id === id)) {
    const guidance = 'Give it another id, or none: then it gets the next free one.';
    return { ok: false, faults: [{ feature: id, field: 'id', why: 'this id is taken', guidance }] };
  }
  return planListEdit(current, { before: [], after: [{ id, says }], editor, taken });
}

/** `F001` and on, past every number that is in use. */
function nextId(used: readonly string[]): string {
  const numbers = used.flatMap((id) => /^f(\d{1,9})$/i.exec(id)?.[1] ?? []).map(Number);
  const next = numbers.reduce((most, one) => Math.max(most, one), 0) + 1;
  return `F${String(next).padStart(3, '0')}`;
}
