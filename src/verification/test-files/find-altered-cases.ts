import { posix } from 'node:path';
import { type FileScopes, readFileScopes, type Scope } from './file-scopes.ts';
import type { ImportedName } from './imported-names.ts';
import type { TestFile } from './match-tests.ts';
import type { TestCase } from './test-case.ts';
import type { Token } from './token.ts';

const CODE = /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt)$/;

export interface AlteredCases {
  /** New or altered tests. All tests of the file if that is unknown. */
  altered: readonly TestCase[];
  unaltered: readonly TestCase[];
}

/**
 * Decides for each test of a file whether the change alters it: its own text, a declaration of the file that it uses,
 * its suite's shared code, or a changed file that it reads. Undefined if the file cannot be parsed.
 */
export function findAlteredCases(
  before: TestFile | undefined,
  after: TestFile,
  changedFiles: readonly string[] = [],
): AlteredCases | undefined {
  const now = readFileScopes(after.path, after.text);
  const then = before && readFileScopes(before.path, before.text);
  if (now === undefined || now.uncertain || (then?.uncertain ?? false)) return undefined;
  if (then === undefined) return { altered: now.cases.map(({ test }) => test), unaltered: [] };
  const affected = new AffectedCode(after.path, changedFiles);
  const changed = affected.compare(then, now);
  const known = new Map<string, string[]>();
  for (const { test, tokens } of then.cases) {
    const bodies = known.get(test.name) ?? [];
    bodies.push(textOf(tokens) + test.bodyDigest);
    known.set(test.name, bodies);
  }
  const altered: TestCase[] = [];
  const unaltered: TestCase[] = [];
  for (const { test, tokens } of now.cases) {
    const isSame = known.get(test.name)?.includes(textOf(tokens) + test.bodyDigest) ?? false;
    const isTouched =
      !isSame || changed.everything || changed.covers(test.lines) || affected.isUsedIn(tokens);
    (isTouched ? altered : unaltered).push(test);
  }
  return { altered, unaltered };
}

interface ChangedScopes {
  everything: boolean;
  covers(lines: readonly [number, number]): boolean;
}

/** Packages of Python's standard library that have submodules. */
const STANDARD_PACKAGES = new Set(
  'asyncio collections concurrent ctypes email encodings html http importlib json logging multiprocessing os sqlite3 unittest urllib wsgiref xml xmlrpc zoneinfo'.split(
    ' ',
  ),
);

/** The declarations of a file that a change affects, directly or through others. */
class AffectedCode {
  readonly #names = new Set<string>();
  readonly #folder: string;
  /** Changed code by its path without extension, and changed data by its name. */
  readonly #code: ReadonlySet<string>;
  readonly #data: ReadonlySet<string>;

  constructor(path: string, changedFiles: readonly string[]) {
    const others = changedFiles.filter((file) => file !== path);
    const isCode = (file: string) => CODE.test(file);
    this.#folder = posix.dirname(path);
    this.#code = new Set(others.filter(isCode).map(withoutEnding));
    this.#data = new Set(others.filter((file) => !isCode(file)).map((file) => posix.basename(file)));
    // Python names modules without quotes.
    if (path.endsWith('.py'))
      for (const file of others)
        if (file.endsWith('.py')) this.#names.add(posix.basename(withoutEnding(file)));
  }

  isUsedIn(tokens: readonly Token[]): boolean {
    return tokens.some(({ type, text }) =>
      type === 'name' ? this.#names.has(text) : type === 'string' && this.#namesFile(text),
    );
  }

