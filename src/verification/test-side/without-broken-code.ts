import { posix } from 'node:path';
import type { SourcePlace } from '../../domain/entities/test-report.ts';
import type { Declaration } from '../test-files/declarations/declaration.ts';
import type { TestFile } from '../test-files/match-tests.ts';
import { adaptedDeclaration, missingDeclaration } from './adapted-declaration.ts';
import { TestSource, usesName } from './test-source.ts';

/** A removed function, type or other name of a test file. */
export interface RemovedName {
  file: string;
  name: string;
  /** The compiler's message. */
  message: string;
}

export interface RemainingCode {
  /** The changed files. */
  files: TestFile[];
  removed: RemovedName[];
}

export interface RemovalOptions {
  /** Whether lines of a file belong to its tests. */
  isOfTests(file: TestFile, lines: readonly [number, number]): boolean;
  /**
   * The change's test files that may contain the new version of a declaration of this file. If given, a declaration first
   * takes over the parts of it that make it compile.
   */
  nowOf?: (file: string) => readonly TestFile[];
}

/** Go has one namespace per package. */
const TAKEN = /^(?<name>[\p{L}_][\p{L}\p{N}_]*) (?:redeclared in this block|already declared through)/u;

/**
 * Test files of Go and Rust without the declarations that contain the given places. Methods go together with their type, so
 * that no test runs with others of the same name. Undefined if nothing can be removed.
 */
export function withoutBrokenCode(
  files: readonly TestFile[],
  places: readonly SourcePlace[],
  { isOfTests, nowOf }: RemovalOptions,
): RemainingCode | undefined {
  const sources = new Map(files.map((file) => [file.path, new TestSource(file, isOfTests)]));
  const removed: RemovedName[] = [];
  const added = new Set<string>();
  const remove = (source: TestSource, one: Declaration, message: string) => {
    source.remove(one);
    removed.push(...one.names.map((name) => ({ file: source.path, name, message })));
    if (!source.path.endsWith('.rs') || one.names.length !== 1) return;
    // Without it, `use super::*` may find a function of the product with the same name.
    for (const user of source.declarations)
      if (
        user.kind === 'other' &&
        !source.isRemoved(user) &&
        usesName(source.textOf(user), one.names[0] ?? '')
      )
        remove(source, user, message);
  };
  for (const { source, declaration: found, all } of brokenDeclarations(sources, places)) {
    const [{ message }] = all;
    const taken = source.path.endsWith('.go') ? TAKEN.exec(message)?.groups?.name : undefined;
    if (taken !== undefined && found.kind === 'other' && found.of === undefined) {
      for (const one of neighbours(sources, source)) one.rename(taken, `${taken}_ofTests`);
      continue;
    }
    if (found.kind === 'import') {
      for (const place of all) source.removeImport(found, place);
      continue;
    }
    if (source.isRemoved(found)) continue;
    if (nowOf !== undefined) {
      const now = nowOf(source.path);
      const missing = source.path.endsWith('.go')
        ? all.flatMap((place) => missingDeclaration(place.message, neighbours(sources, source), now) ?? [])
        : [];
      for (const one of missing.filter(({ text }) => !added.has(text))) {
        added.add(one.text);
        source.append(one.text);
        source.addGoImports(one.imports);
      }
      if (missing.length > 0) continue;
      const adapted = adaptedDeclaration(source, found, all, now);
      if (adapted !== undefined) {
        source.replace(found, adapted.text);
        source.addGoImports(adapted.imports);
        continue;
      }
    }
    if (found.kind === 'fixed') continue;
    const { of } = found;
    if (of !== undefined) {
      const home = neighbours(sources, source).find((one) => one.declares(of));
      if (home === undefined) continue;
      home.removeNamed(of);
      removed.push({ file: home.path, name: of, message });
    }
    remove(source, found, message);
  }
  const changed = [...sources.values()].filter(({ isChanged }) => isChanged);
  if (changed.length === 0) return undefined;
  return { files: changed.map((source) => source.file()), removed };
}

interface BrokenDeclaration {
  source: TestSource;
  declaration: Declaration;
  all: [SourcePlace, ...SourcePlace[]];
}

function brokenDeclarations(
  sources: ReadonlyMap<string, TestSource>,
  places: readonly SourcePlace[],
): Iterable<BrokenDeclaration> {
  const found = new Map<Declaration, BrokenDeclaration>();
  for (const place of places) {
    const source = sources.get(place.file);
    const declaration = source?.declarationAt(place.line);
    if (source === undefined || declaration === undefined) continue;
    const known = found.get(declaration);
    if (known === undefined) found.set(declaration, { source, declaration, all: [place] });
    else known.all.push(place);
  }
  return found.values();
}

/** The files that may declare the type of a method: of a Go package, its folder; of Rust, the file itself. */
function neighbours(sources: ReadonlyMap<string, TestSource>, of: TestSource): TestSource[] {
  const folder = posix.dirname(of.path);
  const isNear = ({ path }: TestSource) =>
    of.path.endsWith('.go') && path.endsWith('.go') && posix.dirname(path) === folder;
  return [...sources.values()].filter((one) => one === of || isNear(one));
}
