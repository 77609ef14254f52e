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

/** A package of a workspace, as far as other files can name it. */
export interface NamedPackage {
  name: string;
  folder: string;
  /** Programs that it installs. */
  programs: readonly string[];
}

/** The packages that files name or reach by a path, by what names them. */
export interface Mentions {
  /** By the folder of another package, without those that it declares. */
  byFolder: Map<string, Set<string>>;
  /** By the path of a file outside every package. */
  byFile: Map<string, Set<string>>;
}

export async function mentionedPackages(
  repository: Repository,
  tree: string,
  packages: readonly NamedPackage[],
  manifestOf: (folder: string) => string | undefined,
): Promise<Mentions> {
  const byFolder = new Map<string, Set<string>>();
  const byFile = new Map<string, Set<string>>();
  const add = (to: Map<string, Set<string>>, place: string, name: string) =>
    to.set(place, (to.get(place) ?? new Set<string>()).add(name));
  const manifests = packages.map(({ folder }) => ({ folder, used: usedIn(manifestOf(folder) ?? '') }));
  for (const one of packages) {
    const pattern = mentionOf(one);
    const args = ['grep', '-lIzE', '-e', pattern, tree, '--', ':(exclude,glob)**/package.json'];
    const { stdout } = await repository.attempt(args);
    const paths = stdout.split('\0').map((path) => path.slice(path.indexOf(':') + 1));
    for (const path of paths.filter((one) => one !== '' && !WITHOUT_EFFECT.test(one))) {
      const by = ownerOf(path, packages);
      if (by === undefined) add(byFile, path, one.name);
      else if (by.folder !== one.folder) add(byFolder, by.folder, one.name);
    }
    const mention = new RegExp(pattern);
    for (const { folder, used } of manifests)
      if (folder !== one.folder && (mention.test(used) || namesProgram(used, one.programs)))
        add(byFolder, folder, one.name);
  }
  return { byFolder, byFile };
}

/** The innermost package around a path. */
export function ownerOf<One extends { folder: string }>(
  path: string,
  packages: readonly One[],
): One | undefined {
  return packages
    .filter(({ folder }) => path.startsWith(`${folder}/`))
    .sort((a, b) => b.folder.length - a.folder.length)[0];
}

const QUOTE = '["\'`]';
const BLANK = '[ \t]*';

/**
 * An extended regular expression for git and JavaScript: the name between quotes, also as the target of another name
 * (`workspace:@shop/cart@*`); a path to the folder or to all packages next to it; or such a path in parts, as `path.join`
 * takes it, on one line or on several.
 */
function mentionOf({ name, folder }: Pick<NamedPackage, 'name' | 'folder'>): string {
  const [last = folder, parent] = folder.split('/').reverse();
  const above = parent === undefined ? '[.][.]' : `([.][.]|${escapePattern(parent)})`;
  const part = escapePattern(last);
  return [
    plainMentionOf({ name, folder }),
    `${above}/[*]["'\`/]|[}]/${part}["'\`/]`,
    `${above}/?${QUOTE},${BLANK}${QUOTE}${part}["'\`/]`,
    `^${BLANK}${QUOTE}${part}${QUOTE},?${BLANK}$`,
  ].join('|');
}

/** Only the name or a path to the folder. */
export function plainMentionOf({ name, folder }: Pick<NamedPackage, 'name' | 'folder'>): string {
  const [last = folder, parent] = folder.split('/').reverse();
  const above = parent === undefined ? '[.][.]' : `([.][.]|${escapePattern(parent)})`;
  return `["'\`:]${escapePattern(name)}["'\`/@]|${above}/${escapePattern(last)}["'\`/]`;
}

/** Whether one of the words of a text, such as a script, is a program. */
export function namesProgram(text: string, programs: readonly string[]): boolean {
  return programs.length > 0 && text.split(/[\s;&|()"'`=/\\]+/).some((word) => programs.includes(word));
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
