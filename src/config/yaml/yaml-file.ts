import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type * as z from 'zod';
import { didYouMean, nearestWord } from '../../domain/nearest-word.ts';
import { scrubSecrets } from '../../domain/secrets/scrub-secrets.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import { explainAccess } from '../../platform/files/explain-access.ts';
import { legalKeys } from './legal-keys.ts';
import type { ParsedYaml, Place, YamlFault } from './parse-yaml.ts';

export type { ParsedYaml, Place } from './parse-yaml.ts';

export interface Fault extends TextFault {
  file: string;
}

/** Where things stand in a file that was read. */
export type Places = Pick<ParsedYaml, 'placeOf' | 'placeOfKey'>;

export type YamlResult<Value> = { ok: true; value: Value; places: Places } | { ok: false; faults: Fault[] };

/** More than a person corrects in one go; what is beyond is counted. */
const MAX_FAULTS = 200;

/** Reads a YAML file by a schema; every fault comes with its place. An absent or empty file reads as an empty mapping. */
export async function readYamlFile<Value>(
  file: string,
  schema: z.ZodType<Value>,
): Promise<YamlResult<Value>> {
  const refused = (faults: readonly TextFault[]) => ({
    ok: false as const,
    faults: faults.map((fault) => ({ file, ...fault })),
  });
  const read = readConfigText(file);
  if (!read.ok) return refused([read.fault]);
  const parsed = await parse(read.text);
  if (parsed.faults.length > 0) return refused(shorten(parsed.faults, (fault) => [fault]));
  const checked = schema.safeParse(parsed.value ?? {});
  const issues = [...protoKeys(parsed.value), ...(checked.error?.issues ?? []).flatMap(oneByOne)];
  if (checked.success && issues.length === 0) return { ok: true, value: checked.data, places: parsed };
  return refused(shorten(issues, (issue) => describeIssue(issue, parsed, schema)));
}

/** Throws with every fault at once. */
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
      ? (hint ?? 'Make it a text file that you may read, or remove it.')
      : 'Correct these lines; nothing was changed.',
    faults: result.faults,
  });
}

/** How a value's place is shown beside it: `quality-gates.yaml:12`. */
export function originOf(file: string, { line }: Place): string {
  return `${basename(file)}:${line}`;
}

export function formatFault({ file, line, column, message, unreadable, hint }: Fault): string {
  // What cannot be read has no lines.
  return unreadable
    ? hint === undefined
      ? `${file} ${message.replace(/^the file /, '')}`
      : message
    : `${file}:${line}:${column}: ${message}`;
}

const BEGINNING = { line: 1, column: 1 };

async function parse(text: string): Promise<ParsedYaml> {
  const empty = { value: undefined, faults: [], placeOf: () => BEGINNING, placeOfKey: () => BEGINNING };
  if (text.trim() === '') return empty;
  const { parseYaml } = await import('./parse-yaml.ts');
  return parseYaml(text);
}

const PROTO = '__proto__';

/** Every key of that name. Some schemas refuse it and some drop it without a word, so it is looked for here. */
function protoKeys(value: unknown, path: readonly string[] = []): z.core.$ZodIssue[] {
  if (value === null || typeof value !== 'object') return [];
  const inner = Object.entries(value).flatMap(([key, item]) => protoKeys(item, [...path, key]));
  return Object.hasOwn(value, PROTO) ? [unknownKey(PROTO, path), ...inner] : inner;
}

/** Keys that are not known come together, however many they are. */
function oneByOne(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'unrecognized_keys') return [issue];
  return issue.keys.filter((key) => key !== PROTO).map((key) => unknownKey(key, issue.path));
}

function unknownKey(key: string, path: readonly PropertyKey[]): z.core.$ZodIssue {
  return { code: 'unrecognized_keys', keys: [key], path: [...path], message: 'unknown key' };
}

/** Describes so many faults that a person can use them, and counts the rest. */
function shorten<Item>(items: readonly Item[], describe: (item: Item) => YamlFault[]): YamlFault[] {
  const shown = items.slice(0, MAX_FAULTS).flatMap(describe);
  if (items.length <= MAX_FAULTS) return shown;
  return [
    ...shown,
    {
      ...(shown.at(-1) ?? BEGINNING),
      code: 'more-faults',
      message: `and ${items.length - MAX_FAULTS} more faults`,
    },
  ];
}

