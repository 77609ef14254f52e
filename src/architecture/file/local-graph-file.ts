import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { GuardKitError } from '../../guardkit-error.ts';
import { writeFileAtomic } from '../../platform/files/atomic-file.ts';
import { makeFolder } from '../../platform/files/make-folder.ts';
import { isInside } from '../../platform/files/path-inside.ts';
import { loadPart } from '../../platform/load-optional-part.ts';
import type { ProcessLock } from '../../platform/processes/process-lock.ts';
import { MAX_DOT_CHARACTERS } from '../dot/read-dot.ts';
import {
  GRAPH_PATH,
  type GraphFile,
  type GraphText,
  repositoryPath,
  type WriteResult,
} from './graph-file.ts';
import { type OpenFolder, openFolder } from './open-folder.ts';

export interface LocalGraphFileOptions {
  /** The data folder, which contains the locks. */
  home: string;
  /** How long to wait for the lock. */
  lockTimeoutMs?: number;
}

const LOCK_TIMEOUT_MS = 30_000;
const LOCK_PAUSE_MS = 15;

/** The graph of a project on this machine. */
export class LocalGraphFile implements GraphFile {
  readonly name = GRAPH_PATH;
  readonly #root: string;
  readonly #home: string;
  readonly #lockTimeoutMs: number;

  constructor(root: string, { home, lockTimeoutMs = LOCK_TIMEOUT_MS }: LocalGraphFileOptions) {
    this.#root = realpathSync(root);
    this.#home = home;
    this.#lockTimeoutMs = lockTimeoutMs;
  }

  async exclusively<T>(work: () => Promise<T>): Promise<T> {
    const digest = createHash('sha256').update(this.#root).digest('hex').slice(0, 32);
    const take = () => lockGraph(this.#home, `${digest}.lock`);
    const deadline = Date.now() + this.#lockTimeoutMs;
    let lock = await take();
    while (!lock) {
      if (Date.now() > deadline) throw busy();
      // Random, so that waiting processes do not retry at the same moment.
      await delay(LOCK_PAUSE_MS * (1 + Math.random()));
      lock = await take();
    }
    try {
      return await work();
    } finally {
      lock.release();
    }
  }

  async read(): Promise<GraphText | undefined> {
    return this.#at((path) => {
      const text = path === undefined ? undefined : readText(path);
      return text === undefined ? undefined : { text };
    });
  }

