import { posix } from 'node:path';
import { escapePattern } from '../../domain/escape-pattern.ts';
import type { Repository } from '../../platform/git/repository.ts';
import { type NamedPackage, ownerOf, WITHOUT_EFFECT } from './mentioned-packages.ts';

/** The longest chain of files outside the packages, such as settings that extend others. */
const MOST_STEPS = 5;
/** More files than this are not followed: every package then counts as their user. */
const MOST_FILES = 200;
/** They list packages for tools or compilers. What a package imports is named in its own files. */
const LISTS =
  /(?:^|\/)(?:package\.json|tsconfig[\w.-]*\.json|[\w.-]*lock\.(?:json|yaml)|yarn\.lock|pnpm-workspace\.yaml|(?:lerna|nx|turbo|rush|workspace|\.?release-please[\w-]*)\.json|(?:eslint|prettier|biome|knip|commitlint|release)[\w.-]*)$|(?:^|\/)\.(?!mocharc|nycrc|c8rc|babelrc|swcrc)[^/]*$|\.mdx?$/;
/** Tools look for these in the folders above a package, without being told. */
const FOUND_ABOVE = /^(?:\.mocharc(?:\.\w+)?|\.(?:ny|c8)c?rc(?:\.\w+)?|(?:nyc|babel)\.config\.\w+)$/;

/**
 * The packages that another one uses only through files outside every package: the shared settings of a test runner that
 * name a package with the set-up of the tests. By folder of the user.
 */
export async function usedThroughFiles(
  repository: Repository,
  tree: string,
  packages: readonly NamedPackage[],
  byFile: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<Map<string, Set<string>>> {
  const found = new Map<string, Set<string>>();
  const add = (folder: string, names: ReadonlySet<string>) =>
    found.set(folder, new Set([...(found.get(folder) ?? []), ...names]));
  const addEverywhere = (names: ReadonlySet<string>) => {
    for (const { folder } of packages) add(folder, names);
  };
  const known = new Map([...byFile].filter(([path]) => !LISTS.test(path)));
  let open = [...known.keys()];
  for (let step = 0; step < MOST_STEPS && open.length > 0; step++) {
    for (const path of open)
      if (!path.includes('/') && FOUND_ABOVE.test(path)) addEverywhere(known.get(path) ?? new Set());
    const users = await usersOf(repository, tree, open);
    if (users === undefined) {
      for (const path of open) addEverywhere(known.get(path) ?? new Set());
      return found;
    }
    const next = new Set<string>();
    for (const { user, path } of users) {
      const names = known.get(path) ?? new Set<string>();
      const owner = ownerOf(user, packages);
      if (owner) add(owner.folder, names);
      else if (!LISTS.test(user) && [...names].some((name) => known.get(user)?.has(name) !== true)) {
        known.set(user, new Set([...(known.get(user) ?? []), ...names]));
        next.add(user);
      }
    }
    open = [...next];
  }
  return found;
}

/** The files that name some others by a path; undefined if there are too many to tell. */
async function usersOf(
  repository: Repository,
  tree: string,
  paths: readonly string[],
): Promise<{ user: string; path: string }[] | undefined> {
  if (paths.length > MOST_FILES) return undefined;
  const patterns = paths.map((path) => ({ path, pattern: mentionOf(path) }));
  const given = [...new Set(patterns.map(({ pattern }) => pattern))].flatMap((pattern) => ['-e', pattern]);
  const { stdout, truncated } = await repository.attempt(['grep', '-IzE', ...given, tree, '--']);
  if (truncated) return undefined;
  const expressions = patterns.map(({ path, pattern }) => ({ path, expression: new RegExp(pattern) }));
  return stdout.split('\n').flatMap((record) => {
    const end = record.indexOf('\0');
    const user = record.slice(record.indexOf(':') + 1, Math.max(end, 0));
    if (end === -1 || WITHOUT_EFFECT.test(user)) return [];
    const line = record.slice(end + 1);
    return expressions
      .filter(({ path, expression }) => path !== user && expression.test(line))
      .map(({ path }) => ({ user, path }));
  });
}

/** An extended regular expression: the last part of a path, or a string of its own, with or without an extension. */
function mentionOf(path: string): string {
  const name = posix.basename(path);
  const plain = name.replace(/(?<=.)\.\w+$/, '');
  const stem = /^(?:index|main)$/.test(plain) ? posix.basename(posix.dirname(path)) : plain;
  return `["'\`/ =]${escapePattern(stem)}([.][A-Za-z]+)?(["'\`/ ,]|$)`;
}