/** What is wrong at one place, with what was found there. */
export function describeIssue(
  issue: z.core.$ZodIssue,
  { value, placeOf, placeOfKey }: ParsedYaml,
  schema: z.ZodType,
): YamlFault[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      ...placeOfKey([...issue.path, key]),
      code: 'unknown-key',
      message: `unknown key "${dotted([...issue.path, key])}"${meantKey(key, issue.path, schema)}`,
    }));
  }
  const place = placeOf(issue.path);
  if (issue.path.length === 0)
    return [{ ...place, code: 'not-a-mapping', message: 'a mapping (key: value) is expected' }];
  const missing = issue.code === 'invalid_type' && valueAt(value, issue.path) === undefined;
  const what = missing
    ? ' is missing'
    : `: ${issue.message.replace(/^Invalid input: /, '')}${foundAt(value, issue.path)}`;
  const code = missing ? 'missing' : 'invalid-value';
  return [{ ...place, code, message: `${dotted(issue.path)}${what}` }];
}

/** What stands there now, unless it may be a secret: an address often holds a password. */
function foundAt(value: unknown, path: readonly PropertyKey[]): string {
  if (/url|key|token|secret|password/i.test(String(path.at(-1)))) return '';
  // Scrubbed before it is cut, since half a secret is not recognised.
  const found = scrubSecrets(asWritten(valueAt(value, path)));
  return found === '' ? '' : `, found ${found.length <= 60 ? found : `${found.slice(0, 59)}…`}`;
}

/** JSON has no word for numbers that are none. */
function asWritten(value: unknown): string {
  return typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? '');
}

function meantKey(key: string, path: readonly PropertyKey[], schema: z.ZodType): string {
  const legal = legalKeys(schema, path);
  const near = nearestWord(key, legal);
  const meant = near === undefined ? legal.filter((one) => one.startsWith(`${key}_`)) : [near];
  return didYouMean(meant.join(' or '), '; ');
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

/** Bigger than any configuration a person writes. */
const MAX_BYTES = 1024 * 1024;

/** A fault of the text, or of the file itself, which has to be mended outside of it. */
interface TextFault extends YamlFault {
  unreadable?: true;
  /** Says what to do, where that is known. */
  hint?: string;
}

type ConfigText = { ok: true; text: string } | { ok: false; fault: TextFault };

/** The text of a file, empty where there is none; anything else that stands in its place is a fault. */
export function readConfigText(file: string): ConfigText {
  try {
    // Without waiting: a pipe of this name has no end, and nobody may ever write into it.
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stat = fstatSync(descriptor);
      if (!stat.isFile()) return unreadable(stat.isDirectory() ? 'EISDIR' : 'it is no file');
      if (stat.size > MAX_BYTES)
        return beginning({ code: 'too-large', message: 'the file is larger than 1 MB' });
      return decode(readFileSync(descriptor));
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    const closed = explainAccess(error);
    if (closed)
      return beginning({ code: 'unreadable', message: closed.message, unreadable: true, hint: closed.hint });
    if (code !== 'ENOENT' && code !== 'ENOTDIR') return unreadable(code);
    // A link that leads nowhere was meant to say something.
    const link = code === 'ENOENT' && lstatSync(file, { throwIfNoEntry: false });
    return link ? unreadable('a link that leads nowhere') : { ok: true, text: '' };
  }
}

function decode(bytes: Buffer): ConfigText {
  const text = bytes.toString('utf8');
  // A mark at the beginning would be counted as a column.
  if (isUtf8(bytes)) return { ok: true, text: text.replace(/^\uFEFF/, '') };
  const before = text.slice(0, text.indexOf('\uFFFD')).split('\n');
  const place = { line: before.length, column: (before.at(-1) ?? '').length + 1 };
  const message = 'this is not UTF-8; save the file as UTF-8';
  return { ok: false, fault: { ...place, code: 'not-utf8', message } };
}

function unreadable(why: string): ConfigText {
  return beginning({ code: 'unreadable', message: `the file cannot be read (${why})`, unreadable: true });
}

function beginning(fault: Omit<TextFault, 'line' | 'column'>): ConfigText {
  return { ok: false, fault: { line: 1, column: 1, ...fault } };
}
