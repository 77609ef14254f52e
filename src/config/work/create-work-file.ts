import { randomUUID } from 'node:crypto';
import { closeSync, linkSync, openSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join, posix, sep } from 'node:path';
import { GuardKitError } from '../../guardkit-error.ts';
import { writeFileAtomic } from '../../platform/files/atomic-file.ts';
import { makeFolder } from '../../platform/files/make-folder.ts';
import { readWorkFiles } from './read-work-files.ts';
import { FEATURES_FOLDER, isNamedFor, TASKS_FOLDER } from './work.ts';

export interface WorkFileRequest {
  kind: 'task' | 'feature';
  /** Default: the next free number. */
  id: string | undefined;
  /** Follows the id in the file's name. */
  slug?: string;
  text(id: string): string;
}

export interface CreatedFile {
  id: string;
  /** Relative to the project, with `/`. */
  path: string;
}

const KINDS = {
  task: { folder: TASKS_FOLDER, prefix: 'TASK-', extension: '.md' },
  feature: { folder: FEATURES_FOLDER, prefix: 'FEAT-', extension: '.yaml' },
} as const;

/** The file that would be created. */
export function planWorkFile(root: string, { kind, id, slug }: WorkFileRequest): CreatedFile {
  const taken = takenPaths(root);
  if (id === undefined) return planned(kind, numberedId(kind, nextNumber(kind, taken)), slug);
  const before = taken.find((path) => isNamedFor(path.toLowerCase(), id.toLowerCase()));
  if (before !== undefined) throw idTaken(id, before);
  return planned(kind, id, slug);
}

/** Creates a file with a unique id, even if several processes ask at the same time. */
export function createWorkFile(root: string, request: WorkFileRequest): CreatedFile {
  const { folder } = KINDS[request.kind];
  prepareFolder(root, folder);
  for (let tried = 0; ; tried++) {
    const number = Math.max(tried, nextNumber(request.kind, takenPaths(root)));
    tried = number;
    const id = request.id ?? numberedId(request.kind, number);
    const reservation = join(root, folder, `.${id}.reserved`);
    if (!reserve(reservation)) {
      if (request.id === undefined) continue;
      throw idTaken(id, `${folder}/.${id}.reserved; if no other process is creating it, remove that file`);
    }
    try {
      // Checked again, now that the id is reserved.
      const { path } = planWorkFile(root, { ...request, id });
      if (!createFile(join(root, path), request.text(id))) throw idTaken(id, path);
      return { id, path };
    } catch (error) {
      const tookIt = error instanceof GuardKitError && error.code === 'work.taken';
      if (request.id !== undefined || !tookIt) throw error;
    } finally {
      rmSync(reservation, { force: true });
    }
  }
}

function planned(kind: WorkFileRequest['kind'], id: string, slug = ''): CreatedFile {
  const { folder, extension } = KINDS[kind];
  return { id, path: posix.join(folder, `${id}${slug === '' ? '' : `-${slug}`}${extension}`) };
}

/** Includes unreadable files, whose names count too. */
function takenPaths(root: string): string[] {
  const { files, faults } = readWorkFiles(root);
  return [...files.map(({ path }) => path), ...faults.map(({ file }) => file)];
}

function nextNumber(kind: WorkFileRequest['kind'], taken: readonly string[]): number {
  const { prefix } = KINDS[kind];
  const numbers = taken.map((path) => {
    const name = posix.basename(path);
    // Longer numbers are dates and the like.
    const digits = name.startsWith(prefix)
      ? /^\d{1,6}(?!\d)/.exec(name.slice(prefix.length))?.[0]
      : undefined;
    return Number(digits ?? 0);
  });
  return numbers.reduce((highest, number) => Math.max(highest, number), 0) + 1;
}

function numberedId(kind: WorkFileRequest['kind'], number: number): string {
  return `${KINDS[kind].prefix}${String(number).padStart(3, '0')}`;
}

/** Creates the folder if missing; it must not be a link out of the project. */
function prepareFolder(root: string, folder: string): void {
  const target = join(root, folder);
  try {
    makeFolder(target);
    if (realpathSync(target).startsWith(realpathSync(root) + sep)) return;
  } catch (error) {
    throw unwritable(
      folder,
      error instanceof Error && 'code' in error ? String(error.code) : String(error),
      error,
    );
  }
  throw unwritable(folder, 'it is a link out of the project');
}

function reserve(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx'));
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    if (code === 'EEXIST') return false;
    throw unwritable(path, code, error);
  }
}

function idTaken(id: string, by: string): GuardKitError {
  return new GuardKitError({
    code: 'work.taken',
    kind: 'refused',
    message: `The id ${id} is already used by ${by}.`,
    hint: 'Choose another --id, or omit it to get the next free one. Nothing was written.',
  });
}

function unwritable(path: string, why: string, cause?: unknown): GuardKitError {
  return new GuardKitError({
    code: 'work.unwritable',
    kind: 'outside',
    message: `${path} cannot be written: ${why}.`,
    hint: 'Make it a writable folder inside the project.',
    cause,
  });
}

/** Creates a file atomically unless the name is taken; returns whether it did. */
export function createFile(path: string, text: string): boolean {
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}.new`);
  try {
    writeFileAtomic(temporary, text);
    return giveName(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Linking fails if the name is taken, even by a faster process; renaming would replace that file. */
function giveName(temporary: string, path: string): boolean {
  try {
    linkSync(temporary, path);
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EEXIST') return false;
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS') throw error;
    // Some file systems have no hard links.
    renameSync(temporary, path);
    return true;
  }
}
