import { isMark, isName, type Token, type TokenList } from './token.ts';

const TAP_METHODS = new Set(
  'is not deepEqual notDeepEqual true false truthy falsy throws throwsAsync notThrows notThrowsAsync equal notEqual equals same notSame strictSame ok notOk match matches notMatch rejects resolves snapshot like regex strictEqual doesNotThrow deepStrictEqual fail'.split(
    ' ',
  ),
);
const HELPER = /^(?:expect|assert|check|verify|ensure|validate)(?:[A-Z_]|$)/;
const LITERAL_NAMES = new Set(['true', 'false', 'null', 'undefined', 'NaN']);
/** Nothing that anyone wrote by hand is longer; without a limit, text made for it would take without end. */
const MAX_STEPS = 3000;
const EXPECT_CALLS = new Set(['soft', 'poll', 'fail', 'unreachable']);

/** For each token whether an assertion begins there that can fail. Helpers of the same file that assert count as assertions. */
export function markJsAssertions(list: TokenList): Uint8Array {
  const marks = new Uint8Array(list.tokens.length);
  for (let at = 0; at < list.tokens.length; at += 1) if (asserts(list, at)) marks[at] = 1;
  for (let round = 0; round < 2; round += 1) {
    const helpers = assertingFunctions(list, marks);
    if (helpers.size === 0) break;
    for (const [at, token] of list.tokens.entries()) {
      if (token.type !== 'name' || !helpers.has(token.text) || !isMark(list.tokens[at + 1], '(')) continue;
      if (!isName(list.tokens[at - 1], 'function')) marks[at] = 1;
    }
  }
  return marks;
}

function asserts({ tokens, partner }: TokenList, at: number): boolean {
  const token = tokens[at];
  if (token?.type !== 'name') return false;
  const next = tokens[at + 1];
  const called = isMark(next, '(');
  if (isName(tokens[at - 1], 'function')) return false;
  if (token.text === 'should') return isMark(tokens[at - 1], '.');
  if (token.text === 'expect') {
    if (isMark(next, '.')) return EXPECT_CALLS.has(tokens[at + 2]?.text ?? '');
    return called && expectBites(tokens, partner, at + 1);
  }
  if (token.text === 'assert') {
    if (called) return !isConstant(tokens, at + 2, argumentEnd(tokens, partner, at + 2));
    return isMark(next, '.') && isMark(tokens[at + 3], '(') && callBites(tokens, partner, at + 3);
  }
  if (isMark(tokens[at - 1], '.') && TAP_METHODS.has(token.text) && called) {
    const receiver = tokens[at - 2]?.text;
    return (receiver === 't' || receiver === 'tt') && callBites(tokens, partner, at + 1);
  }
  return called && HELPER.test(token.text) && !isMark(tokens[at - 1], '.');
}

/** `expect(x)` alone says nothing; nor does comparing a constant with a constant or a name with itself. */
function expectBites(tokens: Token[], partner: Int32Array, open: number): boolean {
  const close = partner[open] ?? -1;
  if (close === -1) return true;
  if (!isMark(tokens[close + 1], '.')) return false;
  let at = close + 1;
  while (isMark(tokens[at], '.') && tokens[at + 1]?.type === 'name') at += 2;
  const constant = isConstant(tokens, open + 1, close);
  if (!isMark(tokens[at], '(')) return !constant;
  const end = partner[at] ?? -1;
  if (end === -1) return true;
  if (constant && isConstant(tokens, at + 1, end)) return false;
  return !sameNames(tokens, open + 1, close, at + 1, end);
}

function callBites(tokens: Token[], partner: Int32Array, open: number): boolean {
  const close = partner[open] ?? -1;
  if (close === -1) return true;
  if (isConstant(tokens, open + 1, close)) return false;
  const first = argumentEnd(tokens, partner, open + 1);
  return !sameNames(tokens, open + 1, first, first + 1, argumentEnd(tokens, partner, first + 1));
}

