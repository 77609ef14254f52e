import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type * as z from 'zod';
import { issueText } from '../../domain/json/describe-issues.ts';
import { nearestWord } from '../../domain/nearest-word.ts';
import { scrubSecrets } from '../../domain/secrets/scrub-secrets.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import { explainAccess } from '../../platform/files/explain-access.ts';
import { legalKeys } from './legal-keys.ts';
import type { ParsedYaml, Place, YamlFault } from './parse-yaml.ts';

export type { ParsedYaml, Place } from './parse-yaml.ts';

export interface Fault extends TextFault {
  file: string;
}

/** Positions in a parsed file. */
export type Places = Pick<ParsedYaml, 'placeOf' | 'placeOfKey'>;

export type YamlResult<Value> = { ok: true; value: Value; places: Places } | { ok: false; faults: Fault[] };

/** More faults than a person fixes at once; the rest is counted. */
const MAX_FAULTS = 200;

/** Reads a YAML file with a schema; faults have line and column. A missing or empty file reads as an empty mapping. */
export async function readYamlFile<Value>(
  file: string,
  schema: z.ZodType<Value>,
): Promise<YamlResult<Value>> {
  const read = readConfigText(file);
  return read.ok ? readYamlText(file, read.text, schema) : { ok: false, faults: [{ file, ...read.fault }] };
}

/** Same for the text of a file, such as one from a commit. */
export async function readYamlText<Value>(
  file: string,
  text: string,
  schema: z.ZodType<Value>,
): Promise<YamlResult<Value>> {
  const refused = (faults: readonly TextFault[]) => ({
    ok: false as const,
    faults: faults.map((fault) => ({ file, ...fault })),
  });
  const parsed = await parse(text);
  if (parsed.faults.length > 0) return refused(shorten(parsed.faults, (fault) => [fault]));
  const checked = schema.safeParse(parsed.value ?? {});
  const issues = [...protoKeys(parsed.value), ...(checked.error?.issues ?? []).flatMap(oneByOne)];
  if (checked.success && issues.length === 0) return { ok: true, value: checked.data, places: parsed };
  return refused(shorten(issues, (issue) => describeIssue(issue, parsed, schema)));
}

/** Throws one error with all faults. */
export function requireValid<Value>(
  result: { ok: true; value: Value } | { ok: false; faults: Fault[] },
): Value {
  if (result.ok) return result.value;
  const unreadable = result.faults.some((fault) => fault.unreadable);
  const hint = result.faults.find((fault) => fault.hint !== undefined)?.hint;
  throw new GuardKitError({
    code: unreadable ? 'config.unreadable' : 'config.invalid',
    kind: unreadable ? 'outside' : 'input',
    message: result.faults.map(formatFault).join('\n'),
    hint: unreadable
      ? (hint ?? 'Make it a readable text file, or remove it.')
      : 'Fix these lines; nothing was changed.',
    faults: result.faults,
  });
}

/** The origin of a value: `quality-gates.yaml:12`. */
export function originOf(file: string, { line }: Place): string {
  return `${basename(file)}:${line}`;
}

export function formatFault({ file, line, column, message, unreadable }: Fault): string {
  // An unreadable file has no lines, and its message names it.
  return unreadable ? message : `${file}:${line}:${column}: ${message}`;
}

const BEGINNING = { line: 1, column: 1 };

async function parse(text: string): Promise<ParsedYaml> {
  const empty = { value: undefined, faults: [], placeOf: () => BEGINNING, placeOfKey: () => BEGINNING };
  if (text.trim() === '') return empty;
  const { parseYaml } = await import('./parse-yaml.ts');
  return parseYaml(text);
}

const PROTO = '__proto__';

/** Finds every `__proto__` key: some schemas refuse it, others drop it silently. */
function protoKeys(value: unknown, path: readonly string[] = []): z.core.$ZodIssue[] {
  if (value === null || typeof value !== 'object') return [];
  const inner = Object.entries(value).flatMap(([key, item]) => protoKeys(item, [...path, key]));
  return Object.hasOwn(value, PROTO) ? [unknownKey(PROTO, path), ...inner] : inner;
}

/** Splits an issue about several unknown keys. */
function oneByOne(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'unrecognized_keys') return [issue];
  return issue.keys.filter((key) => key !== PROTO).map((key) => unknownKey(key, issue.path));
}

function unknownKey(key: string, path: readonly PropertyKey[]): z.core.$ZodIssue {
  return { code: 'unrecognized_keys', keys: [key], path: [...path], message: 'unknown key' };
}

/** Describes the first faults and counts the rest. */
function shorten<Item>(items: readonly Item[], describe: (item: Item) => YamlFault[]): YamlFault[] {
  const shown = items.slice(0, MAX_FAULTS).flatMap(describe);
  if (items.length <= MAX_FAULTS) return shown;
  return [
    ...shown,
    {
      ...(shown.at(-1) ?? BEGINNING),
      code: 'more-faults',
      message: `and ${items.length - MAX_FAULTS} more errors`,
    },
  ];
}

function describeIssue(issue: z.core.$ZodIssue, parsed: ParsedYaml, schema: z.ZodType): YamlFault[] {
  return issueParts(issue, parsed, schema).map(
    ({ line, column, code, subject, problem, suggestion, found }) => {
      const message = `${subject}${problem}${found === '' ? '' : `, found ${found}`}`;
      return { line, column, code, message: suggestion === '' ? message : `${message}; ${suggestion}` };
    },
  );
}

