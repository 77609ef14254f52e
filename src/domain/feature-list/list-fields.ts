import { MAX_CRITERIA, MAX_CRITERION_TEXT, splitCriterionId } from '../criteria/criterion.ts';
import { FEATURE_STATUSES, type Feature } from '../entities/feature.ts';
import { isWorkId } from '../entities/work-id.ts';
import { isJson, type JsonObject } from '../json/json.ts';
import { isObject } from '../json/plain-shape.ts';

/** Fields that only GuardKit sets. */
export const CONTROLLED_FIELDS = ['tested', 'evidence', 'retries', 'blocked_reason'] as const;

export interface ListedCriterion {
  id?: string;
  text: string;
}

/** The fields of a feature in a list. */
interface ReadFields
  extends Pick<
    Feature,
    | 'name'
    | 'description'
    | 'priority'
    | 'status'
    | 'task_type'
    | 'complexity'
    | 'dependencies'
    | 'verify'
    | 'ui'
    | 'files'
    | 'notes'
    | (typeof CONTROLLED_FIELDS)[number]
  > {
  acceptance_criteria: ListedCriterion[];
}

export type ListField = keyof ReadFields;

export type ListedFields = Partial<Omit<ReadFields, 'acceptance_criteria'>> & {
  /** Null if unreadable. */
  acceptance_criteria?: ListedCriterion[] | null;
  extra?: JsonObject;
};

interface FieldReader<Value> {
  /** Undefined if unreadable. */
  read(value: unknown): Value | undefined;
  expected: string;
}

/** Reads every field as people and agents write it; ambiguous values are refused. */
export const FIELD_READERS: { readonly [Field in ListField]: FieldReader<ReadFields[Field]> } = {
  name: { read: text(300), expected: 'at most 300 characters of text' },
  description: { read: text(20_000), expected: 'at most 20,000 characters of text' },
  priority: { read: readPriority, expected: 'a whole number; 1 is the most urgent' },
  status: { read: readStatus, expected: `one of ${FEATURE_STATUSES.join(', ')}` },
  tested: { read: isClaim, expected: 'nothing: only GuardKit sets it' },
  retries: { read: wholeNumber(0, 1_000_000), expected: 'nothing: only GuardKit sets it' },
  dependencies: { read: list(1000, isWorkId), expected: 'a list of feature ids' },
  task_type: { read: text(80, 1), expected: 'a task type, such as feature' },
  complexity: { read: wholeNumber(1, 10), expected: 'a whole number from 1 to 10' },
  acceptance_criteria: {
    read: readCriteria,
    expected: `a list of at most ${MAX_CRITERIA} texts, such as "AC-001: A person can log in"`,
  },
  verify: { read: readObject, expected: 'an object like verify: in .guardkit/config.yaml' },
  ui: { read: (value) => (typeof value === 'boolean' ? value : undefined), expected: 'true or false' },
  files: { read: list(2000, isShortText), expected: 'a list of paths' },
  notes: { read: readNotes, expected: 'at most 50,000 characters of text' },
  evidence: { read: readEvidence, expected: 'nothing: only GuardKit sets it' },
  blocked_reason: {
    read: (value) => (value === null ? null : text(5000)(value)),
    expected: 'nothing: only GuardKit sets it',
  },
};

function text(most: number, least = 0) {
  return (value: unknown) =>
    typeof value === 'string' && value.length <= most && value.length >= least ? value : undefined;
}

function isShortText(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= 1000;
}

function list(most: number, fits: (value: unknown) => value is string) {
  return (value: unknown): string[] | undefined =>
    Array.isArray(value) && value.length <= most && value.every(fits) ? value : undefined;
}

function wholeNumber(least: number, most: number) {
  return (value: unknown) =>
    typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
      ? value
      : undefined;
}

const PRIORITY_WORDS: ReadonlyMap<string, number> = new Map([
  ['critical', 1],
  ['high', 2],
  ['medium', 3],
  ['low', 4],
]);

/** 2, "2", "P2", "high". */
function readPriority(value: unknown): number | undefined {
  if (typeof value !== 'string') return wholeNumber(1, 1_000_000)(value);
  const word = value.trim().toLowerCase();
  const number = /^p?([1-9]\d{0,5})$/.exec(word)?.[1];
  return number === undefined ? PRIORITY_WORDS.get(word) : Number(number);
}

/** `In-Progress` is `in_progress`. */
function readStatus(value: unknown): Feature['status'] | undefined {
  if (typeof value !== 'string' || value.length > 40) return undefined;
  const word = value.trim().toLowerCase().replace(/[- ]/g, '_');
  return FEATURE_STATUSES.find((status) => status === word);
}

/** Any value that some reader could take for true counts as a claim. */
function isClaim(value: unknown): boolean {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
  return !(word === false || word === 0 || word === '' || word === 'false' || word === 'no' || word === '0');
}

function readNotes(value: unknown): string | undefined {
  const lines = Array.isArray(value) && value.every((line) => typeof line === 'string');
  return text(50_000)(lines ? value.join('\n') : value);
}

/** In any form: whatever looks like evidence is a claim. */
function readEvidence(value: unknown): string[] {
  const items: unknown[] = Array.isArray(value) ? value : [value];
  return items.slice(0, 1000).map((item) => (typeof item === 'string' ? item.slice(0, 200) : '?'));
}

function readObject(value: unknown): JsonObject | null | undefined {
  if (value === null) return null;
  const fits = isObject(value) && isJson(value);
  return fits && JSON.stringify(value).length <= 16 * 1024 ? (value as JsonObject) : undefined;
}

function readCriteria(value: unknown): ListedCriterion[] | undefined {
  if (!Array.isArray(value) || value.length > MAX_CRITERIA) return undefined;
  const criteria: ListedCriterion[] = [];
  for (const item of value as unknown[]) {
    const criterion = readCriterion(item);
    if (!criterion) return undefined;
    criteria.push(criterion);
  }
  return criteria;
}

/** `"AC-001: …"`, or `{id, text}`. */
function readCriterion(item: unknown): ListedCriterion | undefined {
  if (typeof item === 'string') return fits(item) ? split(item.trim()) : undefined;
  if (item === null || typeof item !== 'object') return undefined;
  const { id, text: said }: { id?: unknown; text?: unknown } = item;
  if (!fits(said)) return undefined;
  if (id === undefined || id === null) return split(said.trim());
  return typeof id === 'string' && id.length > 0 && id.length <= 40 ? { id, text: said } : undefined;
}

/** A lone id is the text of a criterion. */
function split(written: string): ListedCriterion {
  const said = splitCriterionId(written);
  return said.text === '' ? { text: written } : said;
}

function fits(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= MAX_CRITERION_TEXT;
}