  compare(before: FileScopes, after: FileScopes): ChangedScopes {
    const gone = remaining(before.scopes, after.scopes);
    const fresh = remaining(after.scopes, before.scopes);
    const ranges: (readonly [number, number])[] = [];
    let everything = false;
    const bindings = (scopes: readonly Scope[]) =>
      new Map(scopes.flatMap(({ imports = [] }) => imports.map((one) => [bindingKey(one), one])));
    const [had, has] = [bindings(before.scopes), bindings(after.scopes)];
    // Python's `import os.path` binds `os`, which an unchanged `import os` binds already. A module of the project could
    // change its package while it is loaded.
    const isBound = ({ local, name, module }: ImportedName) => {
      const key = bindingKey({ local, name: '*', module: local });
      const isFurther = name === '*' && module.startsWith(`${local}.`) && STANDARD_PACKAGES.has(local);
      return isFurther && had.has(key) && has.has(key);
    };
    for (const [key, binding] of [...had, ...has])
      if ((!had.has(key) || !has.has(key)) && !isBound(binding)) this.#names.add(binding.local);
    const touch = (scope: Scope, isNow: boolean) => {
      if (scope.imports !== undefined || isTestAttribute(scope)) return;
      for (const name of scope.declares) this.#names.add(name);
      if (isNow) ranges.push(scope.lines);
      const holdsTests = after.cases.some(({ test }) => within(test.lines, scope.lines));
      const isHook = scope.tokens.some(({ text }) => text === 'autouse');
      if (isHook || (scope.suite === undefined && scope.declares.length === 0 && !(isNow && holdsTests)))
        everything = true;
    };
    for (const scope of gone) if (scope.suite === undefined) touch(scope, false);
    for (const scope of fresh) touch(scope, true);
    this.#spread(after.scopes, new Set(fresh), (scope) => touch(scope, true));
    return { everything, covers: (lines) => ranges.some((range) => within(lines, range)) };
  }

  /** Until nothing more uses an affected declaration. */
  #spread(scopes: readonly Scope[], done: Set<Scope>, touch: (scope: Scope) => void): void {
    for (let found = true; found; ) {
      found = false;
      for (const scope of scopes) {
        if (done.has(scope)) continue;
        if (scope.imports !== undefined) {
          for (const { local, module } of scope.imports)
            if (this.#namesFile(module) && !this.#names.has(local)) {
              this.#names.add(local);
              found = true;
            }
          continue;
        }
        if (!this.isUsedIn(scope.tokens)) continue;
        done.add(scope);
        touch(scope);
        found = true;
      }
    }
  }

  #namesFile(text: string): boolean {
    if (this.#data.has(text.slice(text.lastIndexOf('/') + 1))) return true;
    if (!text.startsWith('.') || this.#code.size === 0) return false;
    const place = posix.normalize(posix.join(this.#folder, text));
    return this.#code.has(withoutEnding(place)) || this.#code.has(place) || this.#code.has(`${place}/index`);
  }
}

/** Scopes of one version without an equal one in the other. */
function remaining(scopes: readonly Scope[], others: readonly Scope[]): Scope[] {
  const known = new Map<string, number>();
  for (const other of others) known.set(scopeKey(other), (known.get(scopeKey(other)) ?? 0) + 1);
  return scopes.filter((scope) => {
    const left = known.get(scopeKey(scope)) ?? 0;
    known.set(scopeKey(scope), left - 1);
    return left <= 0;
  });
}

/** `#[test]` stands before a test, which is compared separately. */
function isTestAttribute({ tokens }: Scope): boolean {
  return /^#\[(?:\w+::)?test\]$/.test(tokens.map(({ text }) => text).join(''));
}

function scopeKey({ suite, tokens }: Scope): string {
  return `${suite ?? ''}\u0002${textOf(tokens)}`;
}

function bindingKey({ local, name, module }: ImportedName): string {
  return [local, name, module].join('\u0001');
}

function textOf(tokens: readonly Token[]): string {
  return tokens.map(({ type, text }) => (type === 'string' ? `"${text}` : text)).join('\u0001');
}

function within([first, last]: readonly [number, number], [from, to]: readonly [number, number]): boolean {
  return first >= from && last <= to;
}

function withoutEnding(path: string): string {
  return path.replace(CODE, '');
}