/** A schema issue in parts, for callers that word it differently. */
interface IssueParts extends Omit<YamlFault, 'message'> {
  /** The key, or empty. */
  subject: string;
  problem: string;
  /** A question, or empty. */
  suggestion: string;
  /** The value as shown; empty if it is missing or may be a secret. */
  found: string;
  value: unknown;
}

export function issueParts(
  issue: z.core.$ZodIssue,
  { value, placeOf, placeOfKey }: ParsedYaml,
  schema: z.ZodType,
): IssueParts[] {
  const base = { subject: '', suggestion: '', found: '', value: undefined };
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      ...base,
      ...placeOfKey([...issue.path, key]),
      code: 'unknown-key',
      problem: `unknown key "${dotted([...issue.path, key])}"`,
      suggestion: meantKey(key, issue.path, schema),
    }));
  }
  const place = placeOf(issue.path);
  if (issue.path.length === 0)
    return [{ ...base, ...place, code: 'not-a-mapping', problem: 'expected a mapping (key: value)' }];
  const subject = dotted(issue.path);
  const written = valueAt(value, issue.path);
  if (issue.code === 'invalid_type' && written === undefined)
    return [{ ...base, ...place, code: 'missing', subject, problem: ' is missing' }];
  const found = foundAt(value, issue.path);
  const text = issueText(issue);
  const problem = `: ${found === '' ? text : text.replace(/, got [\w ]+$/, '')}`;
  return [{ ...base, ...place, code: 'invalid-value', subject, problem, found, value: written }];
}

/** The current value, unless it may be a secret: a URL often contains a password. */
function foundAt(value: unknown, path: readonly PropertyKey[]): string {
  if (/url|key|token|secret|password/i.test(String(path.at(-1)))) return '';
  // Scrubbed before truncating, because half a secret is not recognised.
  const found = scrubSecrets(asWritten(valueAt(value, path)));
  return found.length <= 60 ? found : `${found.slice(0, 59)}…`;
}

/** JSON cannot represent NaN and infinity. */
function asWritten(value: unknown): string {
  return typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? '');
}

function meantKey(key: string, path: readonly PropertyKey[], schema: z.ZodType): string {
  const legal = legalKeys(schema, path);
  const near = nearestWord(key, legal);
  const meant = near === undefined ? legal.filter((one) => one.startsWith(`${key}_`)) : [near];
  return meant.length === 0 ? '' : `did you mean ${meant.join(' or ')}?`;
}

function dotted(path: readonly PropertyKey[]): string {
  return path.map(String).join('.');
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (inner !== null && typeof inner === 'object' ? Reflect.get(inner, key) : undefined),
    value,
  );
}

/** Larger than any handwritten configuration. */
const MAX_BYTES = 1024 * 1024;

/** A fault in the text, or of the file itself (`unreadable`). */
interface TextFault extends YamlFault {
  unreadable?: true;
  /** The fix, if known. */
  hint?: string;
}

type ConfigText = { ok: true; text: string } | { ok: false; fault: TextFault };

/** The text of a file; empty if it does not exist. A folder, pipe or broken link is a fault. */
export function readConfigText(file: string): ConfigText {
  try {
    // Non-blocking: opening a pipe would wait for a writer forever.
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stat = fstatSync(descriptor);
      if (!stat.isFile()) return unreadable(file, stat.isDirectory() ? 'EISDIR' : 'not a file');
      return stat.size > MAX_BYTES ? tooLarge() : decode(readFileSync(descriptor));
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    const closed = explainAccess(error);
    if (closed)
      return beginning({ code: 'unreadable', message: closed.message, unreadable: true, hint: closed.hint });
    if (code !== 'ENOENT' && code !== 'ENOTDIR') return unreadable(file, code);
    // A broken link is a fault, not a missing file.
    const link = code === 'ENOENT' && lstatSync(file, { throwIfNoEntry: false });
    return link ? unreadable(file, 'broken link') : { ok: true, text: '' };
  }
}

/** Same for the bytes of a file, such as one from a commit. */
export function decodeConfigText(bytes: Buffer): ConfigText {
  return bytes.length > MAX_BYTES ? tooLarge() : decode(bytes);
}

function decode(bytes: Buffer): ConfigText {
  const text = bytes.toString('utf8');
  // A byte order mark would count as a column.
  if (isUtf8(bytes)) return { ok: true, text: text.replace(/^\uFEFF/, '') };
  const before = text.slice(0, text.indexOf('\uFFFD')).split('\n');
  const place = { line: before.length, column: (before.at(-1) ?? '').length + 1 };
  const message = 'not UTF-8; save the file as UTF-8';
  return { ok: false, fault: { ...place, code: 'not-utf8', message } };
}

function tooLarge(): ConfigText {
  return beginning({ code: 'too-large', message: 'the file is larger than 1 MB' });
}

function unreadable(file: string, why: string): ConfigText {
  return beginning({ code: 'unreadable', message: `${file} cannot be read (${why})`, unreadable: true });
}

function beginning(fault: Omit<TextFault, 'line' | 'column'>): ConfigText {
  return { ok: false, fault: { line: 1, column: 1, ...fault } };
}
