import { argumentEnd } from './call-tokens.ts';
import { isMark, isName, type Token, type TokenList } from './token.ts';

const TESTS = new Set(['it', 'test', 'specify', 'fit', 'xit', 'xtest', 'xspecify', 'ftest']);
const SUITES = new Set(['describe', 'context', 'suite', 'fdescribe', 'xdescribe', 'xcontext', 'xsuite']);
const RECEIVERS = new Set(['t', 'Deno', 'QUnit', 'tap', 'nodeTest', 'globalThis', 'mocha']);

const MODIFIERS = new Set(
  'skip only todo each concurrent sequential serial parallel failing fails skipIf runIf for shuffle describe fixme ignore slow'.split(
    ' ',
  ),
);

const CALLED = new Set(['each', 'skipIf', 'runIf', 'for']);

export interface JsCall {
  isSuite: boolean;
  modifiers: string[];
  open: number;
  close: number;
  rows: number | null;
  /** The first token inside the brackets of `skipIf(…)` and similar modifiers, with their name. */
  conditions: { name: string; value: string }[];
}

/** The call of a test or a suite at a token, with its modifiers; undefined if there is none. */
export function readJsCall(
  list: TokenList,
  at: number,
  arrays: ReadonlyMap<string, number>,
): JsCall | undefined {
  const { tokens, partner } = list;
  const token = tokens[at];
  if (token?.type !== 'name') return undefined;
  let isSuite = SUITES.has(token.text);
  if (!isSuite && !TESTS.has(token.text)) return undefined;
  const previous = tokens[at - 1];
  if (isMark(previous, '.') && !RECEIVERS.has(tokens[at - 2]?.text ?? '')) return undefined;
  if (
    previous?.type === 'name' &&
    /^(?:function|class|const|let|var|import|new|get|set)$/.test(previous.text)
  )
    return undefined;
  const call: JsCall = { isSuite, modifiers: [], open: -1, close: -1, rows: 1, conditions: [] };
  let next = at + 1;
  while (isMark(tokens[next], '.') && tokens[next + 1]?.type === 'name') {
    const modifier = tokens[next + 1]?.text ?? '';
    if (!MODIFIERS.has(modifier)) return undefined;
    call.modifiers.push(modifier);
    isSuite ||= modifier === 'describe';
    next += 2;
    if (!CALLED.has(modifier)) continue;
    next = skipTypeArguments(tokens, next);
    if (tokens[next]?.type === 'string') {
      call.rows = tableRows(tokens[next]?.text ?? '');
      next += 1;
    } else if (isMark(tokens[next], '(') && (partner[next] ?? -1) > next) {
      if (modifier === 'each' || modifier === 'for') call.rows = rowCount(list, next, arrays);
      else call.conditions.push(readCondition(list, modifier, next));
      next = (partner[next] ?? next) + 1;
    }
  }
  next = skipTypeArguments(tokens, next);
  if (!isMark(tokens[next], '(')) return undefined;
  const close = partner[next] ?? -1;
  return { ...call, isSuite, open: next, close: close === -1 ? tokens.length - 1 : close };
}

function readCondition(
  { tokens, partner }: TokenList,
  name: string,
  open: number,
): JsCall['conditions'][number] {
  const single = (partner[open] ?? -1) === open + 2;
  return { name, value: single ? (tokens[open + 1]?.text ?? '') : 'unknown' };
}

function skipTypeArguments(tokens: Token[], start: number): number {
  if (!isMark(tokens[start], '<')) return start;
  let depth = 0;
  for (let at = start; at < Math.min(start + 100, tokens.length); at += 1) {
    if (isMark(tokens[at], '<')) depth += 1;
    else if (isMark(tokens[at], '>')) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return start;
}

function rowCount(list: TokenList, open: number, arrays: ReadonlyMap<string, number>): number | null {
  const first = list.tokens[open + 1];
  if (isMark(first, '[')) return elementCount(list, open + 1);
  if (first?.type === 'name') return arrays.get(first.text) ?? null;
  return null;
}

function elementCount({ tokens, partner }: TokenList, open: number): number | null {
  const close = partner[open] ?? -1;
  if (close === -1) return null;
  let count = 0;
  for (let at = open + 1; at < close; at += 1) {
    if (isMark(tokens[at], '.') && isMark(tokens[at + 1], '.')) return null;
    const end = argumentEnd(tokens, partner, at);
    count += 1;
    at = end;
  }
  return count;
}

export function arrayLengths(list: TokenList): Map<string, number> {
  const found = new Map<string, number>();
  for (const [at, token] of list.tokens.entries()) {
    if (!isName(token, 'const') || list.tokens[at + 1]?.type !== 'name') continue;
    for (let next = at + 2; next < Math.min(at + 40, list.tokens.length); next += 1) {
      if (isMark(list.tokens[next], ';')) break;
      if (!isMark(list.tokens[next], '=')) continue;
      const count = isMark(list.tokens[next + 1], '[') ? elementCount(list, next + 1) : null;
      if (count !== null) found.set(list.tokens[at + 1]?.text ?? '', count);
      break;
    }
  }
  return found;
}

/** The rows of a table in a template: every non-empty line but the first. */
function tableRows(text: string): number {
  return Math.max(0, text.split('\n').filter((line) => line.trim() !== '').length - 1);
}