/** The comma or bracket that ends the argument which begins here. */
export function argumentEnd(tokens: Token[], partner: Int32Array, start: number): number {
  let at = start;
  for (; at < Math.min(tokens.length, start + MAX_STEPS); at += 1) {
    const token = tokens[at];
    if (token?.type !== 'mark') continue;
    if (token.text === ',' || token.text === ')' || token.text === ']' || token.text === '}') return at;
    const close = partner[at] ?? -1;
    if (close > at) at = close;
    else if (isOpening(token)) return at;
  }
  return at;
}

export function isConstant(tokens: Token[], start: number, end: number): boolean {
  if (end - start > 40) return false;
  for (let at = start; at < end; at += 1) {
    const token = tokens[at];
    if (token?.type === 'name' && !LITERAL_NAMES.has(token.text)) return false;
    // The text of a template may hold more than a constant.
    if (token?.type === 'string' && (token.text.includes('${') || token.text.startsWith('<'))) return false;
  }
  return true;
}

function sameNames(
  tokens: Token[],
  start: number,
  end: number,
  otherStart: number,
  otherEnd: number,
): boolean {
  const length = end - start;
  if (length === 0 || length > 20 || length !== otherEnd - otherStart) return false;
  for (let at = 0; at < length; at += 1) {
    const token = tokens[start + at];
    if (token?.text !== tokens[otherStart + at]?.text || isMark(token, '(')) return false;
  }
  return true;
}

/** Names of functions of this file with an assertion in their body. */
function assertingFunctions({ tokens, partner }: TokenList, marks: Uint8Array): Set<string> {
  const before = new Int32Array(tokens.length + 1);
  for (let at = 0; at < tokens.length; at += 1) before[at + 1] = (before[at] ?? 0) + (marks[at] ?? 0);
  const found = new Set<string>();
  for (const [at, token] of tokens.entries()) {
    if (token.type !== 'name') continue;
    const isFunction = token.text === 'function' && tokens[at + 1]?.type === 'name';
    const isValue = (token.text === 'const' || token.text === 'let') && tokens[at + 1]?.type === 'name';
    if (!isFunction && !isValue) continue;
    const body = functionBody(tokens, partner, at + 2, isFunction);
    if (body !== undefined && (before[body.end] ?? 0) > (before[body.start] ?? 0))
      found.add(tokens[at + 1]?.text ?? '');
  }
  return found;
}

function functionBody(
  tokens: Token[],
  partner: Int32Array,
  from: number,
  declared: boolean,
): { start: number; end: number } | undefined {
  let arrow = declared;
  for (let at = from; at < Math.min(from + 200, tokens.length); at += 1) {
    if (isMark(tokens[at], '=>') || isName(tokens[at], 'function')) arrow = true;
    else if (isMark(tokens[at], ';')) return undefined;
    else if (isMark(tokens[at], '{') && arrow) return { start: at, end: Math.max(partner[at] ?? at, at) };
    else if ((partner[at] ?? -1) > at) at = partner[at] ?? at;
    else if (arrow && isMark(tokens[at - 1], '=>'))
      return { start: at, end: statementEnd(tokens, partner, at) };
  }
  return undefined;
}

/** Where a statement that begins here ends: at its semicolon, its block's end, or a new line that does not go on with it. */
export function statementEnd(tokens: Token[], partner: Int32Array, start: number): number {
  let at = start;
  for (; at < Math.min(tokens.length, start + MAX_STEPS); at += 1) {
    const token = tokens[at];
    if (isMark(token, ';') || isMark(token, '}') || isMark(token, ')')) return at;
    const previous = tokens[at - 1];
    const continues =
      token?.type === 'mark' || (previous?.type === 'mark' && !/^[)\]}]$/.test(previous.text));
    if (
      at > start &&
      token !== undefined &&
      previous !== undefined &&
      token.line > previous.line &&
      !continues
    )
      return at;
    const close = partner[at] ?? -1;
    if (close > at) at = close;
    else if (isOpening(token)) return at;
  }
  return at;
}

function isOpening(token: Token | undefined): boolean {
  return isMark(token, '(') || isMark(token, '[') || isMark(token, '{');
}
