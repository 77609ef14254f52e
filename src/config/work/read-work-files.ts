import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { readConfigText } from '../yaml/yaml-file.ts';
import type { WorkFile } from './work.ts';
import { FEATURES_FOLDER, isFeatureFile, isTaskFile, TASKS_FOLDER } from './work.ts';
import type { WorkFault } from './work-fault.ts';

const MAX_FILES = 5000;
const MAX_DEPTH = 12;

/** Reads the task and feature files under a folder, with faults. Links out of the folder are not followed. */
export function readWorkFiles(
  root: string,
  maxFiles = MAX_FILES,
): { files: WorkFile[]; faults: WorkFault[] } {
  const reader = new FileReader(root, maxFiles);
  reader.readFolder(TASKS_FOLDER, isTaskFile, MAX_DEPTH);
  reader.readFolder(FEATURES_FOLDER, isFeatureFile, 0);
  return { files: reader.files, faults: reader.faults };
}

class FileReader {
  readonly files: WorkFile[] = [];
  readonly faults: WorkFault[] = [];
  readonly #root: string;
  readonly #realRoot: string;
  readonly #maxFiles: number;
  /** Real paths, because links may lead to the same file or in a circle. */
  readonly #seen = new Set<string>();
  #full = false;

  constructor(root: string, maxFiles: number) {
    this.#root = root;
    this.#maxFiles = maxFiles;
    this.#realRoot = realpathSync(root);
  }

  readFolder(path: string, wanted: (path: string) => boolean, depth: number): void {
    if (!this.#enter(path)) return;
    for (const entry of this.#list(path)) {
      const inner = `${path}/${entry.name}`;
      if (wanted(inner)) this.#readFile(inner);
      // Dot folders belong to tools, and installed packages contain other projects' files.
      else if (
        depth > 0 &&
        !entry.name.startsWith('.') &&
        entry.name !== 'node_modules' &&
        this.#isFolder(inner, entry)
      )
        this.readFolder(inner, wanted, depth - 1);
    }
  }

  #list(path: string): Dirent[] {
    try {
      return readdirSync(join(this.#root, path), { withFileTypes: true }).sort((a, b) =>
        a.name < b.name ? -1 : 1,
      );
    } catch (error) {
      this.#unreadable(path, error);
      return [];
    }
  }

  #isFolder(path: string, entry: Dirent): boolean {
    if (!entry.isSymbolicLink()) return entry.isDirectory();
    return statSync(join(this.#root, path), { throwIfNoEntry: false })?.isDirectory() ?? false;
  }

  /** Whether a path exists inside the root and was not read before. */
  #enter(path: string): boolean {
    let real: string;
    try {
      real = realpathSync(join(this.#root, path));
    } catch (error) {
      this.#unreadable(path, error);
      return false;
    }
    if (real !== this.#realRoot && !real.startsWith(this.#realRoot + sep)) {
      this.#fault(
        path,
        'outside-link',
        'not read: this link leads out of the project',
        'replace the link with the file',
      );
      return false;
    }
    if (this.#seen.has(real)) return false;
    this.#seen.add(real);
    return true;
  }

  #readFile(path: string): void {
    if (this.files.length >= this.#maxFiles) {
      if (!this.#full)
        this.#fault(
          path,
          'too-many-files',
          `more than ${this.#maxFiles} files; this one and the rest are not read`,
          'move old files elsewhere',
        );
      this.#full = true;
      return;
    }
    if (!this.#enter(path)) return;
    const read = readConfigText(join(this.#root, path));
    if (read.ok) this.files.push({ path, text: read.text });
    else
      this.faults.push({
        file: path,
        ...read.fault,
        hint: 'make it a text file of at most 1 MB, or remove it',
      });
  }

  #unreadable(path: string, error: unknown): void {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    // A missing folder means no work; a file of that name is not GuardKit's.
    const isFolder = path === TASKS_FOLDER || path === FEATURES_FOLDER;
    if (isFolder && (code === 'ENOENT' || code === 'ENOTDIR')) return;
    this.#fault(path, 'unreadable', `cannot be read (${code ?? error})`, 'make it readable, or remove it');
  }

  #fault(file: string, code: string, message: string, hint: string): void {
    this.faults.push({ file, line: 1, column: 1, code, message, hint });
  }
}
