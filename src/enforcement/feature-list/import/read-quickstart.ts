import type { ListFault } from '../../../domain/feature-list/feature-list.ts';
import { FIELD_READERS, type Said } from '../../../domain/feature-list/list-fields.ts';
import { isObject } from '../../../domain/json/is-object.ts';
import { idsFromText } from './id-from-text.ts';
import { type ImportedFeatures, importFault, MAX_IMPORTED } from './imported-features.ts';
import { withoutRepeats } from './without-repeats.ts';

/** Anthropic’s quickstart list: `{category, description, steps, passes}`, without ids. Steps become criteria. */
export function readQuickstart(items: readonly unknown[]): ImportedFeatures {
  const imported: ImportedFeatures = { format: 'quickstart', features: [], claimed: [], faults: [] };
  const idOf = idsFromText();
  for (const [index, item] of items.slice(0, MAX_IMPORTED).entries()) {
    const read = readItem(`features[${index}]`, item, imported.faults);
    if (!read) continue;
    const { id, text } = idOf(read.description);
    imported.features.push({ id, says: { ...read.says, description: text } });
    if (read.passes) imported.claimed.push(id);
  }
  if (items.length > MAX_IMPORTED)
    imported.faults.push(importFault('', `there are more than ${MAX_IMPORTED} features`, 'Import fewer.'));
  return imported;
}

function readItem(place: string, item: unknown, faults: ListFault[]) {
  const refuse = (why: string, guidance: string) => void faults.push(importFault(place, why, guidance));
  if (!isObject(item)) return refuse('it is no feature', 'Write an object with a description.');
  const description = FIELD_READERS.description.read(own(item, 'description'));
  if (description === undefined || description.trim() === '')
    return refuse('it has no description', `Write ${FIELD_READERS.description.expected}.`);
  const steps = FIELD_READERS.acceptance_criteria.read(own(item, 'steps') ?? []);
  if (!steps)
    return refuse('its steps cannot be read', `Write ${FIELD_READERS.acceptance_criteria.expected}.`);
  const passes = FIELD_READERS.tested.read(own(item, 'passes') ?? false) === true;
  const category = own(item, 'category');
  const says: Said = {
    acceptance_criteria: withoutRepeats(steps),
    ...(passes ? { status: 'completed' } : {}),
    ...(typeof category === 'string' && category.length <= 200 ? { extra: { category } } : {}),
  };
  return { description: description.trim(), says, passes };
}

function own(item: object, key: string): unknown {
  return Object.hasOwn(item, key) ? Reflect.get(item, key) : undefined;
}
