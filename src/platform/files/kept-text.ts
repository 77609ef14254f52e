import { readFileSync, statSync } from 'node:fs';
import { isSettled, stampOf } from './file-stamp.ts';

const MAX_KEPT = 1000;
const MAX_BYTES = 256 * 1024;

const kept = new Map<string, { stamp: string; text: string }>();

/**
 * The text of a file, which is read again only if the file changed; undefined without one. By default a link is followed:
 * its target may change while the link stays the same.
 */
export function keptText(
  file: string | Buffer,
  stat = statSync(file, { bigint: true, throwIfNoEntry: false }),
): string | undefined {
  if (!stat) return undefined;
  const path = typeof file === 'string' ? file : file.toString('latin1');
  const stamp = stampOf(stat);
  const last = kept.get(path);
  if (last?.stamp === stamp) return last.text;
  const text = readFileSync(file, 'utf8');
  kept.delete(path);
  if (isSettled(stat) && stat.isFile() && text.length <= MAX_BYTES) {
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(path, { stamp, text });
  }
  return text;
}
