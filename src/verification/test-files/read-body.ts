import { sha256 } from '../../domain/json/json.ts';
import { statementEnd } from './call-tokens.ts';
import { isMark, isName, type Token, type TokenList } from './token.ts';

export interface BodyFacts {
  assertions: number;
  empty: boolean;
  /** Ends before its first statement that could fail, although there is one. */
  returnsEarly: boolean;
  digest: string;
  sketch: number[];
}

const ALWAYS = new Set(['true', '1']);
const NEVER = new Set(['false', '0', 'null', 'undefined']);

/** Reads the body of a test between two tokens: its reachable statements that can fail. */
export function readBody(list: TokenList, marks: Uint8Array, start: number, end: number): BodyFacts {
  const { tokens } = list;
  const texts = normalTexts(tokens, start, end);
  const reached = countReached(list, marks, start, end);
  let all = 0;
  for (let at = start; at < end; at += 1) all += marks[at] ?? 0;
  const words = texts.filter((text) => text !== 'undefined' && text !== 'null');
  return {
    assertions: reached,
    empty: words.length === 0 || (words.length === 1 && words[0] === 'return'),
    returnsEarly: reached === 0 && all > 0,
    digest: bodyDigest(texts),
    sketch: sketchBody(texts),
  };
}

/** Without formatting. */
function normalTexts(tokens: Token[], start: number, end: number): string[] {
  const texts: string[] = [];
  for (let at = start; at < end; at += 1) {
    const token = tokens[at] as Token;
    if (isMark(token, ';')) continue;
    const next = tokens[at + 1];
    if (isMark(token, ',') && (isMark(next, ')') || isMark(next, ']') || isMark(next, '}'))) continue;
    texts.push(token.type === 'string' ? `"${token.text}` : token.text);
  }
  return texts;
}

function countReached(list: TokenList, marks: Uint8Array, start: number, end: number): number {
  const { tokens, partner } = list;
  let count = 0;
  let depth = 0;
  for (let at = start; at < end; at += 1) {
    const token = tokens[at];
    if (isMark(token, '{')) depth += 1;
    else if (isMark(token, '}')) depth -= 1;
    count += marks[at] ?? 0;
    if (token?.type !== 'name' || isMark(tokens[at - 1], '.')) continue;
    if (token.text === 'if') {
      const skipped = neverBlock(list, at);
      if (skipped !== undefined) at = skipped;
      else if (depth === 0 && alwaysReturns(tokens, at)) return count;
    } else if (token.text === 'try') {
      const swallowed = swallowedBlock(list, at);
      if (swallowed !== undefined) at = swallowed;
    } else if (token.text === 'return' && depth === 0 && isUnconditional(list, at, start)) {
      const last = Math.min(statementEnd(tokens, partner, at + 1), end);
      const next = tokens[at + 1];
      if (next !== undefined && next.line === token.line)
        for (let rest = at + 1; rest < last; rest += 1) count += marks[rest] ?? 0;
      return count;
    }
  }
  return count;
}

/** The end of the block of an `if` that is never true. */
function neverBlock({ tokens, partner }: TokenList, at: number): number | undefined {
  const open = isMark(tokens[at + 1], '(') ? at + 1 : undefined;
  const condition = open === undefined ? tokens[at + 1] : tokens[at + 2];
  const close = open === undefined ? at + 1 : (partner[open] ?? -1);
  const single = open === undefined ? isMark(tokens[at + 2], '{') : close === at + 3;
  const shortCut = isMark(tokens[at + 3], '&') && open !== undefined;
  if (condition === undefined || !(single || shortCut) || !NEVER.has(condition.text)) return undefined;
  const block = close + 1;
  return isMark(tokens[block], '{') && (partner[block] ?? -1) > block ? partner[block] : undefined;
}

/** `if (true) { return` and, without brackets, `if true { return`. */
function alwaysReturns(tokens: Token[], at: number): boolean {
  const open = isMark(tokens[at + 1], '(') ? 1 : 0;
  const block = at + 2 + 2 * open;
  return (
    ALWAYS.has(tokens[at + 1 + open]?.text ?? '') &&
    isMark(tokens[block], '{') &&
    isName(tokens[block + 1], 'return')
  );
}

