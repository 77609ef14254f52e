import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isListOf, isNumber, isObject, isShape, isText } from '../../domain/json/plain-shape.ts';
import { AGENT_FOLDERS, AGENT_SUBFOLDERS, SERVER_LISTS } from '../../domain/protection/protected-paths.ts';
import { writeFileAtomic } from '../../platform/files/atomic-file.ts';
import { gitBytesSync } from '../../platform/git/git-sync.ts';
import { type BytePath, bytesOf, toBytePath } from './byte-path.ts';
import type { ShellFolder } from './shell-folder.ts';
import type { StampedReads } from './stamped-reads.ts';

/** Pathspecs of everything that may be protected in a checkout. */
const PROTECTED = [
  ...['.guardkit', 'tasks', '.husky', '.mcp.json'],
  ...AGENT_FOLDERS,
  ...AGENT_SUBFOLDERS,
  ...SERVER_LISTS,
  ...['opencode.json', 'opencode.jsonc'],
  ':(glob)**/.claude/**',
];

/** The tracked files among them, relative to the checkout. If git fails, nothing counts as tracked. */
export function trackedFiles(gitDir: string, further: readonly BytePath[]): BytePath[] {
  const paths = [...PROTECTED, ...further.map((path) => bytesOf(path).toString('utf8'))];
  const output = gitBytesSync(gitDir, ['ls-files', '-z', '--cached', '--', ...paths]);
  return output?.toString('latin1').split('\0').filter(Boolean) ?? [];
}

/** The tracked files that match a pattern of `protected:`. */
export function trackedByGlob(gitDir: string, globs: readonly string[]): BytePath[] {
  if (globs.length === 0) return [];
  const output = gitBytesSync(gitDir, [
    'ls-files',
    '-z',
    '--cached',
    '--',
    ...globs.map((glob) => `:(glob)${glob}`),
  ]);
  return output?.toString('latin1').split('\0').filter(Boolean).slice(0, MAX_BY_GLOB) ?? [];
}

const MAX_BY_GLOB = 300;
const MAX_FOLDERS = 1500;
const MAX_DEPTH = 5;
/** Large folders in which agents are not started. */
const SKIPPED = new Set(
  '.git node_modules .venv venv target dist build out vendor __pycache__ .cache .next .claude'.split(' '),
);

/** `.claude` folders below a checkout, relative: from tracked paths, and from a bounded walk for untracked ones. */
export function nestedClaudeFolders(root: BytePath, tracked: readonly BytePath[]): BytePath[] {
  const found = new Set<BytePath>();
  for (const path of tracked) {
    const at = path.indexOf('/.claude/');
    if (at > 0) found.add(path.slice(0, at + '/.claude'.length));
  }
  let level = [''];
  let looked = 0;
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth++) {
    const next: BytePath[] = [];
    for (const folder of level) {
      if (looked++ >= MAX_FOLDERS) return [...found].sort();
      for (const name of subfolders(`${root}/${folder}`)) {
        if (name === '.claude' && folder !== '') found.add(`${folder}.claude`);
        if (!SKIPPED.has(name)) next.push(`${folder}${name}/`);
      }
    }
    level = next;
  }
  return [...found].sort();
}

function subfolders(folder: BytePath): BytePath[] {
  try {
    return readdirSync(bytesOf(folder), { withFileTypes: true, encoding: 'buffer' })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name.toString('latin1'));
  } catch {
    // Safe: an agent cannot read it either.
    return [];
  }
}

export interface SplitGlobs {
  /** Folders and files without a wildcard, relative. */
  literal: BytePath[];
  /** The rest. */
  patterns: string[];
}

/** A glob for one path, or for everything in one folder, needs no search. */
export function splitGlobs(globs: readonly string[]): SplitGlobs {
  const split: SplitGlobs = { literal: [], patterns: [] };
  for (const glob of globs) {
    const plain = glob.replace(/^\.\//, '').replace(/\/(?:\*\*)?$/, '');
    if (plain === '' || plain.startsWith('/') || plain.split('/').includes('..')) continue;
    if (/[*?[\]{}!\\]/.test(plain)) split.patterns.push(plain);
    else split.literal.push(toBytePath(plain));
  }
  return split;
}

/** How long the result of a walk is reused: a checkout has too many folders to walk each time. */
export const WALK_MS = 5 * 60 * 1000;

/** Protected files of a checkout, relative. */
export interface FoundFiles {
  tracked: BytePath[];
  nested: BytePath[];
  byGlob: BytePath[];
}

interface Known extends FoundFiles {
  /** Stamp of git's index and of the query. */
  stamp: string;
  walkedAt: number;
}

const isFound = isShape({
  stamp: isText,
  walkedAt: isNumber,
  tracked: isListOf(isText),
  nested: isListOf(isText),
  byGlob: isListOf(isText),
});

/** Asks git for the tracked files of a checkout only if its index changed, and caches the answers. */
export class FileFinder {
  readonly #folder: ShellFolder;
  readonly #reads: StampedReads;
  readonly #patterns: string[];
  readonly #now: number;
  readonly #before: Record<string, unknown>;
  readonly #found: Record<string, Known> = {};

  constructor(folder: ShellFolder, reads: StampedReads, globs: readonly string[], now: number) {
    this.#folder = folder;
    this.#reads = reads;
    this.#patterns = splitGlobs(globs).patterns;
    this.#now = now;
    this.#before = readKnown(folder);
  }

  find(root: BytePath, gitDir: string, further: readonly BytePath[]): FoundFiles {
    const index = this.#reads.stamp(toBytePath(join(gitDir, 'index')));
    const stamp = JSON.stringify([index, gitDir, further, this.#patterns]);
    const before = this.#before[root];
    const known = isFound(before) ? before : undefined;
    const walked = known !== undefined && this.#now >= known.walkedAt && this.#now - known.walkedAt < WALK_MS;
    const files =
      known?.stamp === stamp
        ? known
        : { tracked: trackedFiles(gitDir, further), byGlob: trackedByGlob(gitDir, this.#patterns) };
    const nested = walked && known.stamp === stamp ? known.nested : nestedClaudeFolders(root, files.tracked);
    const found = { tracked: files.tracked, byGlob: files.byGlob, nested };
    this.#found[root] = { ...found, stamp, walkedAt: walked ? known.walkedAt : this.#now };
    return found;
  }

  keep(): void {
    writeFileAtomic(this.#folder.found, JSON.stringify(this.#found), 0o600, { lasting: false });
  }
}

function readKnown({ found }: ShellFolder): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readFileSync(found, 'utf8'));
    return isObject(value) ? value : {};
  } catch {
    // Safe: everything is searched again.
    return {};
  }
}
