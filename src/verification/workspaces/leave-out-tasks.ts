import { existsSync, lstatSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { isTaskFile, TASKS_FOLDER } from '../../config/work/work.ts';
import type { Repository } from '../../platform/git/repository.ts';

/**
 * Removes task files from a checkout and its index. They belong to GuardKit like `.guardkit/`, and a project's formatter
 * or linter would refuse them.
 */
export async function leaveOutTasks(repository: Repository): Promise<void> {
  const checkout = repository.root;
  const paths = findTasks(checkout);
  if (paths.length === 0) return;
  for (const path of paths) {
    rmSync(join(checkout, path));
    removeEmpty(dirname(join(checkout, path)), checkout);
  }
  // Tests may ask git whether a build changed a file.
  const input = paths.map((path) => `${path}\0`).join('');
  await repository.run(['update-index', '--force-remove', '-z', '--stdin'], { input });
}

function findTasks(checkout: string): string[] {
  const folder = join(checkout, TASKS_FOLDER);
  // A link would lead out of the checkout.
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(checkout, join(entry.parentPath, entry.name)))
    .filter((path) => isTaskFile(path) && hasFrontMatter(join(checkout, path)));
}

/** Larger files are not tasks. */
const MOST_BYTES = 1024 * 1024;

function hasFrontMatter(path: string): boolean {
  // A name that is not valid UTF-8 is not found again.
  const size = lstatSync(path, { throwIfNoEntry: false })?.size ?? Number.POSITIVE_INFINITY;
  if (size > MOST_BYTES) return false;
  const text = readFileSync(path, 'utf8');
  return text.startsWith('---') && /^id:/m.test(text);
}

function removeEmpty(folder: string, checkout: string): void {
  if (folder === checkout || !existsSync(folder) || readdirSync(folder).length > 0) return;
  rmdirSync(folder);
  removeEmpty(dirname(folder), checkout);
}
