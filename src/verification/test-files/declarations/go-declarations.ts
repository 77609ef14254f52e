import { lexBraces } from '../lex-braces.ts';
import { bodyStart } from '../read-body.ts';
import { isMark, isName, type Token, type TokenList } from '../token.ts';
import type { Declaration } from './declaration.ts';

const WORDS = new Set(['func', 'var', 'const', 'type', 'import']);
/** A test of a suite is a method. */
const TEST = /^(?:Test|Fuzz|Example|Benchmark)(?![a-z])/;
const ACTS_BY_ITSELF = new Set(['init', 'TestMain', '_']);

/** The declarations of a Go file; undefined if it cannot be parsed. */
export function goDeclarations(text: string): Declaration[] | undefined {
  const list = lexBraces(text, 'go');
  if (list.uncertain) return undefined;
  const { tokens, partner } = list;
  const rows = text.split('\n');
  const starts: number[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    if (startsDeclaration(tokens, at)) starts.push(at);
    else if ((partner[at] ?? -1) > at) at = partner[at] ?? at;
  }
  return starts.map((at, index): Declaration => {
    const next = starts[index + 1];
    const first = tokens[at]?.line ?? 1;
    const limit = next === undefined ? rows.length : (tokens[next]?.line ?? rows.length) - 1;
    return { ...describe(list, at), lines: [first, lastLine(list, at, rows, limit)] };
  });
}

function startsDeclaration(tokens: readonly Token[], at: number): boolean {
  const [token, last] = [tokens[at], tokens[at - 1]];
  if (token?.type !== 'name' || !WORDS.has(token.text)) return false;
  if (last === undefined) return true;
  // After an operator, a function is a value.
  return last.line < token.line && (last.type !== 'mark' || /^[)\]}]$/.test(last.text));
}

function lastLine(list: TokenList, at: number, rows: readonly string[], limit: number): number {
  const { tokens, partner } = list;
  const group = isMark(tokens[at + 1], '(') ? (partner[at + 1] ?? -1) : -1;
  if (!isName(tokens[at], 'func') && group !== -1) return tokens[group]?.line ?? limit;
  const open = isName(tokens[at], 'func') ? bodyStart(list, at) : -1;
  if (open !== -1) return tokens[partner[open] ?? -1]?.line ?? limit;
  // Comments belong to the next declaration, which they may change: `//go:embed`.
  let last = limit;
  while (last > (tokens[at]?.line ?? 1) && /^(?:\/\/|\s*$)/.test(rows[last - 1] ?? '')) last -= 1;
  return last;
}

function describe(list: TokenList, at: number): Omit<Declaration, 'lines'> {
  const { tokens, partner } = list;
  const word = tokens[at]?.text ?? '';
  if (word === 'import') return { names: [], kind: 'import' };
  if (word !== 'func') {
    const names = isMark(tokens[at + 1], '(') ? namesInGroup(list, at + 1) : namesFrom(tokens, at + 1);
    return { names, kind: names.some((name) => ACTS_BY_ITSELF.has(name)) ? 'fixed' : 'other' };
  }
  const receiver = isMark(tokens[at + 1], '(') ? (partner[at + 1] ?? -1) : -1;
  const name = tokens[receiver === -1 ? at + 1 : receiver + 1]?.text ?? '';
  if (receiver === -1) return { names: [name], kind: ACTS_BY_ITSELF.has(name) ? 'fixed' : 'other' };
  if (TEST.test(name)) return { names: [name], kind: 'other' };
  // `(s *Suite[T])`: the type follows the star, or the name of the receiver.
  const parts = tokens.slice(at + 2, receiver).filter(({ text }) => text !== '*');
  const bracket = parts.findIndex((token) => isMark(token, '['));
  const of = parts.slice(0, bracket === -1 ? parts.length : bracket).at(-1)?.text ?? '';
  return { names: [name], kind: 'other', of };
}

/** `var a, b = …` */
function namesFrom(tokens: readonly Token[], at: number): string[] {
  const names = [tokens[at]?.text ?? ''];
  for (let next = at + 1; isMark(tokens[next], ','); next += 2) names.push(tokens[next + 1]?.text ?? '');
  return names;
}

/** The names at the start of the lines of `var (…)`. */
function namesInGroup({ tokens, partner }: TokenList, open: number): string[] {
  const names: string[] = [];
  const close = partner[open] ?? open;
  for (let at = open + 1; at < close; at += 1) {
    const isFirst = (tokens[at - 1]?.line ?? 0) < (tokens[at]?.line ?? 0) || at === open + 1;
    if (isFirst && tokens[at]?.type === 'name') names.push(...namesFrom(tokens, at));
    if ((partner[at] ?? -1) > at) at = partner[at] ?? at;
  }
  return names;
}
