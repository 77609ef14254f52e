import { type BraceLanguage, lexBraces } from '../lex-braces.ts';
import { isMark, isName, type TokenList } from '../token.ts';

interface TestBlock {
  /** A Rust module's name; '' for other blocks. */
  name: string;
  /** Whether the module is in another file: `#[cfg(test)] mod tests;`. */
  isDeclared: boolean;
  /** First and last line, counted from 1. */
  lines: readonly [number, number];
  /** Whether it shares a line or a statement with other code. */
  isShared: boolean;
}

/**
 * One version's code with the other version's test blocks, so that tests beside the code can run without the change:
 * `#[cfg(test)] mod …` in Rust, `if (import.meta.vitest) …` in JavaScript. Undefined if the other version has none or the same
 * ones, or if one shares a line with other code.
 */
export function withTestBlocks(code: string, tests: string, language: BraceLanguage): string | undefined {
  const after = blocksToAdd(tests, language);
  const before = blocksToRemove(code, language, after);
  if (before === undefined || after.length === 0) return undefined;
  const [lines, source] = [code.split('\n'), tests.split('\n')];
  const blocks = linesOf(source, after);
  if (blocks.join('\n') === linesOf(lines, before).join('\n')) return undefined;
  const removed = new Set(before.flatMap(({ lines: [from, to] }) => range(from, to)));
  return [...lines.filter((_, at) => !removed.has(at + 1)), ...blocks, ''].join('\n');
}

/** Whether the code's own test blocks cannot be found, so that those of the other version cannot take their place. */
export function hidesTestBlocks(code: string, tests: string, language: BraceLanguage): boolean {
  const blocks = blocksToAdd(tests, language);
  return blocks.length > 0 && blocksToRemove(code, language, blocks) === undefined;
}

/** Whether a line, counted from 1, belongs to a test block. */
export function isInTestBlock(text: string, language: BraceLanguage, line: number): boolean {
  const found = findBlocks(text, language) ?? [];
  return found.some(({ lines: [from, to] }) => line >= from && line <= to);
}

/** Empty if they cannot be separated from other code. */
function blocksToAdd(tests: string, language: BraceLanguage): TestBlock[] {
  const found = (findBlocks(tests, language) ?? []).filter(({ isDeclared }) => !isDeclared);
  return found.some(({ isShared }) => isShared) ? [] : found;
}

/** With modules in other files that added ones take the place of. Undefined if they cannot be separated from other code. */
function blocksToRemove(
  code: string,
  language: BraceLanguage,
  added: readonly TestBlock[],
): TestBlock[] | undefined {
  const names = new Set(added.map(({ name }) => name));
  const found = findBlocks(code, language)?.filter(({ isDeclared, name }) => !isDeclared || names.has(name));
  return found?.some(({ isShared }) => isShared) ? undefined : found;
}

function linesOf(source: readonly string[], blocks: readonly TestBlock[]): string[] {
  return blocks.flatMap(({ lines: [from, to] }) => ['', ...source.slice(from - 1, to)]);
}

/** Undefined if the file cannot be parsed. */
function findBlocks(text: string, language: BraceLanguage): TestBlock[] | undefined {
  const list = lexBraces(text, language);
  const { tokens, partner } = list;
  if (list.uncertain) return undefined;
  const bodyOf = language === 'rust' ? testModule : vitestBlock;
  const found: TestBlock[] = [];
  let depth = 0;
  for (let at = 0; at < tokens.length; at += 1) {
    if (isMark(tokens[at], '{')) depth += 1;
    else if (isMark(tokens[at], '}')) depth -= 1;
    const body = depth > 0 ? undefined : bodyOf(list, at);
    if (body === undefined) continue;
    const isDeclared = isMark(tokens[body], ';');
    const end = isDeclared ? body : (partner[body] ?? -1);
    const [from, to] = [tokens[at]?.line, tokens[end]?.line];
    if (from === undefined || to === undefined) return undefined;
    found.push({
      name: language === 'rust' ? (tokens[body - 1]?.text ?? '') : '',
      isDeclared,
      lines: [from, to],
      isShared:
        tokens[at - 1]?.line === from ||
        tokens[end + 1]?.line === to ||
        (language !== 'rust' && isPartOfStatement(list, at, end)),
    });
    at = end;
  }
  return found;
}

/** The bracket or semicolon after the module's name, behind `#[cfg(test)]`, which may have more conditions. */
function testModule(list: TokenList, at: number): number | undefined {
  const { tokens, partner } = list;
  if (!isMark(tokens[at], '#') || !isMark(tokens[at + 1], '[') || !isName(tokens[at + 2], 'cfg'))
    return undefined;
  const isTest = tokens.slice(at + 3, partner[at + 1]).some((token) => isName(token, 'test'));
  return isTest ? moduleBody(list, at) : undefined;
}

/** Behind further attributes; undefined if another item follows. */
function moduleBody({ tokens, partner }: TokenList, at: number): number | undefined {
  let next = at;
  while (isMark(tokens[next], '#') && isMark(tokens[next + 1], '[')) {
    const close = partner[next + 1] ?? -1;
    if (close === -1) return undefined;
    next = close + 1;
  }
  if (isName(tokens[next], 'pub')) next += 1;
  if (isMark(tokens[next], '(')) next = (partner[next] ?? -1) + 1;
  const isBody = isMark(tokens[next + 2], '{') || isMark(tokens[next + 2], ';');
  return isName(tokens[next], 'mod') && isBody ? next + 2 : undefined;
}

/** The bracket that opens the block after `if (import.meta.vitest)`. */
function vitestBlock({ tokens, partner }: TokenList, at: number): number | undefined {
  const words = tokens.slice(at, at + 7).map(({ text }) => text);
  if (words.join(' ') !== 'if ( import . meta . vitest') return undefined;
  const close = partner[at + 1] ?? -1;
  return close !== -1 && isMark(tokens[close + 1], '{') ? close + 1 : undefined;
}

/** With `else` after it, or a condition, a loop or a label before it. */
function isPartOfStatement({ tokens, partner }: TokenList, at: number, end: number): boolean {
  const last = tokens[at - 1];
  if (isName(tokens[end + 1], 'else') || isName(last, 'else') || isName(last, 'do') || isMark(last, ':'))
    return true;
  const open = isMark(last, ')') ? (partner[at - 1] ?? -1) : -1;
  const word = tokens[open - 1];
  return word?.type === 'name' && /^(?:if|while|for|await|with)$/.test(word.text);
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}
