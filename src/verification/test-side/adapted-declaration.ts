import type { SourcePlace } from '../../domain/entities/test-report.ts';
import type { Declaration } from '../test-files/declarations/declaration.ts';
import type { TestFile } from '../test-files/match-tests.ts';
import { adaptCode } from './adapt-code.ts';
import { declarationsOf, type TestSource, usesName } from './test-source.ts';

export interface AdaptedDeclaration {
  text: string;
  /** Imports that a Go file needs for it: `ctx "context"`. */
  imports: readonly string[];
}

/**
 * A declaration of the base's tests with the parts of the change's version that are nearest to the places that do not
 * compile. Undefined if the change has no such declaration, or nothing else in it.
 */
export function adaptedDeclaration(
  source: TestSource,
  declaration: Declaration,
  places: readonly SourcePlace[],
  now: readonly TestFile[],
): AdaptedDeclaration | undefined {
  const before = source.textOf(declaration);
  const after = counterpart(source, declaration, now);
  if (after === undefined) return undefined;
  const [first] = declaration.lines;
  const rows = before.split('\n');
  const offsets = places.map(
    ({ line, column }) => rows.slice(0, line - first).join('\n').length + (line > first ? 1 : 0) + column - 1,
  );
  const text = adaptCode(before, after.text, offsets);
  if (text === undefined) return undefined;
  const isNew = (name: string) => usesName(text, name) && !usesName(before, name);
  if (source.path.endsWith('.go'))
    return {
      text,
      imports: goImports(after.file.text).flatMap(({ name, spec }) => (isNew(name) ? [spec] : [])),
    };
  const uses = declarationsOf(after.file)
    .filter(({ kind }) => kind === 'import')
    .map((one) => textIn(after.file, one))
    .filter((use) => /\w+/g.test(use) && (use.match(/\w+/g) ?? []).some(isNew));
  return { text: [...new Set(uses), text].join('\n'), imports: [] };
}

const MISSING = /\(missing (?:method (?<method>\w+)|(?<older>\w+) method)\)|^undefined: (?<name>\w+)$/;

/**
 * What a Go test lacks, according to the compiler, and the change's tests declare: a method that an interface now requires of a
 * type of the base's tests, or a helper that an adapted declaration uses.
 */
export function missingDeclaration(
  message: string,
  known: readonly TestSource[],
  now: readonly TestFile[],
): AdaptedDeclaration | undefined {
  const { older, method = older, name } = MISSING.exec(message)?.groups ?? {};
  const wanted = method ?? name;
  if (wanted === undefined) return undefined;
  for (const file of now)
    for (const one of declarationsOf(file)) {
      const { kind, names, of } = one;
      if (kind !== 'other' || !names.includes(wanted) || (of === undefined) !== (method === undefined))
        continue;
      const isKnown = (source: TestSource) =>
        source.declarations.some((other) => keyOf(other) === keyOf(one));
      if (known.some(isKnown) || (of !== undefined && !known.some((source) => source.declares(of)))) continue;
      const text = textIn(file, one);
      return {
        text,
        imports: goImports(file.text).flatMap((used) => (usesName(text, used.name) ? [used.spec] : [])),
      };
    }
  return undefined;
}

/** The same declaration in the change's version: of equal names, the one at the same position. */
function counterpart(
  source: TestSource,
  declaration: Declaration,
  now: readonly TestFile[],
): { file: TestFile; text: string } | undefined {
  const key = keyOf(declaration);
  const position = source.declarations.filter((one) => keyOf(one) === key).indexOf(declaration);
  for (const file of now) {
    const found = declarationsOf(file).filter((one) => keyOf(one) === key);
    const one = found[position] ?? found[0];
    if (one !== undefined) return { file, text: textIn(file, one) };
  }
  return undefined;
}

function keyOf({ kind, names, of, module }: Declaration): string {
  return JSON.stringify([kind, names, of ?? null, module ?? null]);
}

function textIn({ text }: TestFile, { lines: [first, last] }: Declaration): string {
  return text
    .split('\n')
    .slice(first - 1, last)
    .join('\n');
}

const GO_IMPORT = /^[ \t]*(?:import[ \t]+)?(?:([\w.]+)[ \t]+)?"([^"\n]+)"/gm;

/** By the name in the code, as far as the path shows it. */
function goImports(text: string): { name: string; spec: string }[] {
  const declared = declarationsOf({ path: 'imports_test.go', text }).filter(({ kind }) => kind === 'import');
  return declared.flatMap((one) =>
    [...textIn({ path: '', text }, one).matchAll(GO_IMPORT)].map(([, alias, path = '']) => {
      const parts = path.split('/').filter((part) => !/^v\d+$/.test(part));
      const last = (parts.at(-1) ?? '').replace(/\.v\d+$|^go-/g, '');
      return { name: alias ?? last, spec: alias === undefined ? `"${path}"` : `${alias} "${path}"` };
    }),
  );
}
