import { posix } from 'node:path';
import { canonicalJson } from '../../domain/json/json.ts';
import type { TreeEntry } from '../../platform/git/git-tree.ts';
import type { Repository } from '../../platform/git/repository.ts';
import { own } from '../harness/read-packages.ts';
import { ownerOf, plainMentionOf, WITHOUT_EFFECT } from '../packages/mentioned-packages.ts';
import { readFiles } from './read-files.ts';

/** They list packages, or say how tests run. */
const NOT_PRODUCT =
  /(?:^|\/)(?:tsconfig[\w.-]*\.json|[\w.-]*lock\.(?:json|yaml)|yarn\.lock|pnpm-workspace\.yaml|(?:lerna|nx|turbo|rush)\.json|(?:jest|vitest|vite|ava|babel|eslint|knip|biome)[\w.-]*|\.[^/]*)$|\.mdx?$/;
/** Where users of a package find its code. */
const ENTRIES = ['name', 'main', 'module', 'exports', 'imports', 'browser', 'type'];

interface TestPackage {
  name: string;
  folder: string;
  entries: string;
}

/**
 * Of some files of the base, those in a private package that only tests import: helpers for the tests of other packages.
 * Its package.json counts if the change gives it other entry points.
 */
export async function inPackagesForTests(
  repository: Repository,
  base: { tree: string; entries: readonly TreeEntry[] },
  candidate: { entries: readonly TreeEntry[] },
  paths: readonly string[],
  isTest: (path: string) => boolean,
): Promise<Set<string>> {
  const isManifest = (path: string) =>
    path.endsWith('/package.json') && !path.includes('node_modules/') && !isTest(path);
  const manifests = new Set(base.entries.map(({ path }) => path).filter(isManifest));
  if (manifests.size < 2 || paths.length === 0) return new Set();
  const texts = await readFiles(repository, base.entries, manifests);
  const read = texts.map(({ path, text }) => ({ folder: posix.dirname(path), text, json: parsed(text) }));
  const owners = new Set(paths.map((path) => ownerOf(path, read)));
  const found: TestPackage[] = [];
  for (const one of owners) {
    const name = own(one?.json, 'name');
    if (one === undefined || typeof name !== 'string' || own(one.json, 'private') !== true) continue;
    // A package with a program is a tool.
    if (own(one.json, 'bin') !== undefined) continue;
    const others = read.filter(({ folder }) => folder !== one.folder);
    if (others.some(({ json, text }) => needs(json, name) || text.includes(`:${name}@`))) continue;
    if (await isUsedByTestsOnly(repository, base.tree, { name, folder: one.folder }, isTest))
      found.push({ name, folder: one.folder, entries: entriesOf(one.json) });
  }
  const changed = new Set(
    found.map(({ folder }) => `${folder}/package.json`).filter((path) => paths.includes(path)),
  );
  const now = new Map(
    (await readFiles(repository, candidate.entries, changed)).map(({ path, text }) => [path, parsed(text)]),
  );
  return new Set(
    paths.filter((path) => {
      const pack = found.find(({ folder }) => folder === ownerOf(path, read)?.folder);
      if (pack === undefined) return false;
      return path !== `${pack.folder}/package.json` || entriesOf(now.get(path)) !== pack.entries;
    }),
  );
}

async function isUsedByTestsOnly(
  repository: Repository,
  tree: string,
  one: { name: string; folder: string },
  isTest: (path: string) => boolean,
): Promise<boolean> {
  const args = ['grep', '-lIzE', '-e', plainMentionOf(one), tree, '--', ':(exclude,glob)**/package.json'];
  const { stdout, truncated } = await repository.attempt(args);
  const users = stdout
    .split('\0')
    .map((path) => path.slice(path.indexOf(':') + 1))
    .filter((path) => path !== '' && !path.startsWith(`${one.folder}/`))
    .filter((path) => !WITHOUT_EFFECT.test(path) && !(NOT_PRODUCT.test(path) && !isTest(path)));
  return !truncated && users.length > 0 && users.every((path) => isTest(path));
}

/** Whether users of a package install the other one too. */
function needs(json: unknown, name: string): boolean {
  return ['dependencies', 'peerDependencies', 'optionalDependencies'].some(
    (key) => own(own(json, key), name) !== undefined,
  );
}

function entriesOf(json: unknown): string {
  return canonicalJson(ENTRIES.map((key) => own(json, key) ?? null));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    // Safe: an unreadable package has no name, and its files count as product code.
    return undefined;
  }
}
