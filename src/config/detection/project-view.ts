import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isProgram } from '../../platform/processes/find-program.ts';

/** Input of detection: the files of a checkout, and the programs of this machine. */
export interface ProjectView {
  /** Relative to the project's root. */
  readonly files: readonly string[];
  has(path: string): boolean;
  text(path: string): string | undefined;
  /** Whether a program of this name is on the PATH. */
  hasProgram(name: string): boolean;
  /** Whether this interpreter can import the module without installing anything. */
  hasPythonModule(python: string, module: string): boolean;
}

export interface ProjectViewOptions {
  root: string;
  /** Files to consider, without ignored ones (default: all files in the folder). */
  files?: readonly string[];
  path?: string | undefined;
  /** Modules of this machine's interpreters (default: none). */
  pythonModules?: ReadonlyMap<string, ReadonlySet<string>>;
}

const MAX_FILES = 20_000;
const MAX_DEPTH = 6;
const MAX_TEXT = 2 * 1024 * 1024;

/** Folders with generated files, which are not part of the project. */
const SKIPPED: ReadonlySet<string> = new Set(['node_modules', '.git', '.venv', 'venv', 'target', '.tox']);

export function projectView({ root, files, path, pythonModules }: ProjectViewOptions): ProjectView {
  const listed = files ?? listFiles(root);
  const known = new Set(listed);
  const folders = (path ?? '').split(':').filter((folder) => folder.startsWith('/'));
  return {
    files: listed,
    has: (file) => known.has(file),
    text: (file) => (known.has(file) ? readText(join(root, file)) : undefined),
    hasProgram: (name) => folders.some((folder) => isProgram(join(folder, name))),
    hasPythonModule: (python, module) => pythonModules?.get(python)?.has(module) === true,
  };
}

/** A subfolder as a separate project. */
export function folderView(view: ProjectView, folder: string): ProjectView {
  const prefix = `${folder}/`;
  return {
    files: view.files.filter((file) => file.startsWith(prefix)).map((file) => file.slice(prefix.length)),
    has: (file) => view.has(`${prefix}${file}`),
    text: (file) => view.text(`${prefix}${file}`),
    hasProgram: (name) => view.hasProgram(name),
    hasPythonModule: (python, module) => view.hasPythonModule(python, module),
  };
}

/** The folders below the root that contain such a file, without data of tests and other people's code. */
export function foldersWith(view: ProjectView, name: string): string[] {
  return view.files
    .filter((path) => path.endsWith(`/${name}`) && !/(?:^|\/)(?:vendor|testdata|[_.][^/]*)\//.test(path))
    .map((path) => path.slice(0, -name.length - 1))
    .filter((folder) => /^[\w./-]+$/.test(folder));
}

/** Without the files of some folders. */
export function viewWithout(view: ProjectView, folders: readonly string[]): ProjectView {
  const isInside = (file: string) => folders.some((folder) => file.startsWith(`${folder}/`));
  return {
    ...view,
    files: view.files.filter((file) => !isInside(file)),
    has: (file) => !isInside(file) && view.has(file),
    text: (file) => (isInside(file) ? undefined : view.text(file)),
    hasProgram: (name) => view.hasProgram(name),
    hasPythonModule: (python, module) => view.hasPythonModule(python, module),
  };
}

/** Whether one of the files contains the text. */
export function mentions(view: ProjectView, files: readonly string[], word: string | RegExp): boolean {
  return files.some((file) => {
    const text = view.text(file);
    return text !== undefined && (typeof word === 'string' ? text.includes(word) : word.test(text));
  });
}

function listFiles(root: string): string[] {
  const files: string[] = [];
  const pending: { folder: string; depth: number }[] = [{ folder: '', depth: 0 }];
  for (let next = pending.pop(); next && files.length < MAX_FILES; next = pending.pop()) {
    const { folder, depth } = next;
    for (const entry of entriesOf(join(root, folder))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isFile() || entry.isSymbolicLink()) files.push(path);
      else if (entry.isDirectory() && depth < MAX_DEPTH && !SKIPPED.has(entry.name))
        pending.push({ folder: path, depth: depth + 1 });
    }
  }
  return files.sort();
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // Safe: an unreadable folder is skipped, and the person sees the result.
    return [];
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').slice(0, MAX_TEXT);
  } catch {
    // Safe: an unreadable file is skipped, and the person sees the result.
    return undefined;
  }
}
