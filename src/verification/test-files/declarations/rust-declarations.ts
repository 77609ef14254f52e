import { itemEnd, STATEMENTS } from '../in-source/test-blocks.ts';
import { lexBraces } from '../lex-braces.ts';
import { isMark, isName, type Token, type TokenList } from '../token.ts';
import type { Declaration } from './declaration.ts';

const BEFORE_ITEM = new Set(['pub', 'async', 'unsafe', 'default']);
const NAMED = new Set(['fn', 'struct', 'enum', 'union', 'trait', 'type', 'mod', 'const', 'static']);
const DEEPEST = 20;

/** The declarations of a Rust file and of the modules in it; undefined if it cannot be parsed. */
export function rustDeclarations(text: string): Declaration[] | undefined {
  const list = lexBraces(text, 'rust');
  if (list.uncertain) return undefined;
  const found: Declaration[] = [];
  if (!readItems(list, [0, list.tokens.length], [], found)) return undefined;
  const rows = text.split('\n');
  return found.map((one) => ({ ...one, lines: withDocumentation(rows, one.lines) }));
}

/** Documentation without its item does not compile. */
function withDocumentation(
  rows: readonly string[],
  [first, last]: readonly [number, number],
): readonly [number, number] {
  let from = first;
  while (/^\s*\/\/\/(?!\/)/.test(rows[from - 2] ?? '')) from -= 1;
  return [from, last];
}

function readItems(
  list: TokenList,
  [from, to]: readonly [number, number],
  modules: readonly string[],
  found: Declaration[],
): boolean {
  const { tokens, partner } = list;
  for (let at = from; at < to; ) {
    // `#![…]` belongs to the file or module.
    if (isMark(tokens[at], '#') && isMark(tokens[at + 1], '!') && (partner[at + 2] ?? -1) > at) {
      at = (partner[at + 2] ?? at) + 1;
      continue;
    }
    const next = afterAttributes(list, at);
    if (next === undefined || modules.length === DEEPEST) return false;
    if (next >= to) return true;
    const word = wordOf(tokens, next);
    const isStatement = STATEMENTS.has(word) && !(word === 'extern' && !isName(tokens[next + 1], 'crate'));
    const end = itemEnd(list, next, isStatement);
    if (end === -1 || end >= to) return false;
    const open = word === 'mod' ? (partner[end] ?? -1) : -1;
    if (open !== -1) {
      const inner = [...modules, tokens[next + 1]?.text ?? ''];
      if (!readItems(list, [open + 1, end], inner, found)) return false;
    } else {
      const lines = [tokens[at]?.line ?? 1, tokens[end]?.line ?? 1] as const;
      const isShared = tokens[at - 1]?.line === lines[0] || tokens[end + 1]?.line === lines[1];
      const about = describe(list, next, end, word);
      const module = modules.length === 0 ? {} : { module: modules.join('::') };
      found.push({ ...about, ...(isShared ? { kind: 'fixed' as const } : {}), ...module, lines });
    }
    at = end + 1;
    if (isMark(tokens[at], ';')) at += 1;
  }
  return true;
}

/** Where the item itself starts; undefined for an open bracket. */
function afterAttributes({ tokens, partner }: TokenList, from: number): number | undefined {
  let at = from;
  while (isMark(tokens[at], '#')) {
    if ((partner[at + 1] ?? -1) <= at) return undefined;
    at = (partner[at + 1] ?? at) + 1;
  }
  while (BEFORE_ITEM.has(tokens[at]?.text ?? '')) {
    at += 1;
    if (isMark(tokens[at], '(')) at = (partner[at] ?? at) + 1;
  }
  return at;
}

/** `const fn` and `extern "C" fn` are functions. */
function wordOf(tokens: readonly Token[], at: number): string {
  const isFunction = [1, 2].some((step) => isName(tokens[at + step], 'fn'));
  const first = tokens[at]?.text ?? '';
  return isFunction && (first === 'const' || first === 'extern') ? 'fn' : first;
}

function describe({ tokens }: TokenList, at: number, end: number, word: string): Omit<Declaration, 'lines'> {
  if (word === 'use') return { names: [], kind: 'import' };
  if (word === 'impl') {
    const of = typeOfImpl(tokens, at, end);
    return { names: [], kind: of === undefined ? 'fixed' : 'other', ...(of === undefined ? {} : { of }) };
  }
  // A macro may declare several.
  if (isMark(tokens[at + 1], '!')) {
    const inside = tokens.slice(at, end).filter(({ type }) => type === 'name');
    return { names: [...new Set(inside.map(({ text }) => text))], kind: 'other' };
  }
  if (!NAMED.has(word)) return { names: [], kind: 'fixed' };
  let start = at;
  while (start < end && !isName(tokens[start], word)) start += 1;
  const name = tokens[isName(tokens[start + 1], 'mut') ? start + 2 : start + 1]?.text ?? '';
  return { names: [name], kind: name === '_' ? 'fixed' : 'other' };
}

/** `Counter` of `impl<T> Check for Counter<T>` and of `impl Counter`. */
function typeOfImpl(tokens: readonly Token[], from: number, end: number): string | undefined {
  let depth = 0;
  let name: string | undefined;
  for (let at = from + 1; at < end; at += 1) {
    const token = tokens[at];
    if (isMark(token, '{') || (depth === 0 && isName(token, 'where'))) return name;
    if (isMark(token, '<')) depth += 1;
    else if (isMark(token, '>') && !isMark(tokens[at - 1], '-')) depth -= 1;
    else if (depth === 0 && isName(token, 'for') && !isMark(tokens[at + 1], '<')) name = undefined;
    else if (depth === 0 && token?.type === 'name') name = token.text;
  }
  return name;
}
