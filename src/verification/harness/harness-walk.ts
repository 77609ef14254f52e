import { posix } from 'node:path';
import type { HarnessPart } from './harness-part.ts';
import type { TreeReader } from './tree-reader.ts';

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
