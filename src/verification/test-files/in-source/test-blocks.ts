import { type BraceLanguage, lexBraces } from '../lex-braces.ts';
import { TESTS } from '../read-rust-tests.ts';
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
 * One version's code with the other version's test blocks, so that tests beside the code can run without the change: test
 * functions and what is behind `#[cfg(test)]` in Rust, `if (import.meta.vitest) …` in JavaScript. Undefined if the other
 * version has none or the same ones, or if one shares a line with other code.
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
  const { tokens } = list;
  if (list.uncertain) return undefined;
  const rows = text.split('\n');
  const blockAt = language === 'rust' ? testItem : vitestBlock;
  const found: TestBlock[] = [];
  let depth = 0;
  for (let at = 0; at < tokens.length; at += 1) {
    if (isMark(tokens[at], '{')) depth += 1;
    else if (isMark(tokens[at], '}')) depth -= 1;
    const block = depth > 0 ? undefined : blockAt(list, at);
    if (block === undefined) continue;
    const { end, ...about } = block;
    const [first, to] = [tokens[at]?.line, tokens[end]?.line];
    if (first === undefined || to === undefined) return undefined;
    let from = first;
    // Documentation without its item does not compile.
    while (language === 'rust' && /^\s*\/\/\/(?!\/)/.test(rows[from - 2] ?? '')) from -= 1;
    found.push({
      ...about,
      lines: [from, to],
      isShared:
        tokens[at - 1]?.line === first ||
        tokens[end + 1]?.line === to ||
        (language !== 'rust' && isPartOfStatement(list, at, end)),
    });
    at = end;
  }
  return found;
}

interface FoundBlock {
  name: string;
  isDeclared: boolean;
  /** Its last token. */
  end: number;
}

const BEFORE_ITEM = new Set(['pub', 'async', 'unsafe', 'default']);
/** Items that end with a semicolon, and items that may end with a body. */
export const STATEMENTS: ReadonlySet<string> = new Set(['use', 'static', 'const', 'type', 'extern']);
const WITH_BODY = new Set(['fn', 'mod', 'struct', 'enum', 'union', 'trait', 'impl', 'macro_rules']);

/** An item that is built for tests only: a test function, or anything behind `#[cfg(test)]`. */
function testItem(list: TokenList, at: number): FoundBlock | undefined {
  const { tokens, partner } = list;
  let next = at;
  let isForTests = false;
  let mentionsTests = false;
  while (isMark(tokens[next], '#') && isMark(tokens[next + 1], '[')) {
    const close = partner[next + 1] ?? -1;
    if (close === -1) return undefined;
    const words = tokens.slice(next + 2, close).map(({ text }) => text);
    const isCondition = words[0] === 'cfg' && words.includes('test');
    mentionsTests ||= isCondition;
    isForTests ||= isCondition ? !words.some((word) => word === 'not' || word === 'any') : isTestMark(words);
    next = close + 1;
  }
  if (next === at) return undefined;
  while (BEFORE_ITEM.has(tokens[next]?.text ?? '')) {
    next += 1;
    if (isMark(tokens[next], '(')) next = (partner[next] ?? -1) + 1;
  }
  const isFunction = isName(tokens[next], 'const') && isName(tokens[next + 1], 'fn');
  const word = isFunction ? 'fn' : (tokens[next]?.text ?? '');
  if (word === 'mod' ? !mentionsTests : !isForTests) return undefined;
  if (!STATEMENTS.has(word) && !WITH_BODY.has(word)) return undefined;
  const end = itemEnd(list, next, STATEMENTS.has(word));
  if (end === -1) return undefined;
  const isModule = word === 'mod';
  return {
    name: isModule ? (tokens[next + 1]?.text ?? '') : '',
    isDeclared: isModule && isMark(tokens[end], ';'),
    end,
  };
}

/** Of an attribute's words, whether it marks a test: `test`, `tokio::test`, `rstest`. */
function isTestMark(words: readonly string[]): boolean {
  const path = words.slice(0, words.indexOf('(') === -1 ? words.length : words.indexOf('('));
  return TESTS.has(path.at(-1) ?? '') && path.every((word) => /^[\w:]+$/.test(word));
}

/** The semicolon, or the bracket that closes the body; -1 without either. */
export function itemEnd({ tokens, partner }: TokenList, from: number, isStatement: boolean): number {
  for (let at = from; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (isMark(token, ';')) return at;
    if (isMark(token, '{') && !isStatement) return partner[at] ?? -1;
    if (isMark(token, '}')) return -1;
    if (isMark(token, '{') || isMark(token, '(') || isMark(token, '[')) {
      if ((partner[at] ?? -1) === -1) return -1;
      at = partner[at] ?? at;
    }
  }
  return -1;
}

/** The block after `if (import.meta.vitest)`. */
function vitestBlock({ tokens, partner }: TokenList, at: number): FoundBlock | undefined {
  const words = tokens.slice(at, at + 7).map(({ text }) => text);
  if (words.join(' ') !== 'if ( import . meta . vitest') return undefined;
  const close = partner[at + 1] ?? -1;
  if (close === -1 || !isMark(tokens[close + 1], '{')) return undefined;
  return { name: '', isDeclared: false, end: partner[close + 1] ?? -1 };
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