  async write(text: string, basedOn: GraphText | undefined): Promise<WriteResult> {
    if (!lstatSync(join(this.#root, dirname(GRAPH_PATH)), { throwIfNoEntry: false }) && basedOn === undefined)
      createGraphFolder(join(this.#root, dirname(GRAPH_PATH)));
    return this.#at((path) => {
      if (path === undefined || readText(path) !== basedOn?.text) return { ok: false, why: 'changed' };
      const found = lstatSync(path, { throwIfNoEntry: false });
      try {
        removeLeftovers(path);
        writeFileAtomic(path, text, found ? found.mode & 0o777 : 0o644);
      } catch (error) {
        throw notWritable(error);
      }
      return { ok: true };
    });
  }

  async missing(paths: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set(
      paths.filter((path) => {
        const inside = repositoryPath(path);
        if (inside === 'pattern') return false;
        return inside === 'outside' || !existsSync(join(this.#root, inside));
      }),
    );
  }

  /**
   * Calls `work` with the file's real path in an open folder, or with undefined if the folder does not exist. A link must
   * not lead out of the project.
   */
  #at<Result>(work: (path: string | undefined) => Result): Result {
    const path = join(this.#root, GRAPH_PATH);
    if (lstatSync(dirname(path), { throwIfNoEntry: false }) === undefined) return work(undefined);
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
    const real = isLink ? this.#assertInside(path) : join(this.#assertInside(dirname(path)), basename(path));
    const folder = openOrThrow(dirname(real));
    try {
      if (!isInside(resolve(folder.real), this.#root)) throw outside(folder.real);
      return work(join(folder.path, basename(real)));
    } finally {
      folder.release();
    }
  }

  #assertInside(path: string): string {
    let real: string;
    try {
      real = realpathSync(path);
    } catch (error) {
      throw unusable(`is a broken link (${errorCode(error)})`, 'Remove the link.', error);
    }
    if (isInside(resolve(real), this.#root)) return real;
    throw outside(real);
  }
}

function openOrThrow(folder: string): OpenFolder {
  try {
    return openFolder(folder);
  } catch (error) {
    throw unusable(`cannot be reached (${errorCode(error)})`, 'Check the permissions of its folder.', error);
  }
}

function createGraphFolder(folder: string): void {
  try {
    makeFolder(folder);
  } catch (error) {
    throw notWritable(error);
  }
}

function outside(real: string): GuardKitError {
  return new GuardKitError({
    code: 'graph.outside',
    kind: 'refused',
    message: `${GRAPH_PATH} is a link to ${real}, outside the project.`,
    hint: 'Move the file into the project.',
  });
}

function notWritable(error: unknown): GuardKitError {
  return unusable(
    `cannot be written (${errorCode(error)})`,
    'Make its folder writable and try again.',
    error,
  );
}

/** The caller holds the lock, so temporary files are from processes that died; an agent would commit them. */
function removeLeftovers(path: string): void {
  const folder = dirname(path);
  if (!existsSync(folder)) return;
  const prefix = `.${basename(path)}.`;
  for (const name of readdirSync(folder)) {
    const isOne = name.startsWith(prefix) && name.endsWith('.tmp') && name.length === prefix.length + 40;
    if (isOne) rmSync(join(folder, name), { force: true });
  }
}

/** The exact text: keeps a byte order mark, and rejects invalid UTF-8. Undefined if the file does not exist. */
function readText(path: string): string | undefined {
  let bytes: Buffer;
  try {
    // Non-blocking, since a named pipe would never end; no links, since the path was already resolved.
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    try {
      const stat = fstatSync(descriptor);
      if (!stat.isFile()) throw unusable('is not a regular file', 'Replace it with a file.');
      if (stat.size > 4 * MAX_DOT_CHARACTERS)
        throw unusable(`is larger than ${4 * MAX_DOT_CHARACTERS} bytes`, 'Make it smaller.');
      bytes = readFileSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (error instanceof GuardKitError) throw error;
    if (errorCode(error) === 'ENOENT') return undefined;
    throw unusable(`cannot be read (${errorCode(error)})`, 'Check its permissions.', error);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw unusable('is not UTF-8 text', 'Save it as UTF-8.', error);
  }
}

function unusable(why: string, hint: string, cause?: unknown): GuardKitError {
  return new GuardKitError({
    code: 'graph.unusable',
    kind: 'outside',
    message: `${GRAPH_PATH} ${why}.`,
    hint,
    cause,
  });
}

function busy(): GuardKitError {
  return new GuardKitError({
    code: 'graph.busy',
    kind: 'outside',
    message: `Timed out waiting for the lock on ${GRAPH_PATH}.`,
    hint: 'Try again; if it fails again, look for a guardkit process that has hung.',
  });
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

/** Error codes of a read-only location, such as an agent's sandbox; Node reports ENOENT for folders. */
const NOT_WRITABLE = /^(?:EROFS|ENOENT|EACCES|EPERM|ENOTDIR|SQLITE_CANTOPEN|SQLITE_READONLY)(?:_[A-Z]+)*$/;

/**
 * Takes the lock of a graph, in the data folder. A sandboxed agent cannot write there and uses a lock in its own temporary
 * folder; changes from outside are still detected right before the file is replaced.
 */
async function lockGraph(home: string, name: string): Promise<ProcessLock | undefined> {
  // Loaded on demand: only writers need the database driver behind the lock.
  const { tryLock } = await loadPart(() => import('../../platform/processes/process-lock.ts'));
  try {
    return tryLock(join(home, 'locks', 'architecture', name));
  } catch (error) {
    const fallback = NOT_WRITABLE.test(errorCode(error)) ? ownTemporaryFolder() : undefined;
    if (fallback === undefined) throw error;
    return tryLock(join(fallback, name));
  }
}

/** A folder of this user in the shared temporary folder; undefined if someone else owns it. */
function ownTemporaryFolder(): string | undefined {
  const user = process.getuid?.() ?? 0;
  const folder = join(tmpdir(), `guardkit-locks-${user}`);
  makeFolder(folder, 0o700);
  const found = lstatSync(folder);
  return found.isDirectory() && (process.getuid === undefined || found.uid === user) ? folder : undefined;
}
