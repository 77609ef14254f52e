import type { PatchChunk } from './read-patch.ts';

/** More comparisons than any honest patch needs. */
const MAX_COMPARED = 20_000_000;

/**
 * The text with the chunks applied. Undefined unless each chunk fits in exactly one place, since programs search for it in
 * different ways, some of which ignore spaces and punctuation.
 */
export function applyChunks(text: string, chunks: readonly PatchChunk[]): string | undefined {
  const lines = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
  const loose = lines.map(loosely);
  const result: string[] = [];
  let at = 0;
  let left = MAX_COMPARED;
  for (const chunk of chunks) {
    left -= lines.length * Math.max(1, chunk.old.length);
    if (chunk.old.length === 0 || left < 0) return undefined;
    const place = onlyPlace(loose, chunk.old.map(loosely));
    if (place === undefined || place < at) return undefined;
    if (chunk.old.some((line, index) => lines[place + index] !== line)) return undefined;
    result.push(...lines.slice(at, place), ...chunk.new);
    at = place + chunk.old.length;
  }
  result.push(...lines.slice(at));
  return result.map((line) => `${line}\n`).join('');
}

function loosely(line: string): string {
  return line.replace(/[^\p{L}\p{N}]+/gu, '');
}

function onlyPlace(lines: readonly string[], wanted: readonly string[]): number | undefined {
  let found: number | undefined;
  for (let start = 0; start + wanted.length <= lines.length; start += 1) {
    if (wanted.some((line, index) => lines[start + index] !== line)) continue;
    if (found !== undefined) return undefined;
    found = start;
  }
  return found;
}
