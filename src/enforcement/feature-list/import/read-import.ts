import {
  type ListFault,
  MAX_LIST_BYTES,
  readFeatureList,
} from '../../../domain/feature-list/feature-list.ts';
import {
  CONTROLLED_FIELDS,
  FIELD_READERS,
  type ListedFields,
} from '../../../domain/feature-list/list-fields.ts';
import { isNestedTooDeep } from '../../../domain/json/json.ts';
import { isObject, own } from '../../../domain/json/plain-shape.ts';
import {
  type ImportedFeatures,
  type ImportReading,
  idsFromText,
  importFault,
  MAX_IMPORTED,
  withoutRepeats,
} from './imported-features.ts';
import { readChecklist } from './read-checklist.ts';

/** Reads a file of features; the format is detected. */
export function readImport(text: string): ImportReading {
  if (text.length > MAX_LIST_BYTES) return { ok: false, why: 'it is larger than 4 MB' };
  const bare = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  if (isJson(bare)) return readJson(bare);
  const imported = readChecklist(bare);
  return imported.features.length + imported.faults.length > 0
    ? { ok: true, imported }
    : { ok: false, why: 'it is neither JSON nor a Markdown checklist (`- [ ] …`)' };
}

/** Markdown can start with `[x](…)` or `[ ] …` too. */
function isJson(text: string): boolean {
  return /^\s{0,1000}(?:\{|\[\s{0,1000}[{\]])/.test(text);
}

function readJson(text: string): ImportReading {
  if (isNestedTooDeep(text)) return { ok: false, why: 'it is nested too deeply' };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message.slice(0, 200) : String(error);
    return { ok: false, why: `it is not valid JSON (${why})` };
  }
  const items = listOf(value);
  if (items?.some(hasNoId)) return { ok: true, imported: readQuickstart(items) };
  const reading = readFeatureList(text);
  return reading.ok ? { ok: true, imported: ownFormat(reading.list) } : reading;
}

function listOf(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value;
  const inside =
    value !== null && typeof value === 'object' && Object.hasOwn(value, 'features')
      ? Reflect.get(value, 'features')
      : undefined;
  return Array.isArray(inside) ? inside : undefined;
}

function hasNoId(item: unknown): boolean {
  return (
    item !== null &&
    typeof item === 'object' &&
    !Object.hasOwn(item, 'id') &&
    Object.hasOwn(item, 'description')
  );
}

/** Drops the fields that only GuardKit sets, and other tools’ names for them. */
function ownFormat(list: Pick<ImportedFeatures, 'features' | 'faults'>): ImportedFeatures {
  const claimed: string[] = [];
  const features = list.features.map(({ id, values }) => {
    const { passes, ...extra } = values.extra ?? {};
    if (values.tested === true || passes === true) claimed.push(id);
    const free = { ...values, extra };
    for (const field of CONTROLLED_FIELDS) delete free[field];
    return { id, values: free };
  });
  return { format: 'guardkit', features, claimed, faults: list.faults };
}

/** Anthropic’s quickstart list: `{category, description, steps, passes}`, without ids. Steps become criteria. */
function readQuickstart(items: readonly unknown[]): ImportedFeatures {
  const imported: ImportedFeatures = { format: 'quickstart', features: [], claimed: [], faults: [] };
  const idOf = idsFromText();
  for (const [index, item] of items.slice(0, MAX_IMPORTED).entries()) {
    const read = readItem(`features[${index}]`, item, imported.faults);
    if (!read) continue;
    const { id, text } = idOf(read.description);
    imported.features.push({ id, values: { ...read.values, description: text } });
    if (read.passes) imported.claimed.push(id);
  }
  if (items.length > MAX_IMPORTED)
    imported.faults.push(importFault('', `there are more than ${MAX_IMPORTED} features`, 'Import fewer.'));
  return imported;
}

function readItem(place: string, item: unknown, faults: ListFault[]) {
  const refuse = (why: string, guidance: string) => void faults.push(importFault(place, why, guidance));
  if (!isObject(item)) return refuse('it is not a feature', 'Write an object with a description.');
  const description = FIELD_READERS.description.read(own(item, 'description'));
  if (description === undefined || description.trim() === '')
    return refuse('it has no description', `Write ${FIELD_READERS.description.expected}.`);
  const steps = FIELD_READERS.acceptance_criteria.read(own(item, 'steps') ?? []);
  if (!steps)
    return refuse('its steps cannot be read', `Write ${FIELD_READERS.acceptance_criteria.expected}.`);
  const passes = FIELD_READERS.tested.read(own(item, 'passes') ?? false) === true;
  const category = own(item, 'category');
  const values: ListedFields = {
    acceptance_criteria: withoutRepeats(steps),
    ...(passes ? { status: 'completed' } : {}),
    ...(typeof category === 'string' && category.length <= 200 ? { extra: { category } } : {}),
  };
  return { description: description.trim(), values, passes };
}
