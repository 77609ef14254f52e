import { escapePattern } from '../../domain/escape-pattern.ts';
import type { Repository } from '../../platform/git/repository.ts';

/** Documents and editor settings, which no package reads. */
export const WITHOUT_EFFECT =
  /(?:^|\/)(?:README|CHANGELOG|LICENSE|CONTRIBUTING)[^/]*$|^\.(?:vscode|idea|github|changeset)\//i;

/** Keys of a package.json that name other packages without using them, such as the repository's address. */
const DESCRIPTION = [
  'name',
  'description',
  'keywords',
  'author',
  'contributors',
  'repository',
  'homepage',
  'bugs',
  'funding',
];

interface Package {
  name: string;
  folder: string;
}

/** The packages that another package's files name or reach by a path without declaring it, by that package's folder. */
export async function mentionedPackages(
  repository: Repository,
  tree: string,
  packages: readonly Package[],
  manifestOf: (folder: string) => string | undefined,
): Promise<Map<string, Set<string>>> {
  const found = new Map<string, Set<string>>();
  const add = (folder: string, name: string) =>
    found.set(folder, (found.get(folder) ?? new Set<string>()).add(name));
  const manifests = packages.map(({ folder }) => ({ folder, used: usedIn(manifestOf(folder) ?? '') }));
  for (const one of packages) {
    const pattern = mentionOf(one);
    const args = ['grep', '-lIzE', '-e', pattern, tree, '--', ':(exclude,glob)**/package.json'];
    const { stdout } = await repository.attempt(args);
    const paths = stdout.split('\0').map((path) => path.slice(path.indexOf(':') + 1));
    for (const path of paths.filter((one) => !WITHOUT_EFFECT.test(one))) {
      const by = packages.find(({ folder }) => folder !== one.folder && path.startsWith(`${folder}/`));
      if (by) add(by.folder, one.name);
    }
    const mention = new RegExp(pattern);
    for (const { folder, used } of manifests)
      if (folder !== one.folder && mention.test(used)) add(folder, one.name);
  }
  return found;
}

/** An extended regular expression for git: the name between quotes, or a path to the folder. */
function mentionOf({ name, folder }: Package): string {
  const [last = folder, parent] = folder.split('/').reverse();
  const above = parent === undefined ? '[.][.]' : `([.][.]|${escapePattern(parent)})`;
  return `["'\`]${escapePattern(name)}["'\`/]|${above}/${escapePattern(last)}["'\`/]`;
}

function usedIn(manifest: string): string {
  try {
    const json: unknown = JSON.parse(manifest);
    if (json === null || typeof json !== 'object') return manifest;
    return JSON.stringify(
      Object.fromEntries(Object.entries(json).filter(([key]) => !DESCRIPTION.includes(key))),
    );
  } catch {
    // Safe: a text that is not JSON is searched as a whole.
    return manifest;
  }
}
