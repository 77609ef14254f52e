import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makeFolder } from './make-folder.ts';

/**
 * Replaces a file atomically: after a crash it has either the old text or the new one. A file that need not survive a power
 * cut, because it is soon written again, does not wait for the disk.
 */
export function writeFileAtomic(
  path: string,
  content: string | Uint8Array,
  mode = 0o644,
  { lasting = true } = {},
): void {
  const writer = new AtomicFile(path, mode);
  try {
    writer.write(content);
    writer.commit(lasting);
  } catch (error) {
    writer.discard();
    throw error;
  }
}

/** Creates a file with its whole content, unless one of that name exists. Returns whether it did. */
export function createFileOnce(path: string, content: string | Uint8Array, mode = 0o644): boolean {
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}.tmp`);
  try {
    writeFileAtomic(temporary, content, mode);
    linkSync(temporary, path);
    syncFolder(dirname(path));
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** A file written under a temporary name and renamed when complete. */
export class AtomicFile {
  readonly #path: string;
  readonly #temporary: string;
  readonly #descriptor: number;

  constructor(path: string, mode = 0o644) {
    makeFolder(dirname(path));
    this.#path = path;
    this.#temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}.tmp`);
    this.#descriptor = openSync(this.#temporary, 'wx', mode);
  }

  write(content: string | Uint8Array): void {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    for (let offset = 0; offset < bytes.length; ) offset += writeSync(this.#descriptor, bytes, offset);
  }

  commit(lasting = true): void {
    if (lasting) fsyncSync(this.#descriptor);
    closeSync(this.#descriptor);
    renameSync(this.#temporary, this.#path);
    if (lasting) syncFolder(dirname(this.#path));
  }

  discard(): void {
    try {
      closeSync(this.#descriptor);
    } catch {
      // Safe: it was closed before the rename failed.
    }
    rmSync(this.#temporary, { force: true });
  }
}

/** Without this, a power cut may lose the new name. */
function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
