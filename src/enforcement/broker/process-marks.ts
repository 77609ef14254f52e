import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../platform/files/make-folder.ts';
import { hooksFolder } from '../install/hook-client.ts';

/** What last happened to the resident process of a data folder; agents cannot reach these files. */
type Mark = 'started' | 'stopped';

function markFile(dataFolder: string, mark: Mark): string {
  return join(hooksFolder(dataFolder), mark);
}

export function setMark(dataFolder: string, mark: Mark): void {
  makeFolder(hooksFolder(dataFolder), 0o700);
  writeFileSync(markFile(dataFolder, mark), '', { mode: 0o600 });
}

/** In milliseconds since 1970; undefined if it was never set, or removed. */
export function markedAt(dataFolder: string, mark: Mark): number | undefined {
  return statSync(markFile(dataFolder, mark), { throwIfNoEntry: false })?.mtimeMs;
}

export function removeMark(dataFolder: string, mark: Mark): void {
  rmSync(markFile(dataFolder, mark), { force: true });
}
