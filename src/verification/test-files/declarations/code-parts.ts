import { readFileScopes } from '../file-scopes.ts';
import { lexPython, type PythonLine } from '../lex-python.ts';
import { sourceTokens } from '../source-tokens.ts';
import type { Declaration } from './declaration.ts';
import { goDeclarations } from './go-declarations.ts';
import { rustDeclarations } from './rust-declarations.ts';

/** A function, macro or method of a source file. */
export interface CodePart {
  /** `raises`, `Money.Equal`, `Rate.__eq__` or `PartialEq for Money`. */
  name: string;
  lines: readonly [first: number, last: number];
  text: string;
}

const EQUALITY = /^__(?:eq|ne)__$/;
const RUST_EQUALITY = /\bimpl\b[^{]{0,200}\bPartialEq\b[^{]{0,200}\bfor\s/;
const RUST_MACRO = /\bmacro_rules\s{0,9}!\s{0,9}(\w{1,100})/;

/** The functions and macros at the top of a file, and the methods that decide whether two values are equal. */
export function codePartsOf(path: string, text: string): CodePart[] {
  const rows = text.split('\n');
  const part = (name: string, lines: CodePart['lines']): CodePart => ({
    name,
    lines,
    text: rows.slice(lines[0] - 1, lines[1]).join('\n'),
  });
  if (path.endsWith('.go'))
    return (goDeclarations(text) ?? []).flatMap((one) => named(one).map((name) => part(name, one.lines)));
  if (path.endsWith('.rs'))
    return (rustDeclarations(text) ?? []).flatMap((one) => {
      const found = part('', one.lines);
      return rustNames(one, found.text).map((name) => ({ ...found, name }));
    });
  if (!/\.(?:[cm]?[jt]sx?|py)$/.test(path)) return [];
  const top = (readFileScopes(path, text)?.scopes ?? []).flatMap(({ suite, declares, lines }) =>
    suite === undefined ? declares.map((name) => part(name, lines)) : [],
  );
  if (!path.endsWith('.py')) return top;
  return [...top, ...equalityOfPython(text).map(({ name, lines }) => part(name, lines))];
}

/** The same for equal code in any formatting. */
export function wordsOfPart(path: string, { text }: CodePart): string {
  const tokens = sourceTokens(path, text) ?? [];
  return tokens.map((token) => (token.type === 'string' ? `"${token.text}` : token.text)).join('\u0001');
}

function named({ names, kind, of }: Declaration): string[] {
  if (kind !== 'other') return [];
  if (of === undefined) return [...names];
  return names.filter((name) => /^Equals?$/.test(name)).map((name) => `${of}.${name}`);
}

function rustNames({ names, kind, of }: Declaration, text: string): string[] {
  if (kind === 'import') return [];
  const [, macro] = RUST_MACRO.exec(text) ?? [];
  if (macro !== undefined) return [macro];
  if (of !== undefined) return RUST_EQUALITY.test(text) ? [`PartialEq for ${of}`] : [];
  return [...names];
}

function equalityOfPython(text: string): Omit<CodePart, 'text'>[] {
  const { lines } = lexPython(text);
  return lines.flatMap((line, at) => {
    const [first, name] = line.tokens;
    if (first?.text !== 'def' || !EQUALITY.test(name?.text ?? '')) return [];
    const owner = lines
      .slice(0, at)
      .findLast(({ indent, tokens }) => indent < line.indent && tokens[0]?.text === 'class');
    const next = lines.findIndex((other, place) => place > at && other.indent <= line.indent);
    const body = lines.slice(at, next === -1 ? lines.length : next);
    return [
      {
        name: `${owner?.tokens[1]?.text ?? ''}.${name?.text}`,
        lines: [first.line, lastLine(body, first.line)] as const,
      },
    ];
  });
}

function lastLine(lines: readonly PythonLine[], start: number): number {
  return lines.at(-1)?.tokens.at(-1)?.line ?? start;
}
