import { escapePattern } from '../../domain/escape-pattern.ts';
import {
  overlayTree,
  type PathChange,
  readBlobs,
  type TreeEntry,
  writeBlob,
} from '../../platform/git/git-tree.ts';
import type { Repository } from '../../platform/git/repository.ts';
import { isCargoManifest, withoutTargetsOf } from '../harness/cargo-manifest.ts';
import type { TestFile } from '../test-files/match-tests.ts';
import { followExportForms } from './export-forms.ts';
import type { TestSide } from './find-test-side.ts';
import { followRenames } from './follow-renames.ts';
import { withoutRemovedImports } from './loadable-imports.ts';
import { type Missing, withoutMissing } from './missing-imports.ts';
import { readFiles } from './read-files.ts';
import { findMovedNames, hasWord, removedImports, unbinds, type Versions } from './removed-imports.ts';
import { type WrongType, withoutTypeCheck } from './unchecked-types.ts';
import type { RemovedName } from './without-broken-code.ts';

export interface BaseTestsTree {
  tree: string;
  /** By test file: imported names that the candidate no longer has. */
  removedNames: ReadonlyMap<string, ReadonlySet<string>>;
  /** Whether a changed source declares the name on the base, and none has the word any more, or another one declares it. */
  isRemovedOrMoved(name: string): boolean;
  /** Tests with wrong types. */
  wrongTests: readonly Pick<RemovedName, 'file' | 'name'>[];
}

interface Adjustments {
  keepAdded: boolean;
  /** What an earlier run did not find. */
  missing?: readonly Missing[];
  /** Files that it did not compile because of their types. */
  wrongTypes?: readonly WrongType[];
}

interface TreesRequest {
  repository: Repository;
  tree: string;
  entries: readonly TreeEntry[];
  baseEntries: readonly TreeEntry[];
  changes: readonly PathChange[];
  renames: ReadonlyMap<string, string>;
  side: TestSide;
  /** Changed sources with the base's version of the tests in them. */
  beside: readonly TestFile[];
}

/**
 * The candidate with the base's tests, helpers, fixtures and snapshots, and without those that the change adds. Imports
 * of moved files are redirected, and imports of removed names no longer stop a file from loading.
 */
export async function baseTestsTree(
  request: TreesRequest,
  { keepAdded, missing = [], wrongTypes = [] }: Adjustments,
): Promise<BaseTestsTree> {
  const { repository, tree, baseEntries, side } = request;
  const restored = new Set([...side.modified, ...side.deleted]);
  // Test files that the change moves are at their old places here.
  const renames = new Map([...request.renames].filter(([from]) => !restored.has(from)));
  const originals = baseEntries.filter(({ path }) => restored.has(path));
  const versions = await sourceVersions(request);
  const texts = await readBlobs(
    repository,
    originals.filter(({ path }) => isAdjustable(path)).map(({ object }) => object),
  );
  const moved = findMovedNames(versions);
  const removedNames = new Map<string, ReadonlySet<string>>();
  const wrongTests: Pick<RemovedName, 'file' | 'name'>[] = [];
  const entries: TreeEntry[] = [];
  for (const entry of originals) {
    const text = isAdjustable(entry.path) ? texts.get(entry.object) : undefined;
    if (text === undefined || !entry.mode.startsWith('100')) {
      entries.push(entry);
      continue;
    }
    const versionsOf = (path: string) => versions.get(path);
    const current = followExportForms(entry.path, text, versionsOf);
    const found = withoutMissing(entry.path, current, missing);
    const known = removedImports(entry.path, current, versionsOf, moved);
    const removed = new Set([...known, ...found.names]);
    const gone = new Set([...removed].filter((name) => !moved.has(name)));
    const unchecked = withoutTypeCheck(entry.path, text, wrongTypes);
    for (const name of unchecked.declarations) gone.add(name);
    wrongTests.push(...unchecked.tests.map((name) => ({ file: entry.path, name })));
    if (gone.size > 0) removedNames.set(entry.path, gone);
    const loadable = withoutRemovedImports(entry.path, found.text, removed, moved);
    const followed = followRenames(entry.path, loadable, renames);
    const adjusted =
      unchecked.text === text ? followed : withoutTypeCheck(entry.path, followed, wrongTypes).text;
    entries.push(adjusted === text ? entry : { ...entry, object: await writeBlob(repository, adjusted) });
  }
  const modes = new Map(request.entries.map(({ path, mode }) => [path, mode]));
  for (const { path, text } of request.beside.filter((file) => !restored.has(file.path))) {
    entries.push({ path, mode: modes.get(path) ?? '100644', object: await writeBlob(repository, text) });
    restored.add(path);
  }
  for (const entry of await manifestsWithoutAdded(request)) {
    entries.push(entry);
    restored.add(entry.path);
  }
  const paths = keepAdded ? [...restored] : [...restored, ...side.added];
  const sources = [...versions.values()];
  return {
    tree: await overlayTree(repository, tree, entries, paths),
    removedNames,
    wrongTests,
    isRemovedOrMoved: (name) => {
      const declaring = sources.filter(({ before = '' }) => mayDeclare(before, name));
      const isMoved = moved.has(name) && declaring.some(({ after = '' }) => !mayDeclare(after, name));
      const isGone = declaring.length > 0 && !sources.some(({ after = '' }) => hasWord(after, name));
      return isMoved || isGone || [...versions].some(([path, both]) => unbinds(path, both, name));
    },
  };
}

