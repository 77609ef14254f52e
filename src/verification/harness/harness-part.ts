import { posix } from 'node:path';
import { sha256 } from '../../domain/json/json.ts';
import type { TreeReader } from './tree-reader.ts';

/** One part of a command's harness in one tree. */
export interface HarnessPart {
  /** Relative to the tree, with forward slashes; in parentheses if it is not a file. */
  path: string;
  /** The relevant part of the file, such as `scripts.test`, `target test` or `whole file`. */
  part: string;
  /** The digest of the normalised content. */
  digest: string;
  /** The normalised content up to a length limit. */
  text: string;
}

export const WHOLE_FILE = 'whole file';
/** A script that a command runs by its path and that by location is neither the product nor a test. */
export const PROGRAM = 'program that a command runs';
/** A file that a command compares a result with. */
export const EXPECTED_RESULT = 'expected result';
/** The part name of a Go package's TestMain that plainly runs its tests and reports their result. */
export const HONEST_TEST_MAIN = 'func TestMain that exits with m.Run()';
/** A package of the project with the name of one that judges: it takes the place of the installed one. */
export const PACKAGE_NAME = 'name';
/** A file of a package in the tree, where a set-up would install it. */
export const INSTALLED_PACKAGE = 'installed package';
/** The prefix of a part that may come and go with its version, but not change. */
export const LOCKED = 'locked package ';
/** The prefix of a part that registers a test: a change may add one, but not remove one. */
export const REGISTERED = 'test registered by ';
/** Not a part but the list of folders, which lets a comparison distinguish a new package from a changed one. */
export const FOLDER_LIST = { path: '(tree)', part: 'folders' } as const;

const MAX_TEXT = 64 * 1024;

export function harnessPart(path: string, part: string, content: string): HarnessPart {
  return { path, part, digest: sha256(content), text: content.slice(0, MAX_TEXT) };
}

/**
 * A part that could not be followed. Equal on both sides it is not a change; on one side only, a person must accept it.
 */
export function unfollowedPart(path: string, why: string): HarnessPart {
  return harnessPart(path, `cannot be followed: ${why.slice(0, 200)}`, '');
}

/** Shared by the parts of a walk through one tree. Folders are relative to the tree; its root is ''. */
export interface HarnessWalk {
  readonly reader: TreeReader;
  add(part: HarnessPart): void;
  /** Adds a whole file, and up to a depth of `reach` the files that it names or imports. */
  addFile(path: string, reach: number): Promise<void>;
  addRunner(runner: string, folder: string): void;
  /** Follows a shell command from the tree. */
  follow(command: string, folder: string): Promise<void>;
  /** Adds the files that a text names, relative to a folder. */
  addNamedFiles(text: string, folder: string, reach: number): Promise<void>;
  /** False if the same thing was started before; check it before following anything, so that cycles end. */
  begin(thing: string): boolean;
}

export function under(folder: string, path: string): string {
  return folder === '' ? path : posix.join(folder, path);
}

/** Empty for a file at the top. */
export function folderOf(path: string): string {
  const folder = posix.dirname(path);
  return folder === '.' ? '' : folder;
}

/** Directly in the folder, not below it. */
export function inFolder(path: string, folder: string): boolean {
  return under(folder, posix.basename(path)) === path;
}
