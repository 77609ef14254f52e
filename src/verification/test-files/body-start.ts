import { isMark, type TokenList } from './token.ts';

/** Farther than any list of parameters, return type and bounds reaches. */
const FARTHEST = 200;

/** Where the braces open that follow what is declared; -1 where it has no body. */
export function bodyStart({ tokens, partner }: TokenList, from: number): number {
  for (let at = from; at < Math.min(from + FARTHEST, tokens.length); at += 1) {
    if (isMark(tokens[at], '{')) return at;
    if (isMark(tokens[at], ';') || isMark(tokens[at], '}')) return -1;
    if ((partner[at] ?? -1) > at) at = partner[at] ?? at;
  }
  return -1;
}
