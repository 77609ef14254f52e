import { posix } from 'node:path';

export const TASKS_FOLDER = 'tasks';
export const FEATURES_FOLDER = '.guardkit/features';

/** Paths are relative to the project, with `/`. */
export function isTaskFile(path: string): boolean {
  return path.startsWith(`${TASKS_FOLDER}/`) && /^TASK-.*\.md$/s.test(posix.basename(path));
}

export function isFeatureFile(path: string): boolean {
  return posix.dirname(path) === FEATURES_FOLDER && /^[^.].*\.ya?ml$/s.test(posix.basename(path));
}

/** Whether a file's name says that it holds this id: `TASK-001.md` or `TASK-001-title.md`. */
export function isNamedFor(path: string, id: string): boolean {
  const at = path.lastIndexOf('/') + 1;
  // First of all, since thousands of names are asked about thousands of ids.
  return path.startsWith(id, at) && /^(?:[-_.].*)?\.(?:md|ya?ml)$/s.test(path.slice(at + id.length));
}
