import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { decodeConfigText, readConfigText } from '../yaml/yaml-file.ts';
import type { WorkFile } from './work.ts';
import { FEATURES_FOLDER, isFeatureFile, isTaskFile, TASKS_FOLDER } from './work.ts';
import type { WorkFault } from './work-fault.ts';

const MAX_FILES = 5000;
const MAX_DEPTH = 12;

export interface WorkFiles {
  files: WorkFile[];
  faults: WorkFault[];
}

/** Reads the task and feature files under a folder, with faults. Links out of the folder are not followed. */
export function readWorkFiles(root: string, maxFiles = MAX_FILES): WorkFiles {
  const reader = new FileReader(root, maxFiles);
  reader.readFolder(TASKS_FOLDER, isTaskFile, MAX_DEPTH);
  reader.readFolder(FEATURES_FOLDER, isFeatureFile, 0);
  return { files: reader.files, faults: reader.faults };
}

/** Same for files that are not on disk, such as those of a commit, by their path. */
export function decodeWorkFiles(contents: ReadonlyMap<string, Buffer>, maxFiles = MAX_FILES): WorkFiles {
  const found = [...contents]
    .filter(([path]) => isFeatureFile(path) || (isTaskFile(path) && isOwnFolder(posix.dirname(path))))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const files: WorkFile[] = [];
  const faults: WorkFault[] = [];
  for (const [path, bytes] of found.slice(0, maxFiles)) {
    const read = decodeConfigText(bytes);
    if (read.ok) files.push({ path, text: read.text });
    else faults.push(unusable(path, read.fault));
  }
  const next = found[maxFiles];
  return { files, faults: next ? [...faults, tooMany(next[0], maxFiles)] : faults };
}

/** Dot folders belong to tools, and installed packages contain other projects' files. */
function isOwnFolder(folder: string): boolean {
  const names = folder.split('/');
  return names.length <= MAX_DEPTH + 1 && names.every(isOwnName);
}

function isOwnName(name: string): boolean {
  return !name.startsWith('.') && name !== 'node_modules';
}

function tooMany(path: string, maxFiles: number): WorkFault {
  const message = `more than ${maxFiles} files; this one and the rest are not read`;
  return {
    file: path,
    line: 1,
    column: 1,
    code: 'too-many-files',
    message,
    hint: 'move old files elsewhere',
  };
}

function unusable(path: string, fault: Omit<WorkFault, 'file' | 'hint'>): WorkFault {
  return { file: path, ...fault, hint: 'make it a text file of at most 1 MB, or remove it' };
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
      else if (depth > 0 && isOwnName(entry.name) && this.#isFolder(inner, entry))
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
      if (!this.#full) this.faults.push(tooMany(path, this.#maxFiles));
      this.#full = true;
      return;
    }
    if (!this.#enter(path)) return;
    const read = readConfigText(join(this.#root, path));
    if (read.ok) this.files.push({ path, text: read.text });
    else this.faults.push(unusable(path, read.fault));
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
