import { posix } from 'node:path';
import { isJs } from '../../domain/is-test-file.ts';
import type { TreeEntry } from '../../platform/git/git-tree.ts';
import type { Repository } from '../../platform/git/repository.ts';
import { entryPoints } from '../harness/product-files.ts';
import { readTestCases } from '../test-files/read-test-cases.ts';
import { findMentions } from './find-mentions.ts';
import { readFiles } from './read-files.ts';

const LITERAL = /(['"`])(\.{1,2}\/[^'"`\n]{1,300})\1/g;
const LOADED_ONLY = /^(?:require\(\s{0,9}(['"])[^'"\n]+\1\s{0,9}\)|import\s{0,9}(['"])[^'"\n]+\2)\s{0,9};?$/;

interface LoadedTestsOptions {
  asserts: RegExp;
  isTest(path: string): boolean;
  /** Entry points of packages: users load those too, such as a polyfill. */
  published?: readonly string[];
}

/** The entry points of the packages of a tree, without extensions that package.json leaves out. */
export async function publishedFiles(
  repository: Repository,
  entries: readonly TreeEntry[],
): Promise<string[]> {
  const isPackage = (path: string) =>
    posix.basename(path) === 'package.json' && !/(?:^|\/)node_modules\//.test(path);
  const manifests = await readFiles(
    repository,
    entries,
    new Set(entries.map(({ path }) => path).filter(isPackage)),
  );
  return manifests.flatMap(({ path, text }) => {
    const found = entryPoints(text);
    return (found.length > 0 ? found : ['index.js']).map((file) => posix.join(posix.dirname(path), file));
  });
}

/**
 * Of some JavaScript files, the scripts of tests in a folder with another name: they assert something, and only test files
 * load them, without using anything from them (`require('./checks/add');`).
 */
export async function loadedTests(
  repository: Repository,
  { tree, entries }: { tree: string; entries: readonly TreeEntry[] },
  paths: readonly string[],
  { asserts, isTest, published = [] }: LoadedTestsOptions,
): Promise<Set<string>> {
  const files = await readFiles(repository, entries, new Set(paths.filter(isJs)));
  const open = files
    .filter(({ path }) => !published.some((place) => isNamed(path, place)))
    .filter(({ path, text }) => asserts.test(text) || readTestCases(path, text).cases.length > 0)
    .map(({ path }) => path);
  const mentions = await findMentions(repository, tree, open);
  const users = new Map(open.map((path) => [path, [...(mentions?.get(path) ?? [])]]));
  const texts = await readFiles(repository, entries, new Set([...users.values()].flat()));
  const found = new Set<string>();
  // A script may load others.
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const [path, own] of users)
      if (own.length > 0 && own.every((user) => (isTest(user) || found.has(user)) && loadsOnly(user, path)))
        found.add(path);
  }
  return found;

  function loadsOnly(user: string, path: string): boolean {
    const lines = texts.find((file) => file.path === user)?.text.split('\n') ?? [];
    const naming = lines.filter((line) =>
      [...line.matchAll(LITERAL)].some(([, , name = '']) =>
        isNamed(path, posix.join(posix.dirname(user), name)),
      ),
    );
    return naming.length > 0 && naming.every((line) => LOADED_ONLY.test(line.trim()));
  }
}

function isNamed(path: string, place: string): boolean {
  const plain = path.replace(/\.[cm]?[jt]sx?$/, '');
  const named = place.replace(/\.[cm]?[jt]sx?$/, '');
  return plain === named || plain === posix.join(place, 'index');
}
