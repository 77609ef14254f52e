import { posix } from 'node:path';
import type { SourcePlace } from '../../domain/entities/test-report.ts';
import type { Declaration } from '../test-files/declarations/declaration.ts';
import { goDeclarations } from '../test-files/declarations/go-declarations.ts';
import { rustDeclarations } from '../test-files/declarations/rust-declarations.ts';
import type { TestFile } from '../test-files/match-tests.ts';

/** A removed function, type or other name of a test file. */
export interface RemovedName {
  file: string;
  name: string;
  /** The compiler's message. */
  message: string;
}

export interface RemainingCode {
  /** The changed files; other lines keep their numbers. */
  files: TestFile[];
  removed: RemovedName[];
}

/**
 * Test files of Go and Rust without the declarations that contain the given places. Methods go together with their type, so
 * that no test runs with others of the same name. Undefined if nothing can be removed. `isOfTests`: whether lines of a
 * file belong to its tests.
 */
export function withoutBrokenCode(
  files: readonly TestFile[],
  places: readonly SourcePlace[],
  isOfTests: (file: TestFile, lines: readonly [number, number]) => boolean,
): RemainingCode | undefined {
  const sources = new Map<string, Source>();
  const sourceOf = (path: string): Source | undefined => {
    const file = files.find((one) => one.path === path);
    const known = sources.get(path) ?? (file && new Source(file, isOfTests));
    if (known) sources.set(path, known);
    return known;
  };
  const removed: RemovedName[] = [];
  for (const place of places) {
    const source = sourceOf(place.file);
    const found = source?.declarationAt(place.line);
    if (source === undefined || found === undefined || found.kind === 'fixed') continue;
    if (found.kind === 'import') {
      source.removeImport(found, place);
      continue;
    }
    const { message } = place;
    const { of } = found;
    if (of !== undefined) {
      const homes = neighbours(files, place.file).map(({ path }) => sourceOf(path));
      const home = homes.find((one) => one?.declares(of));
      if (home === undefined) continue;
      home.removeNamed(of);
      removed.push({ file: home.path, name: of, message });
    }
    source.remove(found);
    removed.push(...found.names.map((name) => ({ file: place.file, name, message })));
  }
  const changed = [...sources.values()].filter(({ isChanged }) => isChanged);
  if (changed.length === 0) return undefined;
  return { files: changed.map((source) => source.file()), removed };
}

/** The files that may declare the type of a method: of a Go package, its folder; of Rust, the file itself. */
function neighbours(files: readonly TestFile[], path: string): TestFile[] {
  return files.filter(
    (one) =>
      one.path === path ||
      (path.endsWith('.go') && one.path.endsWith('.go') && posix.dirname(one.path) === posix.dirname(path)),
  );
}

class Source {
  readonly path: string;
  readonly #rows: string[];
  readonly #declarations: readonly Declaration[];
  isChanged = false;

  constructor(file: TestFile, isOfTests: (file: TestFile, lines: readonly [number, number]) => boolean) {
    this.path = file.path;
    this.#rows = file.text.split('\n');
    const found = (file.path.endsWith('.go') ? goDeclarations : rustDeclarations)(file.text) ?? [];
    this.#declarations = found.filter(({ lines }) => isOfTests(file, lines));
  }

  file(): TestFile {
    return { path: this.path, text: this.#rows.join('\n') };
  }

  declarationAt(line: number): Declaration | undefined {
    return this.#declarations.find(({ lines: [first, last] }) => line >= first && line <= last);
  }

  declares(name: string): boolean {
    return this.#declarations.some((one) => isNamed(one, name));
  }

  removeNamed(name: string): void {
    for (const one of this.#declarations) if (isNamed(one, name)) this.remove(one);
  }

  remove({ lines: [first, last] }: Declaration): void {
    this.#rows.fill('', first - 1, last);
    this.isChanged = true;
  }

  /** The line of a Go import, and the name in a Rust one. */
  removeImport(declaration: Declaration, { line, column }: SourcePlace): void {
    const [first, last] = declaration.lines;
    const row = this.#rows[line - 1] ?? '';
    if (this.path.endsWith('.go')) {
      // `import _ "…"` has an effect on tests that do not name it.
      if (/^\s*(?:import\s+)?_\s/.test(row) || !/["`]/.test(row)) return;
      this.#rows[line - 1] = '';
    } else {
      const text = this.#rows.slice(first - 1, last).join('\n');
      const before = this.#rows.slice(first - 1, line - 1).join('\n').length + (line > first ? 1 : 0);
      const rest = withoutName(text, before + column - 1) ?? text.replace(/[^\n]/g, '');
      for (const [at, one] of rest.split('\n').entries()) this.#rows[first - 1 + at] = one;
    }
    this.isChanged = true;
  }
}

/** A method of this name is something else. */
function isNamed({ names, kind, of }: Declaration, name: string): boolean {
  return kind === 'other' && of === undefined && names.includes(name);
}

/** `use calc::{add, twice};` without one of the names; undefined if the place is not in such a list. */
function withoutName(text: string, at: number): string | undefined {
  const from = Math.max(text.lastIndexOf('{', at), text.lastIndexOf(',', at)) + 1;
  const ends = [text.indexOf(',', at), text.indexOf('}', at)].filter((end) => end !== -1);
  const end = Math.min(...ends);
  if (from === 0 || ends.length === 0 || text.slice(from, end).includes('{')) return undefined;
  const gap = text.slice(from, end).replace(/[^\n]/g, ' ');
  const isListed = text[end] === ',';
  // An empty element would not compile.
  return `${text.slice(0, from)}${gap}${isListed ? ' ' : ''}${text.slice(end + (isListed ? 1 : 0))}`;
}
