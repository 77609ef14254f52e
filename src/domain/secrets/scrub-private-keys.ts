import { secretMarker } from './secret-marker.ts';

/** PEM and PGP use five dashes, SSH2 four and a blank. */
const ARMOUR = /-{4,5} ?(BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}/g;
/** No key is longer; header and footer further apart do not belong together. */
const MAX_BODY = 32 * 1024;

/** Line breaks, also escaped, and the prefixes of lines in diffs, quotes and listings. */
const GAP = String.raw`(?:\s|\\{1,8}[nrt]|[>|+-]|\d+(?=[\t:|])){0,16}`;
const HEADER = new RegExp(
  `${GAP}(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|Subject):[^\\n\\\\]{0,200}`,
  'y',
);
const CHUNK = new RegExp(`${GAP}[A-Za-z0-9+/=]{24,}`, 'y');
/** The last line of a body is shorter than the others. */
const LAST_CHUNK = /(?:\r?\n|\\{1,8}n)[ \t]{0,8}[>|+-]?[A-Za-z0-9+/=]{1,75}(?=\s*(?:$|\n|["'\\]))/y;

/**
 * Scrubs private keys in text form, whole or cut off at either end. The mere mention of a header stays, since code
 * and reviews are full of them.
 */
export function scrubPrivateKeys(text: string): string {
  if (!text.includes('PRIVATE KEY')) return text;
  let result = '';
  let done = 0;
  const scrub = (from: number, to: number) => {
    result += text.slice(done, from) + secretMarker('private-key');
    done = to;
  };
  let begin: { from: number; to: number } | undefined;
  for (const armour of text.matchAll(ARMOUR)) {
    const from = armour.index;
    const to = from + armour[0].length;
    if (from < done) continue;
    if (begin && armour[1] === 'END' && isBody(text, begin.to, from)) {
      scrub(begin.from, to);
      begin = undefined;
      continue;
    }
    if (begin) {
      const end = endOfCutOff(text, begin.to);
      if (end !== undefined) scrub(begin.from, end);
    }
    begin = armour[1] === 'BEGIN' ? { from, to } : undefined;
    if (begin) continue;
    const start = startOfCutOff(text, from, done);
    if (start !== undefined) scrub(start, to);
  }
  if (begin) {
    const end = endOfCutOff(text, begin.to);
    if (end !== undefined) scrub(begin.from, end);
  }
  return done === 0 ? text : result + text.slice(done);
}

/** Whether the text between header and footer is a key, not an ellipsis or a sentence. */
function isBody(text: string, from: number, to: number): boolean {
  if (to - from > MAX_BODY) return false;
  const body = text.slice(from, to);
  const chunks = body.match(/[A-Za-z0-9+/=]{24,}/g) ?? [];
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  if (length * 3 >= body.length) return body.length > 0;
  return (
    body.length < 200 &&
    /^(?:(?:\r?\n|\\{1,8}[nr])[ \t]{0,8}[A-Za-z0-9+/=]*)+$/.test(body) &&
    /[A-Za-z0-9]{2}/.test(body)
  );
}

function endOfCutOff(text: string, from: number): number | undefined {
  let end = from;
  for (const pattern of [HEADER, CHUNK]) {
    pattern.lastIndex = end;
    while (pattern.test(text)) end = pattern.lastIndex;
  }
  LAST_CHUNK.lastIndex = end;
  if (LAST_CHUNK.test(text)) end = LAST_CHUNK.lastIndex;
  return end === from ? undefined : end;
}

/** Walks back over the lines of a key whose beginning is missing. */
function startOfCutOff(text: string, footer: number, limit: number): number | undefined {
  let start: number | undefined;
  let at = footer;
  for (let lines = 0; ; lines += 1) {
    const lineEnd = skipBack(text, at, Math.max(limit, at - 16), /[\s>|+]|\\|[nrt]/);
    const lineStart = skipBack(text, lineEnd, limit, /[A-Za-z0-9+/=]/);
    const from =
      text[lineStart - 1] === '\\' && /[nrt]/.test(text.charAt(lineStart)) ? lineStart + 1 : lineStart;
    if (lineEnd - from < (lines === 0 ? 1 : 24)) return start;
    if (lineEnd - from >= 24) start = from;
    at = from;
  }
}

function skipBack(text: string, from: number, limit: number, characters: RegExp): number {
  let at = from;
  while (at > limit && characters.test(text.charAt(at - 1))) at -= 1;
  return at;
}
