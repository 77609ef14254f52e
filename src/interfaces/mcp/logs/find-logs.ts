import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isLogName } from './open-log.ts';

export interface FoundLog {
  /** From the root. */
  path: string;
  bytes: number;
  changedAt: string;
}

const MAX_FOLDERS = 2000;
const MAX_DEPTH = 4;
const SHOWN = 40;
const PASSED_OVER: ReadonlySet<string> = new Set([
  'node_modules',
  '.git',
  '.venv',
  'target',
  'dist',
  'build',
]);

/** The logs of a project, the last written first, as far as a short look finds them. */
export function findLogs(root: string): { logs: FoundLog[]; more: boolean } {
  const found: FoundLog[] = [];
  const waiting = [{ folder: '', depth: 0 }];
  let folders = 0;
  for (let next = waiting.shift(); next && folders < MAX_FOLDERS; next = waiting.shift()) {
    folders += 1;
    for (const entry of entriesOf(join(root, next.folder))) {
      const path = next.folder === '' ? entry.name : `${next.folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (next.depth < MAX_DEPTH && !PASSED_OVER.has(entry.name))
          waiting.push({ folder: path, depth: next.depth + 1 });
      } else if (entry.isFile() && isLogName(path)) {
        const stat = lstatSync(join(root, path), { throwIfNoEntry: false });
        if (stat) found.push({ path, bytes: stat.size, changedAt: stat.mtime.toISOString() });
      }
    }
  }
  found.sort((a, b) => (a.changedAt > b.changedAt ? -1 : 1));
  return { logs: found.slice(0, SHOWN), more: found.length > SHOWN || waiting.length > 0 };
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // Safe: what cannot be looked into is not listed.
    return [];
  }
}
