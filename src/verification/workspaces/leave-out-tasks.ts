import { existsSync, lstatSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { isTaskFile, TASKS_FOLDER } from '../../config/work/work.ts';

/**
 * Removes task files from a checkout, and returns their paths there. They belong to GuardKit like `.guardkit/`, and a
 * project's formatter or linter would refuse them.
 */
export function leaveOutTasks(checkout: string): string[] {
  const folder = join(checkout, TASKS_FOLDER);
  // A link would lead out of the checkout.
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  const files = readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => isTaskFile(relative(checkout, path)) && hasFrontMatter(path));
  for (const path of files) {
    rmSync(path);
    removeEmpty(dirname(path), checkout);
  }
  return files.map((path) => relative(checkout, path));
}

/** Larger files are not tasks. */
const MOST_BYTES = 1024 * 1024;

function hasFrontMatter(path: string): boolean {
  if (lstatSync(path).size > MOST_BYTES) return false;
  const text = readFileSync(path, 'utf8');
  return text.startsWith('---') && /^id:/m.test(text);
}

function removeEmpty(folder: string, checkout: string): void {
  if (folder === checkout || !existsSync(folder) || readdirSync(folder).length > 0) return;
  rmdirSync(folder);
  removeEmpty(dirname(folder), checkout);
}
