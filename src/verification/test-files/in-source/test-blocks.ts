import { type BraceLanguage, lexBraces } from '../lex-braces.ts';
import { isMark, isName, type TokenList } from '../token.ts';

interface TestBlock {
  /** First and last line, counted from 1. */
  lines: readonly [number, number];
}

/**
 * One version's code with the other version's test blocks, so that tests beside the code can run without the change:
 * `#[cfg(test)] mod …` in Rust, `if (import.meta.vitest) …` in JavaScript. Undefined if the other version has none or the same
 * ones, or if one shares a line with other code.
 */
export function withTestBlocks(code: string, tests: string, language: BraceLanguage): string | undefined {
  const [before, after] = [testBlocks(code, language), testBlocks(tests, language)];
  if (before === undefined || after === undefined || after.length === 0) return undefined;
  const [lines, source] = [code.split('\n'), tests.split('\n')];
  const blocks = linesOf(source, after);
  if (blocks.join('\n') === linesOf(lines, before).join('\n')) return undefined;
  const removed = new Set(before.flatMap(({ lines: [from, to] }) => range(from, to)));
  return [...lines.filter((_, at) => !removed.has(at + 1)), ...blocks, ''].join('\n');
}

function linesOf(source: readonly string[], blocks: readonly TestBlock[]): string[] {
  return blocks.flatMap(({ lines: [from, to] }) => ['', ...source.slice(from - 1, to)]);
}

/** Undefined if the file cannot be parsed, or a block shares a line with other code. */
function testBlocks(text: string, language: BraceLanguage): TestBlock[] | undefined {
  const list = lexBraces(text, language);
  const { tokens, partner } = list;
  if (list.uncertain) return undefined;
  const openOf = language === 'rust' ? testModule : vitestBlock;
  const found: TestBlock[] = [];
  let depth = 0;
  for (let at = 0; at < tokens.length; at += 1) {
    if (isMark(tokens[at], '{')) depth += 1;
    else if (isMark(tokens[at], '}')) depth -= 1;
    const open = depth > 0 ? undefined : openOf(list, at);
    if (open === undefined) continue;
    const end = partner[open] ?? -1;
    const [from, to] = [tokens[at]?.line, tokens[end]?.line];
    if (from === undefined || to === undefined) return undefined;
    if (tokens[at - 1]?.line === from || tokens[end + 1]?.line === to) return undefined;
    found.push({ lines: [from, to] });
    at = end;
  }
  return found;
}

/** The bracket that opens the module after `#[cfg(test)]`, which may have more conditions. */
function testModule(list: TokenList, at: number): number | undefined {
  const { tokens, partner } = list;
  if (!isMark(tokens[at], '#') || !isMark(tokens[at + 1], '[') || !isName(tokens[at + 2], 'cfg'))
    return undefined;
  const isTest = tokens.slice(at + 3, partner[at + 1]).some((token) => isName(token, 'test'));
  return isTest ? moduleBody(list, at) : undefined;
}

/** The bracket that opens the module behind attributes; undefined if another item follows. */
function moduleBody({ tokens, partner }: TokenList, at: number): number | undefined {
  let next = at;
  while (isMark(tokens[next], '#') && isMark(tokens[next + 1], '[')) {
    const close = partner[next + 1] ?? -1;
    if (close === -1) return undefined;
    next = close + 1;
  }
  if (isName(tokens[next], 'pub')) next += 1;
  return isName(tokens[next], 'mod') && isMark(tokens[next + 2], '{') ? next + 2 : undefined;
}

/** The bracket that opens the block after `if (import.meta.vitest)`. */
function vitestBlock({ tokens, partner }: TokenList, at: number): number | undefined {
  const words = tokens.slice(at, at + 7).map(({ text }) => text);
  if (words.join(' ') !== 'if ( import . meta . vitest') return undefined;
  const close = partner[at + 1] ?? -1;
  return close !== -1 && isMark(tokens[close + 1], '{') ? close + 1 : undefined;
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}
