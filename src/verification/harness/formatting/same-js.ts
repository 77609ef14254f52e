import { type JsToken, jsTokens } from './js-tokens.ts';

/** A line break after one of these words, or before one of the marks, can change the meaning. */
const LINE_WORDS = new Set(
  'return throw break continue yield async await get set static accessor type declare abstract namespace module interface using global asserts as satisfies is readonly public private protected override infer let of in out'.split(
    ' ',
  ),
);
const LINE_MARKS = new Set(['++', '--', '=>', '!']);
/** A statement does not end after these words. */
const OPEN_WORDS = new Set([
  ...LINE_WORDS,
  ...'else do typeof new delete void instanceof case default var const function class import export extends if try finally'.split(
    ' ',
  ),
]);
/** These words can continue a statement on the next line. */
const CONTINUES = new Set(
  'in instanceof of as satisfies else while catch finally from is extends implements'.split(' '),
);
const HEADERS = new Set(['if', 'while', 'for', 'with', 'switch', 'catch', 'await']);
const ENDS = /^[)\]}]$/;

/** Whether two texts are the same program but for spacing, quotes, optional semicolons and trailing commas. */
export function isSameJs(before: string, after: string): boolean {
  const [a, b] = [jsTokens(before), jsTokens(after)];
  if (a === undefined || b === undefined || hasElements(a) || hasElements(b)) return false;
  const brackets = { a: innermost(a), b: innermost(b) };
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [one, two] = [a[i], b[j]];
    if (one?.text === two?.text && one?.type === two?.type) {
      if (one?.comments !== two?.comments) return false;
      if (lineMatters(a[i - 1], one) && one?.newline !== two?.newline) return false;
      i += 1;
      j += 1;
    } else if (isOptional(a, i, brackets.a, two)) i += 1;
    else if (isOptional(b, j, brackets.b, one)) j += 1;
    else return false;
  }
  return true;
}

/** Text between the tags of JSX is not code. */
function hasElements(tokens: readonly JsToken[]): boolean {
  return tokens.some(({ text }, at) => {
    const next = tokens[at + 1]?.text;
    return (text === '<' && (next === '/' || next === '>')) || (text === '/' && next === '>');
  });
}

function lineMatters(previous: JsToken | undefined, token: JsToken | undefined): boolean {
  return (
    (previous?.type === 'word' && LINE_WORDS.has(previous.text)) ||
    (token?.type === 'mark' && LINE_MARKS.has(token.text))
  );
}

/** Whether the other text, which has `instead` here, means the same without this token. */
function isOptional(
  tokens: readonly JsToken[],
  at: number,
  brackets: readonly number[],
  instead: JsToken | undefined,
): boolean {
  const [previous, token, next] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (token?.type !== 'mark' || token.comments !== '' || previous === undefined) return false;
  if (token.text === ',')
    return (
      next?.type === 'mark' &&
      ENDS.test(next.text) &&
      instead?.type === 'mark' &&
      instead.text === next.text &&
      !(previous.type === 'mark' && /^[([{,]$/.test(previous.text))
    );
  if (token.text !== ';' || tokens[brackets[at] ?? -1]?.text === '(') return false;
  if (!endsStatement(tokens, at - 1, brackets)) return false;
  if (next === undefined) return instead === undefined;
  if (instead === undefined || instead.text !== next.text) return false;
  if (next.type === 'mark') return next.text === '}' || next.text === '';
  return instead.newline && next.type !== 'value' && !CONTINUES.has(next.text);
}

/** Whether a statement can end with this token. */
function endsStatement(tokens: readonly JsToken[], at: number, brackets: readonly number[]): boolean {
  const token = tokens[at];
  if (token === undefined) return false;
  if (token.type === 'word') return !OPEN_WORDS.has(token.text);
  if (token.type !== 'mark') return true;
  if (token.text === ']' || token.text === '}') return true;
  const beforeHeader = tokens[(brackets[at] ?? 0) - 1];
  return token.text === ')' && !(beforeHeader?.type === 'word' && HEADERS.has(beforeHeader.text));
}

/** For each token the index of the innermost bracket around it, for a closing one that of its partner; -1 for none. */
function innermost(tokens: readonly JsToken[]): number[] {
  const open: number[] = [];
  return tokens.map(({ type, text }, at) => {
    const around = open.at(-1) ?? -1;
    if (type !== 'mark') return around;
    if (/^[([{]$/.test(text)) open.push(at);
    else if (ENDS.test(text)) open.pop();
    return around;
  });
}
