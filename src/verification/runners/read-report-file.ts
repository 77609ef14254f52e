import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Parsed } from '../../domain/entities/test-report.ts';

const LARGEST = 200 * 1024 * 1024;

/** Reads a file that a candidate may have put there: no links, no pipes that never end, nothing without end. */
export async function readReportFile(path: string, writtenAfter?: number): Promise<Parsed<string>> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const facts = await file.stat();
      if (!facts.isFile()) return { ok: false, code: 'not-a-file', why: 'is not a regular file' };
      if (facts.size > LARGEST)
        return { ok: false, code: 'too-large', why: `is larger than ${LARGEST / 1024 / 1024} MB` };
      // The time of the last change of the file's state, which no program can set to its liking.
      if (writtenAfter !== undefined && facts.ctimeMs < writtenAfter) {
        return { ok: false, code: 'stale', why: 'is older than this run' };
      }
      // Not to the end of the file, which may still grow, but as far as it was when it was measured.
      const bytes = Buffer.alloc(facts.size);
      let filled = 0;
      while (filled < bytes.length) {
        const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return { ok: true, value: bytes.subarray(0, filled).toString('utf8') };
    } finally {
      await file.close();
    }
  } catch (error) {
    const isLink = error instanceof Error && 'code' in error && error.code === 'ELOOP';
    return { ok: false, ...(isLink ? { code: 'not-a-file' } : {}), why: `cannot be read: ${reason(error)}` };
  }
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ELOOP') return 'it is a symbolic link';
  return code === 'ENOENT' ? 'there is no such file' : (code ?? error.message);
}
