import { argumentEnd } from './call-tokens.ts';
import { isMark, isName, type TokenList } from './token.ts';

export function rowCount(list: TokenList, open: number, arrays: ReadonlyMap<string, number>): number | null {
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

/** Of a table in a template: every line but the first that has something in it. */
export function tableRows(text: string): number {
  return Math.max(0, text.split('\n').filter((line) => line.trim() !== '').length - 1);
}