/** The end of the block of a `try` whose failures are swallowed. */
function swallowedBlock({ tokens, partner }: TokenList, at: number): number | undefined {
  if (!isMark(tokens[at + 1], '{')) return undefined;
  const end = partner[at + 1] ?? -1;
  if (end === -1 || !isName(tokens[end + 1], 'catch')) return undefined;
  const open = isMark(tokens[end + 2], '(') ? (partner[end + 2] ?? -2) + 1 : end + 2;
  if (!isMark(tokens[open], '{')) return undefined;
  return partner[open] === open + 1 ||
    (isName(tokens[open + 1], 'return') && (partner[open] ?? 0) <= open + 3)
    ? end
    : undefined;
}

/** It is a separate statement, or in an `if` that is always true. */
function isUnconditional({ tokens, partner }: TokenList, at: number, start: number): boolean {
  const previous = tokens[at - 1];
  if (at === start || previous === undefined) return true;
  if (isName(previous, 'else')) return false;
  if (!isMark(previous, ')')) return true;
  const open = partner[at - 1] ?? -1;
  const keyword = tokens[open - 1];
  if (!(isName(keyword, 'if') || isName(keyword, 'while') || isName(keyword, 'for'))) return true;
  return isName(keyword, 'if') && open === at - 3 && ALWAYS.has(tokens[open + 1]?.text ?? '');
}

const SKETCH_SIZE = 48;

/** Identifies a body by its tokens. */
export function bodyDigest(texts: readonly string[]): string {
  return sha256(texts.join('\u0001'));
}

/** The smallest hashes of all neighbouring triples: the share of common ones estimates the similarity of two bodies. */
export function sketchBody(texts: readonly string[]): number[] {
  const hashes = new Set<number>();
  let first = 0;
  let second = 0;
  for (const text of texts) {
    const third = hashText(text);
    hashes.add((Math.imul(first, 31) + Math.imul(second, 17) + third) >>> 0);
    first = second;
    second = third;
  }
  return [...hashes].sort((a, b) => a - b).slice(0, SKETCH_SIZE);
}

/** The similarity, from 0 to 1. */
export function sketchLikeness(a: readonly number[], b: readonly number[]): number {
  if (a.length === 0 || b.length === 0) return 0;
  const all = [...new Set([...a, ...b])].sort((x, y) => x - y).slice(0, SKETCH_SIZE);
  const inA = new Set(a);
  const inB = new Set(b);
  return all.filter((one) => inA.has(one) && inB.has(one)).length / all.length;
}

const FEWEST_COMPARED = 6;

/** The share of the first body that the second contains, from 0 to 1. */
export function sketchShare(part: readonly number[], whole: readonly number[]): number {
  // A full sketch lacks the larger hashes of its body.
  const limits = [part, whole].map((one) => (one.length < SKETCH_SIZE ? Infinity : (one.at(-1) ?? 0)));
  const known = part.filter((one) => one <= Math.min(...limits));
  const inWhole = new Set(whole);
  if (known.length < FEWEST_COMPARED) return 0;
  return known.filter((one) => inWhole.has(one)).length / known.length;
}

function hashText(text: string): number {
  let hash = 0x811c9dc5;
  const end = Math.min(text.length, 200);
  for (let at = 0; at < end; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** Longer than any list of parameters, return type and bounds. */
const FARTHEST = 200;

/** The opening brace of a declaration's body; -1 without a body. */
export function bodyStart({ tokens, partner }: TokenList, from: number): number {
  for (let at = from; at < Math.min(from + FARTHEST, tokens.length); at += 1) {
    if (isMark(tokens[at], '{')) return at;
    if (isMark(tokens[at], ';') || isMark(tokens[at], '}')) return -1;
    if ((partner[at] ?? -1) > at) at = partner[at] ?? at;
  }
  return -1;
}
