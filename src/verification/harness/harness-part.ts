import { posix } from 'node:path';
import { sha256 } from '../../domain/json/json.ts';
import type { TreeReader } from './tree-reader.ts';

/** One thing that a command runs through, as one tree has it. */
export interface HarnessPart {
  /** Relative to the tree, with forward slashes; in brackets if it is no file. */
  path: string;
  /** What of the file matters, such as `scripts.test`, `target test` or `whole file`. */
  part: string;
  /** Of the normalised content. */
  digest: string;
  /** The normalised content, cut off after some length. */
  text: string;
}

export const WHOLE_FILE = 'whole file';
/** A script that a command runs by its path and that is neither the product nor a test by its place. */
export const PROGRAM = 'program that a command runs';
/** A file that a command compares a result with. */
export const EXPECTED_RESULT = 'expected result';
/** What a Go package's own TestMain is called if it plainly runs its tests and reports their result. */
export const HONEST_TEST_MAIN = 'func TestMain that exits with m.Run()';
/** Begins the name of a part that may come and go with its version, but not change. */
export const LOCKED = 'locked package ';
/** Not a part but the list of folders, from which a comparison tells a new package from a changed one. */
export const FOLDER_LIST = { path: '(tree)', part: 'folders' } as const;

const MAX_TEXT = 64 * 1024;

export function harnessPart(path: string, part: string, content: string): HarnessPart {
  return { path, part, digest: sha256(content), text: content.slice(0, MAX_TEXT) };
}

/** Says what could not be followed. Equal on both sides it is no change; on one side only, a person is asked. */
export function unfollowedPart(path: string, why: string): HarnessPart {
  return harnessPart(path, `cannot be followed: ${why.slice(0, 200)}`, '');
}

/** What the parts of a walk through one tree share. Folders are relative to the tree; its root is ''. */
export interface HarnessWalk {
  readonly reader: TreeReader;
  add(part: HarnessPart): void;
  /** Adds a file as a whole, and what it names or imports while `reach` lasts. */
  addFile(path: string, reach: number): Promise<void>;
  addRunner(runner: string, folder: string): void;
  /** Follows a shell command that the tree itself holds. */
  follow(command: string, folder: string): Promise<void>;
  /** Adds the files that a text names, as seen from a folder. */
  addNamedFiles(text: string, folder: string, reach: number): Promise<void>;
  /** False if the same thing was begun before; whoever follows something asks first, so that circles end. */
  begin(thing: string): boolean;
}

export function under(folder: string, path: string): string {
  return folder === '' ? path : posix.join(folder, path);
}
