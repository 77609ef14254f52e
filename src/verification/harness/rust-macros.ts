import { lexBraces } from '../test-files/lex-braces.ts';
import { isMark, isName } from '../test-files/token.ts';
import type { FilePart } from './build-files.ts';

const JUDGING = new Set(
  'assert assert_eq assert_ne debug_assert debug_assert_eq debug_assert_ne panic unreachable todo unimplemented'.split(
    ' ',
  ),
);
const MAY_REPLACE =
  /\b(?:macro_rules\s{0,9}!\s{0,9}|as\s{1,9})(?:(?:debug_)?assert|panic|unreachable|todo|unimplemented)/;

/** Macros of a Rust file that take the place of the standard assertions: tests with them may no longer fail. */
export function replacedMacros(text: string): FilePart[] {
  if (!MAY_REPLACE.test(text)) return [];
  const { tokens, partner } = lexBraces(text, 'rust');
  const found: FilePart[] = [];
  for (const [at, { text: name, type }] of tokens.entries()) {
    if (type !== 'name' || !JUDGING.has(name)) continue;
    const isDeclared = isMark(tokens[at - 1], '!') && isName(tokens[at - 2], 'macro_rules');
    const isAlias = isName(tokens[at - 1], 'as');
    if (!isDeclared && !isAlias) continue;
    const start = isDeclared ? at - 2 : Math.max(0, at - 8);
    const end = isDeclared ? Math.max(partner[at + 1] ?? at, at) : at;
    const words = tokens.slice(start, end + 1).map((token) => token.text);
    found.push({ part: `macro ${name}`, text: words.join(' ') });
  }
  return found;
}