/** Not a method of something else. */
function mayDeclare(text: string, name: string): boolean {
  return new RegExp(`(?:(?<![.\\w$])|\\bexports\\.)${escapePattern(name)}\\s*[=:(]`).test(text);
}

/** The change's Cargo.toml files without the targets that it adds: they need not compile with the base's tests. */
async function manifestsWithoutAdded(request: TreesRequest): Promise<TreeEntry[]> {
  const { repository, entries, baseEntries, changes, side } = request;
  const manifests = new Set(changes.map(({ path }) => path).filter(isCargoManifest));
  if (manifests.size === 0) return [];
  const before = new Map(
    (await readFiles(repository, baseEntries, manifests)).map(({ path, text }) => [path, text]),
  );
  const added = new Set(side.added);
  const found: TreeEntry[] = [];
  for (const file of await readFiles(repository, entries, manifests)) {
    const text = withoutTargetsOf(file, before.get(file.path) ?? '', (path) => added.has(path));
    if (text !== undefined)
      found.push({ path: file.path, mode: '100644', object: await writeBlob(repository, text) });
  }
  return found;
}

function isAdjustable(path: string): boolean {
  return /\.(?:[cm]?[jt]sx?|py)$/.test(path);
}

/** The changed sources in both versions; a moved one is compared with itself at its new path. */
export async function sourceVersions({
  repository,
  entries,
  baseEntries,
  changes,
  renames,
  side,
}: Omit<TreesRequest, 'tree' | 'beside'>): Promise<ReadonlyMap<string, Versions>> {
  const own = new Set([...side.added, ...side.modified, ...side.deleted]);
  const changed = changes.filter(({ path }) => !own.has(path) && isAdjustable(path));
  const before = new Map(baseEntries.map(({ path, object }) => [path, object]));
  const after = new Map(entries.map(({ path, object }) => [path, object]));
  const objects = changed.map(
    ({ path }) => [before.get(path), after.get(renames.get(path) ?? path)] as const,
  );
  const texts = await readBlobs(repository, [...new Set(objects.flat().filter((one) => one !== undefined))]);
  const textOf = (object: string | undefined) => (object === undefined ? undefined : texts.get(object));
  const versions = new Map<string, Versions>(
    changed.map(({ path }, at) => [
      path,
      { before: textOf(objects[at]?.[0]), after: textOf(objects[at]?.[1]) },
    ]),
  );
  return versions;
}
