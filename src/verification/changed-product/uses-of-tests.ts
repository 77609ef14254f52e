import { posix } from 'node:path';
import { readBlobs } from '../../platform/git/git-tree.ts';
import type { Repository } from '../../platform/git/repository.ts';
import type { TreeComparison } from '../compare-trees.ts';
import { conventionOf, packageRoots } from '../coverage/source-conventions.ts';
import { isSource } from '../coverage/source-language.ts';
import type { HarnessChange } from '../harness/compare-harness.ts';
import { isTestSide } from '../test-side/find-test-side.ts';
import { importedByProduct } from '../test-side/imported-by-product.ts';

const CODE = /\.(?:[cm]?[jt]sx?|py)$/;
/** Data and copies, which change no test. */
const NOT_CALLED = /(?:^|\/)(?:fixtures?|__fixtures__|testdata|__snapshots__|snapshots)\/|\.d\.[cm]?ts$/;
const INDEX = /\/(?:index|__init__)$/;
const LOADS = /\brequire\b|\bimport\b(?!\.meta)|\bexport\b[^;'"`]{0,300}\bfrom\b/;
const QUOTED = /(['"`])([^'"`\n]{1,300})\1/g;
const PYTHON_IMPORT =
  /^[ \t]*(?:from[ \t]{1,9}(\.{0,20})([\w.]{0,300})[ \t]{1,9}import[ \t]{1,9}([^#\n]{0,2000})|import[ \t]{1,9}([\w., \t]{1,2000}))/gm;
/** Without a folder, a name says nothing unless only tests have it. */
const TEST_NAME = /tests?|specs?|checks?|assert|expect|helpers?|fixtures?/i;

/**
 * Product code of a change that begins to use code of the tests, directly or by its name: it could replace the functions
 * that judge it. Code of the tests that the base's product uses is left out.
 */
export async function findUsesOfTests(
  repository: Repository,
  { changes, entries, baseEntries }: TreeComparison,
  baseTree: string,
): Promise<HarnessChange[]> {
  const roots = packageRoots(new Set(entries.map(({ path }) => path)));
  const isProduct = (path: string) =>
    isSource(path) &&
    !isTestSide(path) &&
    conventionOf(path, (folder) => roots.has(folder === '.' ? '' : folder)) === undefined;
  const changed = new Set(
    changes.filter(({ path, change }) => change !== 'deleted' && CODE.test(path)).map(({ path }) => path),
  );
  const files = entries.filter(
    ({ path, mode }) => changed.has(path) && mode.startsWith('100') && isProduct(path),
  );
  if (files.length === 0) return [];
  const own = entries.filter(({ path }) => isProduct(path)).map(({ path }) => withoutEnding(path));
  const tests = testsByPlace(
    baseEntries.map(({ path }) => path),
    new Set(own.map((place) => posix.basename(place))),
  );
  const old = new Map(baseEntries.map(({ path, object }) => [path, object]));
  const texts = await readBlobs(
    repository,
    files.flatMap(({ path, object }) => [object, old.get(path) ?? object]),
  );
  const found: { path: string; test: string }[] = [];
  for (const { path, object } of files) {
    const before = old.get(path);
    const known = before === undefined ? new Set() : testsIn(path, texts.get(before) ?? '', tests);
    for (const test of testsIn(path, texts.get(object) ?? '', tests))
      if (!known.has(test)) found.push({ path, test });
  }
  const targets = [...new Set(found.map(({ test }) => test))];
  const shared = await importedByProduct(repository, baseTree, targets, isProduct);
  return found.filter(({ test }) => !shared.has(test)).map(toChange);
}

function toChange({ path, test }: { path: string; test: string }): HarnessChange {
  const words = `${path}: the change makes product code use ${test}, a file of the tests`;
  return { type: 'added', path, part: 'use of test code', before: null, after: test, words };
}

/**
 * Code of the tests by its path without extension, by that of its folder if it is an index, and in Python by its name if no
 * product code has it.
 */
function testsByPlace(paths: readonly string[], ofProduct: ReadonlySet<string>): Map<string, string> {
  const found = new Map<string, string>();
  for (const path of paths) {
    if (!CODE.test(path) || !isTestSide(path) || NOT_CALLED.test(path)) continue;
    const place = withoutEnding(path);
    found.set(place, path);
    if (INDEX.test(place)) found.set(posix.dirname(place), path);
    const name = posix.basename(place);
    if (path.endsWith('.py') && TEST_NAME.test(name) && !ofProduct.has(name) && !found.has(name))
      found.set(name, path);
  }
  return found;
}

function testsIn(user: string, text: string, tests: ReadonlyMap<string, string>): Set<string> {
  const places = user.endsWith('.py') ? pythonPlaces(user, text) : jsPlaces(user, text);
  return new Set([...places].flatMap((place) => tests.get(place) ?? []));
}

function* jsPlaces(user: string, text: string): Generator<string> {
  // A program that only starts tests, or lists them, names them too.
  if (!LOADS.test(text)) return;
  for (const [, , quoted = ''] of text.matchAll(QUOTED))
    if (quoted.startsWith('.'))
      yield withoutEnding(posix.join(posix.dirname(user), quoted).replace(/\/$/, ''));
}

function* pythonPlaces(user: string, text: string): Generator<string> {
  for (const [, dots = '', from = '', names = '', plain = ''] of text.matchAll(PYTHON_IMPORT)) {
    for (const name of listed(plain)) yield name.replaceAll('.', '/');
    const start = dots === '' ? '' : posix.join(posix.dirname(user), '../'.repeat(dots.length - 1));
    const place = posix.join(start, from.replaceAll('.', '/')).replace(/\/$/, '');
    yield place;
    for (const name of listed(names.replace(/[()]/g, ''))) yield posix.join(place, name);
  }
  // Modules can be found and replaced by name.
  for (const [, , quoted = ''] of text.matchAll(QUOTED))
    if (/^\w+(?:\.\w+)+$/.test(quoted)) yield quoted.replaceAll('.', '/');
}

function listed(text: string): string[] {
  return text
    .split(',')
    .map((one) => one.trim().split(/\s/)[0] ?? '')
    .filter((one) => one !== '');
}

function withoutEnding(path: string): string {
  return path.replace(CODE, '');
}
