import { AGENT_FOLDERS, AGENT_SUBFOLDERS, SERVER_LISTS } from '../../domain/protection/protected-paths.ts';
import { type BytePath, isWithin } from './byte-path.ts';
import type { CheckoutFacts, ProtectedPath } from './plan-mounts.ts';
import type { StampedReads } from './stamped-reads.ts';

/** Folders of other coding agents. */
const OTHER_AGENTS = [...AGENT_FOLDERS, ...AGENT_SUBFOLDERS];
/** Folders of `.claude` that take effect by themselves; the others are data. */
const EFFECTIVE_FOLDERS = ['agents', 'skills', 'commands', 'hooks', 'plugins'];
/** Agents may write these; the rest of `.guardkit` is definitions. */
const DATA_FOLDERS = ['logs', 'data'];
/** Untracked folders with thousands of files: mounted as a whole. */
const INSTALLED = ['node_modules', '.venv', 'venv', '__pycache__'];
/** bwrap takes 9000 arguments, three for each mount. */
const MAX_UNTRACKED = 1500;

/** One checkout, with facts that are not read from its own folders. */
export interface CheckoutContext {
  root: BytePath;
  /** Tracked files among the protected ones, relative. */
  tracked: ReadonlySet<BytePath>;
  /** `.claude` folders below the root, relative. */
  nested: readonly BytePath[];
  /** Folders and files of `protected:` and `core.hooksPath`, relative. */
  further: readonly BytePath[];
  /** Must not become read-only as a whole, even if a link or setting leads there. */
  keepOpen: readonly BytePath[];
}

export interface CheckoutReading extends CheckoutFacts {
  /** Protected paths that do not exist, which no mount can protect. */
  missing: BytePath[];
}

export function collectCheckout(reads: StampedReads, context: CheckoutContext): CheckoutReading {
  const { root, nested, further } = context;
  const collector = new Collector(reads, context);
  collector.add('.guardkit', (entry) => !DATA_FOLDERS.includes(entry.name));
  collector.add('tasks');
  collector.add('.claude', isEffective);
  for (const path of nested) collector.add(path, isEffective);
  for (const path of [
    ...OTHER_AGENTS,
    '.husky',
    '.mcp.json',
    ...SERVER_LISTS,
    'opencode.json',
    'opencode.jsonc',
  ])
    collector.add(path, undefined, false);
  for (const path of further) collector.add(path);
  // In a linked worktree it is a file with the path of git's folder; `git worktree` may change it.
  if (reads.kindOf(`${root}/.git`) === 'file')
    collector.protected.push({ path: `${root}/.git`, writable: [] });
  const { protected: paths, untracked, missing } = collector;
  return { root, protected: paths, untracked: [...untracked].sort(), missing };
}

interface Entry {
  name: BytePath;
  kind: string;
}

function isEffective({ name, kind }: Entry): boolean {
  if (kind === 'folder') return EFFECTIVE_FOLDERS.includes(name);
  // Agents may edit notes, as they may edit CLAUDE.md.
  return !(kind === 'file' && name.endsWith('.md'));
}

class Collector {
  readonly protected: ProtectedPath[] = [];
  readonly untracked = new Set<BytePath>();
  readonly missing: BytePath[] = [];
  readonly #reads: StampedReads;
  readonly #context: CheckoutContext;

  constructor(reads: StampedReads, context: CheckoutContext) {
    this.#reads = reads;
    this.#context = context;
  }

  /** Protects a folder or file; `isProtected` decides about the folder's direct entries. */
  add(relative: BytePath, isProtected: (entry: Entry) => boolean = () => true, expected = true): void {
    const path = `${this.#context.root}/${relative}`;
    const found = this.#reads.resolve(path);
    if (!found) {
      if (expected) this.missing.push(path);
      return;
    }
    if (this.#isTooWide(found.path)) return;
    if (found.kind !== 'folder') {
      this.protected.push({ path: found.path, writable: [] });
      if (!this.#context.tracked.has(relative)) this.#lock(found.path);
      return;
    }
    const entries = this.#reads.entries(found.path);
    const open = entries.filter((entry) => !isProtected(entry) && entry.kind !== 'link');
    this.protected.push({ path: found.path, writable: open.map(({ name }) => `${found.path}/${name}`) });
    for (const entry of entries) if (isProtected(entry)) this.#visit(found.path, relative, entry);
  }

  #visit(folder: BytePath, relative: BytePath, { name, kind }: Entry): void {
    const path = `${folder}/${name}`;
    const logical = `${relative}/${name}`;
    if (kind === 'link') {
      this.#visitLink(path);
      return;
    }
    if (kind === 'folder' && !this.#isWhole(name, logical)) {
      for (const entry of this.#reads.entries(path)) this.#visit(path, logical, entry);
      return;
    }
    if (!this.#context.tracked.has(logical)) this.#lock(path);
  }

  /** A link itself cannot be mounted; its target is protected if it is outside the checkout. */
  #visitLink(path: BytePath): void {
    const target = this.#reads.resolve(path);
    if (!target || isWithin(target.path, this.#context.root) || this.#isTooWide(target.path)) return;
    this.#lock(target.path);
  }

  #lock(path: BytePath): void {
    if (this.untracked.size < MAX_UNTRACKED) this.untracked.add(path);
  }

  #isWhole(name: BytePath, logical: BytePath): boolean {
    if (!INSTALLED.includes(name) && this.untracked.size < MAX_UNTRACKED / 2) return false;
    for (const file of this.#context.tracked) if (isWithin(file, logical)) return false;
    return true;
  }

  #isTooWide(path: BytePath): boolean {
    return [this.#context.root, ...this.#context.keepOpen].some((kept) => isWithin(kept, path));
  }
}
