import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type * as z from 'zod';
import { nearestWord } from '../domain/nearest-word.ts';
import { scrubSecrets } from '../domain/scrub-secrets.ts';
import { GuardKitError } from '../guardkit-error.ts';
import { legalKeys } from './legal-keys.ts';
import type { ParsedYaml, Place, YamlFault } from './parse-yaml.ts';

export type { Place } from './parse-yaml.ts';

export interface Fault extends YamlFault {
  file: string;
}

/** Where things stand in a file that was read. */
export type Places = Pick<ParsedYaml, 'placeOf' | 'placeOfKey'>;

export type YamlResult<Value> = { ok: true; value: Value; places: Places } | { ok: false; faults: Fault[] };

/** Bigger than any configuration a person writes. */
const MAX_BYTES = 1024 * 1024;

/** Reads a YAML file by a schema; every fault comes with its place. An absent or empty file reads as an empty mapping. */
export async function readYamlFile<Value>(
  file: string,
  schema: z.ZodType<Value>,
): Promise<YamlResult<Value>> {
  const parsed = await parse(readText(file));
  const refused = (faults: readonly YamlFault[]) => ({
    ok: false as const,
    faults: faults.map((fault) => ({ file, ...fault })),
  });
  if (parsed.faults.length > 0) return refused(parsed.faults);
  const checked = schema.safeParse(parsed.value ?? {});
  if (checked.success) return { ok: true, value: checked.data, places: parsed };
  return refused(checked.error.issues.flatMap((issue) => describe(issue, parsed, schema)));
}

/** Throws with every fault at once. */
export function requireValid<Value>(
  result: { ok: true; value: Value } | { ok: false; faults: Fault[] },
): Value {
  if (result.ok) return result.value;
  throw new GuardKitError({
    code: 'config.invalid',
    kind: 'input',
    message: result.faults.map(formatFault).join('\n'),
    hint: 'Correct these lines; nothing was changed.',
  });
}

/** How a value's place is shown beside it: `quality-gates.yaml:12`. */
export function originOf(file: string, { line }: Place): string {
  return `${basename(file)}:${line}`;
}

export function formatFault({ file, line, column, message }: Fault): string {
  return `${file}:${line}:${column}: ${message}`;
}

const BEGINNING = { line: 1, column: 1 };

async function parse(text: string): Promise<ParsedYaml> {
  const empty = { value: undefined, faults: [], placeOf: () => BEGINNING, placeOfKey: () => BEGINNING };
  if (text.trim() === '') return empty;
  if (Buffer.byteLength(text) > MAX_BYTES)
    return { ...empty, faults: [{ ...BEGINNING, message: 'the file is larger than 1 MB' }] };
  const { parseYaml } = await import('./parse-yaml.ts');
  return parseYaml(text);
}

/** Empty where there is no such file; anything else that stands in its place is said. */
function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return '';
    throw new GuardKitError({
      code: 'config.unreadable',
      kind: 'outside',
      message: `${file} cannot be read (${code ?? error}).`,
      hint: 'Make it a text file that you may read, or remove it.',
      cause: error,
    });
  }
}

function describe(
  issue: z.core.$ZodIssue,
  { value, placeOf, placeOfKey }: ParsedYaml,
  schema: z.ZodType,
): YamlFault[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      ...placeOfKey([...issue.path, key]),
      message: `unknown key "${dotted([...issue.path, key])}"${didYouMean(key, issue.path, schema)}`,
    }));
  }
  const place = placeOf(issue.path);
  if (issue.path.length === 0) return [{ ...place, message: 'a mapping (key: value) is expected' }];
  const missing = issue.code === 'invalid_type' && valueAt(value, issue.path) === undefined;
  const what = missing
    ? ' is missing'
    : `: ${issue.message.replace(/^Invalid input: /, '')}${foundAt(value, issue.path)}`;
  return [{ ...place, message: `${dotted(issue.path)}${what}` }];
}

/** What stands there now, unless it may be a secret: an address often holds a password. */
function foundAt(value: unknown, path: readonly PropertyKey[]): string {
  if (/url|key|token|secret|password/i.test(String(path.at(-1)))) return '';
  // Scrubbed before it is cut, since half a secret is not recognised.
  const found = scrubSecrets(JSON.stringify(valueAt(value, path)) ?? '');
  return found === '' ? '' : `, found ${found.slice(0, 60)}`;
}

function didYouMean(key: string, path: readonly PropertyKey[], schema: z.ZodType): string {
  const meant = nearestWord(key, legalKeys(schema, path));
  return meant === undefined ? '' : `; did you mean ${meant}?`;
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
