import { isMark, isName, type Token, type TokenList } from './token.ts';

const TEST_CALL = /^(?:test|it|serial|only|skip|todo|failing|specify)$/;
/** Parameters of callbacks that end a test. */
const ENDS = /^(?:done|cb|callback|next|end|_)$/;
const LONGEST_TITLE = 60;

/** The names of the first parameters of a file's tests: in ava, tap and tape they assert. */
export function testParameters({ tokens, partner }: TokenList): Set<string> {
  const found = new Set<string>();
  for (const [at, token] of tokens.entries()) {
    if (token.type !== 'name' || !TEST_CALL.test(token.text) || !isMark(tokens[at + 1], '(')) continue;
    const name = firstParameter(tokens, callbackStart(tokens, partner, at + 2));
    if (name !== undefined && !ENDS.test(name)) found.add(name);
  }
  return found;
}

/** After the title and, if there are any, the options. */
function callbackStart(tokens: Token[], partner: Int32Array, start: number): number {
  let at = start;
  while (at < Math.min(start + LONGEST_TITLE, tokens.length) && !isMark(tokens[at], ',')) {
    if (isMark(tokens[at], ')')) return -1;
    at = Math.max(at, partner[at] ?? -1) + 1;
  }
  if (!isMark(tokens[at], ',')) return -1;
  return isMark(tokens[at + 1], '{') ? (partner[at + 1] ?? -3) + 2 : at + 1;
}

/** Of `(t) =>`, `t =>` or `function (t) {`. */
function firstParameter(tokens: Token[], start: number): string | undefined {
  if (start < 0) return undefined;
  let at = isName(tokens[start], 'async') ? start + 1 : start;
  if (isName(tokens[at], 'function')) while (at < start + 5 && !isMark(tokens[at], '(')) at += 1;
  if (isMark(tokens[at], '(')) at += 1;
  else if (!isMark(tokens[at + 1], '=>')) return undefined;
  return tokens[at]?.type === 'name' ? tokens[at]?.text : undefined;
}
