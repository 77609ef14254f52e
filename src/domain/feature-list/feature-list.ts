import type { Feature } from '../entities/feature.ts';
import { fitsGitRef, isWorkId } from '../entities/work-id.ts';
import { isJson, isNestedTooDeep, type JsonObject } from '../json/json.ts';
import { isObject, own } from '../json/plain-shape.ts';
import { SEPARATOR } from './list-blocks.ts';
import { CONTROLLED_FIELDS, FIELD_READERS, type ListedFields, type ListField } from './list-fields.ts';

export const LIST_VERSION = 1;
export const MAX_LIST_BYTES = 4 * 1024 * 1024;
const MAX_FEATURES = 5000;
const MAX_EXTRA = 16 * 1024;

/** A fault of a feature, or of the list itself if the id is empty. */
export interface ListFault {
  feature: string;
  field: string;
  why: string;
  guidance: string;
}

/** A feature in the list; missing fields are unchanged. */
export interface ListedFeature {
  id: string;
  values: ListedFields;
}

export interface FeatureList {
  features: ListedFeature[];
  /** Unknown top-level fields, preserved. */
  extra: JsonObject;
  /** Parts that could not be read; the rest is valid. */
  faults: ListFault[];
}

export type FeatureListReading = { ok: true; list: FeatureList } | { ok: false; why: string };

