import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { GitFolder } from './git-folder.ts';

const LFS_PROGRAM = /^filter\.lfs\.(?:smudge|process)$/;

/**
 * Settings and variables with which git runs our filter where the person's git would run git-lfs; undefined if it would
 * not. `names` are all settings of the repository.
 */
export function lfsSettings(
  names: readonly string[],
  { gitDir, commonDir }: GitFolder,
): { settings: [string, string][]; env: Record<string, string> } | undefined {
  if (!names.some((name) => LFS_PROGRAM.test(name))) return undefined;
  const filter = filterPath();
  // Without it, files in LFS stay pointers, but all other work with git goes on.
  if (filter === undefined) return undefined;
  // A submodule has its own store; a linked working tree uses the repository's.
  const owner = existsSync(join(gitDir, 'commondir')) ? commonDir : gitDir;
  return {
    settings: [
      // A shell starts it, so the paths come from variables.
      ['filter.lfs.process', 'exec "$GUARDKIT_NODE" "$GUARDKIT_LFS_FILTER"'],
      ['filter.lfs.clean', ''],
      ['filter.lfs.smudge', ''],
      // A file whose content is not on this machine keeps its pointer.
      ['filter.lfs.required', 'false'],
    ],
    env: {
      GUARDKIT_NODE: process.execPath,
      GUARDKIT_LFS_FILTER: filter,
      GUARDKIT_LFS_STORE: join(owner, 'lfs'),
    },
  };
}

/** Next to this file in the sources, and next to the bundle in the package. */
function filterPath(): string | undefined {
  return ['./lfs-filter/lfs-filter.cjs', '../lfs-filter/lfs-filter.cjs']
    .map((place) => fileURLToPath(new URL(place, import.meta.url)))
    .find((place) => existsSync(place));
}
