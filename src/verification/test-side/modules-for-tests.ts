import { posix } from 'node:path';
import { readBlobs, type TreeEntry } from '../../platform/git/git-tree.ts';
import type { Repository } from '../../platform/git/repository.ts';
import { readFiles } from './read-files.ts';

/** Of some Rust files, those in a module that exists only for tests: `#[cfg(test)] mod fixtures;`. */
export async function modulesForTests(
  repository: Repository,
  entries: readonly TreeEntry[],
  paths: readonly string[],
): Promise<Set<string>> {
  const declarations = new Map(paths.map((path) => [path, declarationsOf(path)]));
  const wanted = new Set([...declarations.values()].flat().flatMap(({ parents }) => parents));
  const files = entries.filter(({ path, mode }) => wanted.has(path) && mode.startsWith('100'));
  const blobs = await readBlobs(
    repository,
    files.map(({ object }) => object),
  );
  const texts = new Map(files.map(({ path, object }) => [path, blobs.get(object) ?? '']));
  const isForTests = (path: string) =>
    (declarations.get(path) ?? []).some(({ parents, name }) =>
      parents.some((parent) => modulesUnderTest(texts.get(parent) ?? '').has(name)),
    );
  return new Set(paths.filter(isForTests));
}

const INTERNAL = /(?:^|\/)internal\/(?:.*\/)?[^/]*(?<!_test)\.go$/;

/** Of some Go files, those that nobody else can import and that import `testing`: they help the project's own tests. */
export async function internalTestCode(
  repository: Repository,
  entries: readonly TreeEntry[],
  paths: readonly string[],
): Promise<Set<string>> {
  const wanted = new Set(paths.filter((path) => INTERNAL.test(path)));
  const files = await readFiles(repository, entries, wanted);
  const imported = files.filter(({ text }) => /^(?:import)?[ \t]*"testing"$/m.test(text));
  return new Set(imported.map(({ path }) => path));
}

const TEST_MODULE =
  /#\[cfg\([^\]]{0,100}\btest\b[^\]]{0,100}\]\s*(?:#\[[^\]]{0,200}\]\s*)*(?:pub(?:\([^)]{0,40}\))?\s+)?mod\s+(\w+)\s*;/g;

function modulesUnderTest(text: string): Set<string> {
  return new Set([...text.matchAll(TEST_MODULE)].map(([, name = '']) => name));
}

/** The modules that a file is in, itself first, and the files that may declare each. */
function declarationsOf(path: string): { parents: string[]; name: string }[] {
  const found: { parents: string[]; name: string }[] = [];
  let module = path.replace(/(?:\/mod)?\.rs$/, '');
  while (module.includes('/') && posix.basename(module) !== 'src') {
    const folder = posix.dirname(module);
    const parents = ['mod.rs', 'lib.rs', 'main.rs'].map((name) => posix.join(folder, name));
    found.push({ parents: [...parents, `${folder}.rs`], name: posix.basename(module) });
    module = folder;
  }
  return found;
}