/** Reads the text of a list. Never throws; readable parts are kept. */
export function readFeatureList(text: string): FeatureListReading {
  if (text.length > MAX_LIST_BYTES) return { ok: false, why: 'it is larger than 4 MB' };
  if (isNestedTooDeep(text)) return { ok: false, why: 'it is nested too deeply' };
  let value: unknown;
  try {
    value = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch (error) {
    return {
      ok: false,
      why: `it is not valid JSON (${error instanceof Error ? error.message.slice(0, 200) : error})`,
    };
  }
  const features = Array.isArray(value) ? value : isObject(value) ? own(value, 'features') : undefined;
  if (!Array.isArray(features)) return { ok: false, why: 'it has no list of features' };
  const faults: ListFault[] = [];
  const top = isObject(value) ? readExtra('', value, TOP_KEYS, faults) : {};
  return { ok: true, list: { features: readListedFeatures(features, faults), extra: top, faults } };
}

const TOP_KEYS: ReadonlySet<string> = new Set(['version', 'project', 'features']);
const FEATURE_KEYS: ReadonlySet<string> = new Set(['id', ...Object.keys(FIELD_READERS)]);

/** Reads the features of a list, or of a part of it. */
export function readListedFeatures(items: readonly unknown[], faults: ListFault[]): ListedFeature[] {
  const seen = new Set<string>();
  const features: ListedFeature[] = [];
  for (const [index, item] of items.entries()) {
    if (index >= MAX_FEATURES) {
      faults.push(
        listFault(`there are more than ${MAX_FEATURES} features`, 'Move old ones to another file.'),
      );
      break;
    }
    const place = `features[${index}]`;
    if (!isObject(item)) {
      faults.push(listFault(`${place} is not a feature`, 'Write an object with an id.', place));
      continue;
    }
    const id = own(item, 'id');
    if (!isWorkId(id) || !fitsGitRef(id)) {
      faults.push(listFault(`${place} has no valid id`, ID_FORM, `${place}.id`));
      continue;
    }
    // Ignoring case, because some file systems do.
    if (seen.has(id.toLowerCase())) {
      faults.push(listFault(`duplicate id ${id}`, 'Give each feature its own id.', `${place}.id`));
      continue;
    }
    seen.add(id.toLowerCase());
    features.push(readFeature(id, item, faults));
  }
  return features;
}

const ID_FORM = 'Use letters, digits or . _ -, starting with a letter or digit, such as F001.';

function readFeature(id: string, item: object, faults: ListFault[]): ListedFeature {
  const values: Record<string, unknown> = { extra: {} };
  let unknown = false;
  for (const key of Object.keys(item)) {
    if (!isField(key)) {
      unknown ||= key !== 'id';
      continue;
    }
    const written: unknown = Reflect.get(item, key);
    if (written === null && !NULLABLE.has(key)) continue;
    const value = FIELD_READERS[key].read(written);
    if (value !== undefined) values[key] = value;
    else {
      if (key === 'acceptance_criteria') values[key] = null;
      const guidance = `Write ${FIELD_READERS[key].expected}.`;
      faults.push({ feature: id, field: key, why: `${key} cannot be read`, guidance });
    }
  }
  if (unknown) values.extra = readExtra(id, item, FEATURE_KEYS, faults);
  // Sound because each field was read by its own reader.
  return { id, values: values as ListedFields };
}

const NULLABLE: ReadonlySet<string> = new Set(['blocked_reason', 'verify']);

/** Unknown fields, except those that could be mistaken for known ones. */
function readExtra(
  feature: string,
  item: object,
  known: ReadonlySet<string>,
  faults: ListFault[],
): JsonObject {
  const kept: [string, unknown][] = [];
  for (const [key, value] of Object.entries(item)) {
    if (known.has(key)) continue;
    const refused = refuseKey(key) ?? (isJson(value) ? undefined : 'is nested too deeply');
    if (refused === undefined) kept.push([key, value]);
    else
      faults.push({
        feature,
        field: key.slice(0, 80),
        why: `${JSON.stringify(key.slice(0, 80))} ${refused}`,
        guidance: 'Remove it.',
      });
  }
  if (JSON.stringify(kept).length > MAX_EXTRA) {
    const why = 'its other fields take more than 16 kB';
    faults.push({ feature, field: 'extra', why, guidance: 'Move them to another file.' });
    return {};
  }
  return Object.fromEntries(kept) as JsonObject;
}

function refuseKey(key: string): string | undefined {
  if (key === '__proto__') return 'is not a valid field name';
  const letters = [...key.normalize('NFKC').replace(UNSEEN, '').toLowerCase()];
  return CONTROLLED_FIELDS.some((field) => readsLike(letters, field))
    ? 'looks like a field that only GuardKit sets'
    : undefined;
}

/** Characters that are invisible or merge with a letter. */
const UNSEEN = /[\p{Cf}\p{Mn}\s]/gu;
const MIN_SAME = 2;

/** Letters of another script may look like the expected ones. */
function readsLike(letters: readonly string[], field: string): boolean {
  if (letters.length !== field.length) return false;
  const others = letters.filter((letter, at) => letter !== field[at]);
  return others.every((letter) => letter > '\x7f') && letters.length - others.length >= MIN_SAME;
}

function listFault(why: string, guidance: string, field = 'features'): ListFault {
  return { feature: '', field, why, guidance };
}

function isField(key: string): key is ListField {
  return Object.hasOwn(FIELD_READERS, key);
}

/** Deterministic: the same features give the same text. */
export function writeFeatureList(
  project: string,
  features: readonly Feature[],
  extra: JsonObject = {},
): string {
  const { head, parts, tail } = layOutFeatureList(project, features, extra);
  return head + parts.map(({ text }) => text).join(SEPARATOR) + tail;
}

/** The list in parts: the head, each feature, the tail. */
export function layOutFeatureList(project: string, features: readonly Feature[], extra: JsonObject = {}) {
  return layOutFeatureTexts(
    project,
    features.map((one) => ({ id: one.id, text: featureText(one) })),
    extra,
  );
}

/** A feature's text in the list. Nested two lists deep, it gets the indentation of the whole file. */
export function featureText(feature: Feature): string {
  return JSON.stringify([[listedFeature(feature)]], null, 2).slice(OPENED.length, -CLOSED.length);
}

/** Same, from the texts of the features. */
export function layOutFeatureTexts(
  project: string,
  parts: readonly { id: string; text: string }[],
  extra: JsonObject = {},
) {
  const frame = JSON.stringify({ version: LIST_VERSION, project, features: [], ...extra }, null, 2);
  const opening = frame.slice(0, frame.indexOf(FEATURES) + FEATURES.length);
  const closing = `${frame.slice(opening.length)}\n`;
  const isEmpty = parts.length === 0;
  return {
    head: isEmpty ? opening : `${opening}\n    `,
    parts,
    tail: isEmpty ? closing : `\n  ${closing}`,
  };
}

const FEATURES = '\n  "features": [';
const OPENED = '[\n  [\n    ';
const CLOSED = '\n  ]\n]';

/** The fields of a feature in the list, in written order. */
export function listedFeature(feature: Feature) {
  return {
    id: feature.id,
    ...(feature.name === '' ? {} : { name: feature.name }),
    description: feature.description,
    priority: feature.priority,
    status: feature.status,
    tested: feature.tested,
    retries: feature.retries,
    dependencies: feature.dependencies,
    task_type: feature.task_type,
    complexity: feature.complexity,
    acceptance_criteria: feature.acceptance_criteria,
    verify: feature.verify,
    ui: feature.ui,
    files: feature.files,
    notes: feature.notes,
    evidence: feature.evidence,
    blocked_reason: feature.blocked_reason,
    ...feature.extra,
  };
}
