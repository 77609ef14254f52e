import type { SourcePlace } from '../../domain/entities/test-report.ts';
import type { Declaration } from '../test-files/declarations/declaration.ts';
import { goDeclarations } from '../test-files/declarations/go-declarations.ts';
import { rustDeclarations } from '../test-files/declarations/rust-declarations.ts';
import type { TestFile } from '../test-files/match-tests.ts';

/** Not of a field, a method or another package. */
const NAME = /(?<![.:\w])[\p{L}_][\p{L}\p{N}_]*/gu;

const STRING_OR_NAME = /"(?:\\.|[^"\\])*"|`[^`]*`|(?<![.:\w])[\p{L}_][\p{L}\p{N}_]*/gu;

/** Whether code uses a name of its own file or package. */
export function usesName(text: string, name: string): boolean {
  return [...text.matchAll(NAME)].some(([word]) => word === name);
}

/** The declarations of a Go or Rust file; none if it cannot be parsed. */
export function declarationsOf({ path, text }: TestFile): Declaration[] {
  return (path.endsWith('.go') ? goDeclarations : rustDeclarations)(text) ?? [];
}

/** The text of a test file, of which single declarations can be removed or replaced. */
export class TestSource {
  readonly path: string;
  readonly declarations: readonly Declaration[];
  /** Undefined where a replaced declaration had lines. */
  readonly #rows: (string | undefined)[];
  readonly #removed = new Set<Declaration>();
  isChanged = false;

  constructor(file: TestFile, isOfTests: (file: TestFile, lines: readonly [number, number]) => boolean) {
    this.path = file.path;
    this.#rows = file.text.split('\n');
    this.declarations = declarationsOf(file).filter(({ lines }) => isOfTests(file, lines));
  }

  file(): TestFile {
    return { path: this.path, text: this.#rows.filter((row) => row !== undefined).join('\n') };
  }

  declarationAt(line: number): Declaration | undefined {
    return this.declarations.find(({ lines: [first, last] }) => line >= first && line <= last);
  }

  declares(name: string): boolean {
    return this.declarations.some((one) => isNamed(one, name));
  }

  removeNamed(name: string): void {
    for (const one of this.declarations) if (isNamed(one, name)) this.remove(one);
  }

  isRemoved(declaration: Declaration): boolean {
    return this.#removed.has(declaration);
  }

  textOf({ lines: [first, last] }: Declaration): string {
    return this.#rows.slice(first - 1, last).join('\n');
  }

  remove(declaration: Declaration): void {
    const [first, last] = declaration.lines;
    this.#rows.fill('', first - 1, last);
    this.#removed.add(declaration);
    this.isChanged = true;
  }

  /** Following lines get other numbers. */
  replace({ lines: [first, last] }: Declaration, text: string): void {
    this.#rows.fill(undefined, first - 1, last);
    this.#rows[first - 1] = text;
    this.isChanged = true;
  }

  /** Renames what is not a field or method. */
  rename(name: string, to: string): void {
    for (const [at, row] of this.#rows.entries())
      this.#rows[at] = row?.replace(STRING_OR_NAME, (word) => (word === name ? to : word));
    this.isChanged = true;
  }

  /** Adds imports that a Go file lacks, each on a line of its own, so that an unused one can be removed. */
  addGoImports(specs: readonly string[]): void {
    const at = this.#rows.findIndex((row) => row !== undefined && /^package\s+\w/.test(row));
    const missing = specs.filter((spec) => !this.#rows.some((row) => row?.includes(spec)));
    if (at === -1 || missing.length === 0) return;
    this.#rows[at] = [this.#rows[at], ...missing.map((spec) => `import ${spec}`)].join('\n');
    this.isChanged = true;
  }

  append(text: string): void {
    this.#rows.push(text, '');
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
