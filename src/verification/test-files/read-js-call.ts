import { rowCount, tableRows } from './js-table-rows.ts';
import { isMark, type Token, type TokenList } from './token.ts';

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
  /** The first token inside the brackets of `skipIf(…)` and its kind, with their name. */
  conditions: { name: string; value: string }[];
}

/** The call of a test or a suite at a token, with all that stands before its brackets; undefined where there is none. */
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
