import { isMark, isName, type Token, type TokenList } from './token.ts';

/** A name for functions that only look like assertions; no reader takes it for one. */
export const HOLLOW = '_hollow';

const LITERAL_NAMES = new Set(['true', 'false', 'null', 'undefined', 'NaN']);
const MAX_STEPS = 1000;
const MAX_STATEMENT = 200;
export function markHelpers(list: TokenList, marks: Uint8Array, keyword: string): void {
  for (let round = 0; round < 2; round += 1) {
    const helpers = assertingFunctions(list, marks, keyword);
    if (helpers.size === 0) return;
    for (const [at, token] of list.tokens.entries()) {
      if (token.type !== 'name' || !helpers.has(token.text) || !isMark(list.tokens[at + 1], '(')) continue;
      if (!isName(list.tokens[at - 1], keyword)) marks[at] = 1;
    }
  }
}

export function callBites(tokens: Token[], partner: Int32Array, open: number): boolean {
  const close = partner[open] ?? -1;
  if (close === -1 || isName(tokens[open - 1], 'fail')) return true;
  if (isConstant(tokens, open + 1, close)) return false;
  const first = argumentEnd(tokens, partner, open + 1);
  return !sameNames(tokens, open + 1, first, first + 1, argumentEnd(tokens, partner, first + 1));
}

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
    // A template may contain more than a constant.
    if (token?.type === 'string' && (token.text.includes('${') || token.text.startsWith('<'))) return false;
  }
  return true;
}

export function sameNames(
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

function assertingFunctions({ tokens, partner }: TokenList, marks: Uint8Array, keyword: string): Set<string> {
  const before = new Int32Array(tokens.length + 1);
  for (let at = 0; at < tokens.length; at += 1) before[at + 1] = (before[at] ?? 0) + (marks[at] ?? 0);
  const found = new Set<string>();
  for (const [at, token] of tokens.entries()) {
    if (token.type !== 'name') continue;
    const isFunction = token.text === keyword && tokens[at + 1]?.type === 'name';
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
  for (let at = from; at < Math.min(from + 100, tokens.length); at += 1) {
    if (isMark(tokens[at], '=>') || isName(tokens[at], 'function')) arrow = true;
    else if (isMark(tokens[at], ';')) return undefined;
    else if (isMark(tokens[at], '{') && arrow) return { start: at, end: Math.max(partner[at] ?? at, at) };
    else if ((partner[at] ?? -1) > at) at = partner[at] ?? at;
    else if (arrow && isMark(tokens[at - 1], '=>'))
      return { start: at, end: statementEnd(tokens, partner, at) };
  }
  return undefined;
}

export function statementEnd(tokens: Token[], partner: Int32Array, start: number): number {
  let at = start;
  for (; at < Math.min(tokens.length, start + MAX_STATEMENT); at += 1) {
    const token = tokens[at];
    if (isMark(token, ';') || isMark(token, '}') || isMark(token, ')')) return at;
    const previous = tokens[at - 1];
    const continues = token?.type === 'mark' || (previous?.type === 'mark' && !isClosing(previous));
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

function isClosing(token: Token): boolean {
  return isMark(token, ')') || isMark(token, ']') || isMark(token, '}');
}
