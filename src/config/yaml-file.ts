import { readFileSync } from 'node:fs';
import type { Document, LineCounter, Node } from 'yaml';
import type { z } from 'zod';
import { GuardKitError } from '../guardkit-error.ts';

export interface Fault {
  file: string;
  line: number;
  column: number;
  message: string;
}

export type YamlResult<Value> = { ok: true; value: Value } | { ok: false; faults: Fault[] };

/** Bigger than any configuration a person writes. */
const MAX_BYTES = 1024 * 1024;

/** Reads a YAML file by a schema; every fault comes with its place. An absent or empty file reads as an empty mapping. */
export async function readYamlFile<Value>(
  file: string,
  schema: z.ZodType<Value>,
): Promise<YamlResult<Value>> {
  const text = readText(file);
  if (text.length > MAX_BYTES) return faultsAt(file, 'the file is larger than 1 MB');
  if (text.trim() === '') return validate(file, {}, undefined, undefined, schema);
  const { parseYaml } = await import('./parse-yaml.ts');
  const { document, lines } = parseYaml(text);
  if (document.errors.length > 0) {
    return {
      ok: false,
      faults: document.errors.map((error) => ({
        file,
        ...place(lines, error.pos[0]),
        message: firstLine(error.message),
      })),
    };
  }
  return validate(file, toJs(document) ?? {}, document, lines, schema);
}

/** Throws with every fault at once. */
export function requireValid<Value>(result: YamlResult<Value>): Value {
  if (result.ok) return result.value;
  throw new GuardKitError({
    code: 'config.invalid',
    kind: 'input',
    message: result.faults.map(formatFault).join('\n'),
    hint: 'Correct these lines; nothing was changed.',
  });
}

export function formatFault({ file, line, column, message }: Fault): string {
  return `${file}:${line}:${column}: ${message}`;
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

function toJs(document: Document): unknown {
  return document.toJS({ maxAliasCount: 50 });
}

function validate<Value>(
  file: string,
  value: unknown,
  document: Document | undefined,
  lines: LineCounter | undefined,
  schema: z.ZodType<Value>,
): YamlResult<Value> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data };
  const faults = parsed.error.issues.flatMap((issue) => {
    const paths =
      issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
    return paths.map((path) => ({
      file,
      ...place(lines, offsetOf(document, path)),
      message:
        issue.code === 'unrecognized_keys'
          ? `unknown key "${path.map(String).join('.')}"`
          : `${path.map(String).join('.') || 'the file'}: ${issue.message}`,
    }));
  });
  return { ok: false, faults };
}

/** The nearest node on the way to a path that the file really has. */
function offsetOf(document: Document | undefined, path: readonly PropertyKey[]): number {
  for (let length = path.length; document && length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true) as Node | undefined;
    if (node?.range) return node.range[0];
  }
  return 0;
}

function place(lines: LineCounter | undefined, offset: number): { line: number; column: number } {
  const found = lines?.linePos(offset);
  return { line: Math.max(1, found?.line ?? 1), column: Math.max(1, found?.col ?? 1) };
}

function faultsAt(file: string, message: string): { ok: false; faults: Fault[] } {
  return { ok: false, faults: [{ file, line: 1, column: 1, message }] };
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? text;
}
