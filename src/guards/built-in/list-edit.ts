import type { ListFault } from '../../domain/feature-list/feature-list.ts';
import { readFeatureList } from '../../domain/feature-list/feature-list.ts';
import { judgeListChange } from '../../domain/feature-list/judge-list-change.ts';
import { CONTROLLED_FIELDS } from '../../domain/feature-list/list-fields.ts';
import type { Actor, FileEffect } from '../action.ts';
import type { GuardFacts } from '../guard.ts';

export type ListEdit =
  | { ok: true; controlled: ListFault[]; others: ListFault[] }
  | { ok: false; why: string };

/** Cached, since two guards judge the same edit. */
const judged = new WeakMap<FileEffect, ListEdit>();

/** Judges the feature list as the edit would leave it. */
export function judgeListEdit(effect: FileEffect, actor: Actor, facts: GuardFacts): ListEdit {
  const known = judged.get(effect);
  if (known) return known;
  const found = judge(effect, actor, facts);
  judged.set(effect, found);
  return found;
}

function judge({ effect, after }: FileEffect, actor: Actor, facts: GuardFacts): ListEdit {
  if (effect === 'delete') return { ok: false, why: 'the file would be deleted' };
  if (after === undefined) return { ok: false, why: 'the result is not known beforehand' };
  const reading = readFeatureList(after);
  if (!reading.ok) return { ok: false, why: `it would be invalid: ${reading.why}` };
  const { faults } = judgeListChange(facts.features(), reading.list, { kind: 'agent', type: actor.type });
  return {
    ok: true,
    controlled: faults.filter(({ field }) => isControlled(field)),
    others: faults.filter(({ field }) => !isControlled(field)),
  };
}

function isControlled(field: string): boolean {
  const bare = field.trim().toLowerCase();
  return CONTROLLED_FIELDS.some((one) => one === bare);
}

const SHOWN = 3;

/** The first few, since the same mistake often repeats in every feature. */
export function describeFaults(faults: readonly ListFault[]): string {
  const shown = faults
    .slice(0, SHOWN)
    .map(({ feature, why }) => (feature === '' ? why : `${feature}: ${why}`));
  const more = faults.length > SHOWN ? ` and ${faults.length - SHOWN} more` : '';
  return `${shown.join('; ')}${more}`;
}
