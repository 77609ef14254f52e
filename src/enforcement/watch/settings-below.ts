import { lstatSync, readdirSync } from 'node:fs';
import { pathBelow } from '../../platform/files/path-inside.ts';
import { statPath } from './watched-file.ts';

/** Folders that programs fill; a glob such as `**` does not include them. */
export const FILLED = /(?:^|\/)(?:node_modules|\.git|\.venv|__pycache__|target|dist)(?:\/|$)/;

/** High enough that decoy folders cannot push out a real one; each costs a few microseconds. */
const MAX_TOP_FOLDERS = 2_000;
const MAX_PACKAGES = 10_000;

/**
 * Possible agent settings in the top two levels of folders: an agent that is started in a package reads them from there.
 * Agents are rarely started deeper.
 */
export function settingsBelow(checkout: string): string[] {
  const first = foldersIn(checkout, '').slice(0, MAX_TOP_FOLDERS);
  const packages = [...first, ...first.flatMap((folder) => foldersIn(checkout, folder))];
  return packages
    .slice(0, MAX_PACKAGES)
    .map((folder) => `${folder}/.claude`)
    .filter((folder) => isThere(pathBelow(checkout, folder)))
    .flatMap((folder) => ['settings.json', 'settings.local.json'].map((name) => `${folder}/${name}`));
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // Safe: the comparison reads the path again and reports it.
    return true;
  }
}

interface ListedFolder {
  stamp: string;
  folders: readonly string[];
}

const MAX_LISTED = 5_000;
const listed = new Map<string, ListedFolder>();

/** A folder's own stamp changes with its entries. */
function foldersIn(checkout: string, folder: string): readonly string[] {
  const absolute = folder === '' ? checkout : pathBelow(checkout, folder);
  const stamp = statPath(absolute)?.stamp ?? '';
  const last = listed.get(absolute);
  if (stamp !== '' && last?.stamp === stamp) return last.folders;
  const folders = readFolders(absolute).map((name) => (folder === '' ? name : `${folder}/${name}`));
  if (listed.size >= MAX_LISTED) listed.clear();
  listed.set(absolute, { stamp, folders });
  return folders;
}

function readFolders(absolute: string): string[] {
  try {
    return readdirSync(absolute, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !FILLED.test(entry.name))
      .map(({ name }) => name);
  } catch {
    // Safe: an agent's program cannot read it either.
    return [];
  }
}
