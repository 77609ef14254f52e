import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** The paths of a checkout, read from git's files: starting git would take longer than the command. */
export interface GitFolder {
  /** Root of this working tree. */
  root: string;
  /** Git's folder for this working tree. */
  gitDir: string;
  /** The folder that all working trees of the repository share. */
  commonDir: string;
  /** Name of the main working tree's folder, or of a bare repository without `.git`. */
  name: string;
  shallow: boolean;
}

export function findGitFolder(from: string): GitFolder | undefined {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const found = readGitDir(join(folder, '.git'));
    if (found)
      return {
        root: folder,
        ...found,
        name: repositoryName(found.commonDir),
        shallow: existsSync(join(found.commonDir, 'shallow')),
      };
    if (dirname(folder) === folder) return undefined;
  }
}

function readGitDir(dotGit: string): { gitDir: string; commonDir: string } | undefined {
  const stat = statSync(dotGit, { throwIfNoEntry: false });
  if (!stat) return undefined;
  // Git does not accept an empty .git folder either.
  if (stat.isDirectory())
    return existsSync(join(dotGit, 'HEAD')) ? { gitDir: dotGit, commonDir: dotGit } : undefined;
  const link = /^gitdir: (.+)$/m.exec(readFileSync(dotGit, 'utf8'))?.[1];
  if (link === undefined) return undefined;
  const gitDir = resolve(dirname(dotGit), link);
  const common = join(gitDir, 'commondir');
  return {
    gitDir,
    commonDir: existsSync(common) ? resolve(gitDir, readFileSync(common, 'utf8').trim()) : gitDir,
  };
}

/** The main working tree; undefined for a bare repository. */
export function mainCheckout({ commonDir }: GitFolder): string | undefined {
  return basename(commonDir) === '.git' ? dirname(commonDir) : undefined;
}

/** The other working trees of the repository, including the main one. */
export function otherCheckouts(git: GitFolder): string[] {
  const { root, commonDir } = git;
  const main = mainCheckout(git) ?? [];
  const folder = join(commonDir, 'worktrees');
  const linked = existsSync(folder)
    ? readdirSync(folder).flatMap((name) => {
        const link = join(folder, name, 'gitdir');
        return existsSync(link) ? [dirname(readFileSync(link, 'utf8').trim())] : [];
      })
    : [];
  return [main, ...linked].flat().filter((checkout) => checkout !== root);
}

function repositoryName(commonDir: string): string {
  const folder = basename(commonDir) === '.git' ? dirname(commonDir) : commonDir;
  return basename(folder).replace(/\.git$/, '');
}
