/** A run of lines that a patch replaces. Context lines are in both lists. */
interface PatchChunk {
  old: readonly string[];
  new: readonly string[];
}

/** The effect of a patch on one file, with the patch's own paths. */
export type PatchedFile =
  | { type: 'add'; path: string; content: string }
  | { type: 'delete'; path: string }
  | { type: 'update'; path: string; movedTo: string | undefined; chunks: readonly PatchChunk[] };

export type PatchReading = { ok: true; files: PatchedFile[] } | { ok: false; why: string };

const BEGIN = '*** Begin Patch';
const END = '*** End Patch';
const END_OF_FILE = '*** End of File';
const HEADER = /^\*\*\* (Add|Update|Delete) File: (.+)$/;
const MOVE = /^\*\*\* Move to: (.+)$/;
/** Programs trim a header line before they read it, so an indented one may count. */
const INDENTED_HEADER = /^\s+\*\*\* (?:Add File|Update File|Delete File|Move to|Begin Patch|End Patch)/;

/**
 * Reads a patch in the `*** Begin Patch` format. Stricter than the programs that apply it: a patch that another reader could
 * understand differently is not read at all.
 */
export function readPatch(text: string): PatchReading {
  const lines = text.replace(/\n$/, '').split('\n');
  if (lines[0] !== BEGIN || lines.at(-1) !== END)
    return fail(`it does not start with "${BEGIN}" and end with "${END}"`);
  const odd = lines.find((line) => INDENTED_HEADER.test(line) || line.includes('\r') || line.includes('\0'));
  if (odd !== undefined) return fail(`a line is ambiguous: ${JSON.stringify(odd.slice(0, 80))}`);
  const body = lines.slice(1, -1);
  const files: PatchedFile[] = [];
  let at = 0;
  while (at < body.length) {
    const header = HEADER.exec(body[at] ?? '');
    const path = header?.[2] ?? '';
    if (!header || path !== path.trim()) return unexpected(body[at]);
    at += 1;
    if (header[1] === 'Delete') files.push({ type: 'delete', path });
    else if (header[1] === 'Add') {
      const added: string[] = [];
      for (; body[at]?.startsWith('+'); at += 1) added.push((body[at] ?? '').slice(1));
      files.push({ type: 'add', path, content: added.map((line) => `${line}\n`).join('') });
    } else {
      const move = MOVE.exec(body[at] ?? '');
      if (move && move[1] !== move[1]?.trim()) return unexpected(body[at]);
      if (move) at += 1;
      const from = at;
      while (at < body.length && !isHeader(body[at] ?? '')) at += 1;
      const chunks = readChunks(body.slice(from, at));
      if (chunks === undefined) return fail(`the changes to ${path} have a line without a marker`);
      if (chunks.length === 0 && !move) return fail(`it has no changes to ${path}`);
      files.push({ type: 'update', path, movedTo: move?.[1], chunks });
    }
  }
  return files.length === 0 ? fail('it names no file') : { ok: true, files };
}

function fail(why: string): PatchReading {
  return { ok: false, why };
}

function unexpected(line = ''): PatchReading {
  return fail(`a line is not expected: ${JSON.stringify(line.slice(0, 80))}`);
}

function isHeader(line: string): boolean {
  return line.startsWith('*** ') && line !== END_OF_FILE;
}

/** Undefined if a line has no marker. */
function readChunks(lines: readonly string[]): PatchChunk[] | undefined {
  const chunks: { old: string[]; new: string[] }[] = [];
  for (const line of lines) {
    if (line === '@@' || line.startsWith('@@ ')) {
      chunks.push({ old: [], new: [] });
      continue;
    }
    if (line === END_OF_FILE) continue;
    if (chunks.length === 0) chunks.push({ old: [], new: [] });
    const chunk = chunks.at(-1);
    const [marker, rest] = [line.charAt(0), line.slice(1)];
    if (!chunk || !['', ' ', '+', '-'].includes(marker)) return undefined;
    if (marker !== '+') chunk.old.push(rest);
    if (marker !== '-') chunk.new.push(rest);
  }
  return chunks.filter((chunk) => chunk.old.length + chunk.new.length > 0);
}

/** The paths in the header lines of a text, also of one that is not a valid patch. */
export function pathsInPatch(text: string): { path: string; deleted: boolean }[] {
  return text.split('\n').flatMap((line) => {
    const found = /^\s*\*\*\* (Add File|Update File|Delete File|Move to): (.{1,4096})$/.exec(line);
    return found ? [{ path: (found[2] ?? '').trim(), deleted: found[1] === 'Delete File' }] : [];
  });
}

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
