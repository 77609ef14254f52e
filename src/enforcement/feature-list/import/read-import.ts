import { MAX_LIST_BYTES, readFeatureList } from '../../../domain/feature-list/feature-list.ts';
import { CONTROLLED_FIELDS } from '../../../domain/feature-list/list-fields.ts';
import { isNestedTooDeep } from '../../../domain/json/nesting.ts';
import type { ImportedFeatures, ImportReading } from './imported-features.ts';
import { readChecklist } from './read-checklist.ts';
import { readQuickstart } from './read-quickstart.ts';

/** Reads a file of features in any of the forms that are known; which one it is, the text tells. */
export function readImport(text: string): ImportReading {
  if (text.length > MAX_LIST_BYTES) return { ok: false, why: 'it is larger than 4 MB' };
  const bare = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  if (isJson(bare)) return readJson(bare);
  const imported = readChecklist(bare);
  return imported.features.length + imported.faults.length > 0
    ? { ok: true, imported }
    : { ok: false, why: 'it is neither JSON nor a Markdown checklist (`- [ ] …`)' };
}

/** `[x](…)` and `[ ] …` begin a text, too. */
function isJson(text: string): boolean {
  return /^\s{0,1000}(?:\{|\[\s{0,1000}[{\]])/.test(text);
}

function readJson(text: string): ImportReading {
  if (isNestedTooDeep(text)) return { ok: false, why: 'it is nested without end' };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message.slice(0, 200) : String(error);
    return { ok: false, why: `it is no JSON (${why})` };
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

/** What is GuardKit’s alone stays behind, and so does what others take for it. */
function ownFormat(list: Pick<ImportedFeatures, 'features' | 'faults'>): ImportedFeatures {
  const claimed: string[] = [];
  const features = list.features.map(({ id, says }) => {
    const { passes, ...extra } = says.extra ?? {};
    if (says.tested === true || passes === true) claimed.push(id);
    const free = { ...says, extra };
    for (const field of CONTROLLED_FIELDS) delete free[field];
    return { id, says: free };
  });
  return { format: 'guardkit', features, claimed, faults: list.faults };
}
