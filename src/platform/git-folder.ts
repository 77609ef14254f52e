import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** Where a checkout lies, read from the files themselves: a program start for it would cost more than the command. */
export interface GitFolder {
  /** Root of this working tree. */
  root: string;
  /** The folder that all working trees of the repository share. */
  commonDir: string;
  /** Name of the main working tree's folder, or of a bare repository without `.git`. */
  name: string;
  shallow: boolean;
}

export function findGitFolder(from: string): GitFolder | undefined {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const commonDir = readCommonDir(join(folder, '.git'));
    if (commonDir)
      return {
        root: folder,
        commonDir,
        name: repositoryName(commonDir),
        shallow: existsSync(join(commonDir, 'shallow')),
      };
    if (dirname(folder) === folder) return undefined;
  }
}

function readCommonDir(dotGit: string): string | undefined {
  const stat = statSync(dotGit, { throwIfNoEntry: false });
  if (!stat) return undefined;
  // An empty folder named .git is not a repository to git either.
  if (stat.isDirectory()) return existsSync(join(dotGit, 'HEAD')) ? dotGit : undefined;
  const gitDir = /^gitdir: (.+)$/m.exec(readFileSync(dotGit, 'utf8'))?.[1];
  if (gitDir === undefined) return undefined;
  const absolute = resolve(dirname(dotGit), gitDir);
  const link = join(absolute, 'commondir');
  return existsSync(link) ? resolve(absolute, readFileSync(link, 'utf8').trim()) : absolute;
}

function repositoryName(commonDir: string): string {
  const folder = basename(commonDir) === '.git' ? dirname(commonDir) : commonDir;
  return basename(folder).replace(/\.git$/, '');
}
