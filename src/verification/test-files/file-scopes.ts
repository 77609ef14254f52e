import { type ImportedName, importedNames } from './imported-names.ts';
import { readTestCases } from './read-test-cases.ts';
import { sourceTokens } from './source-tokens.ts';
import type { TestCase } from './test-case.ts';
import { isMark, type Token } from './token.ts';

/** Code around the tests of a file: a declaration or statement at its top level, or the shared code of a suite. */
export interface Scope {
  /** The suite's name; undefined at the top level. */
  suite: string | undefined;
  lines: readonly [first: number, last: number];
  /** Without the tests and suites in it. */
  tokens: Token[];
  /** Names that it declares. */
  declares: string[];
  imports: ImportedName[] | undefined;
}

export interface FileScopes {
  scopes: Scope[];
  cases: { test: TestCase; tokens: Token[] }[];
  uncertain: boolean;
}

const DECLARING = new Set(
  'const let var function class type interface enum def func fn struct namespace'.split(' '),
);
const BEFORE_DECLARATION = new Set(
  'export default async public private static declare abstract pub unsafe'.split(' '),
);

/** Splits a file into its tests and the code around them; undefined for an unsupported language. */
export function readFileScopes(path: string, text: string): FileScopes | undefined {
  const tokens = readTokens(path, text);
  if (tokens === undefined) return undefined;
  const { cases, suites = [], uncertain } = readTestCases(path, text);
  const lines = text.split('\n');
  const owners = innermost(lines.length, cases, suites);
  const bySuite = new Map<number, Token[]>();
  const top: Scope[] = [];
  const starts: number[] = [];
  let line = 0;
  let isDecorated = false;
  for (const token of tokens) {
    const owner = owners[token.line] ?? 0;
    const startsLine = token.line !== line;
    line = token.line;
    const isTop = startsLine && /^\S/.test(lines[token.line - 1] ?? '') && !isClosing(token);
    if (isTop) {
      if (!isDecorated) starts.push(token.line);
      isDecorated = /^(?:@|#\[)/.test(lines[token.line - 1] ?? '');
    }
    if (owner < 0) continue;
    if (owner > 0) {
      const own = bySuite.get(owner - 1) ?? [];
      own.push(token);
      bySuite.set(owner - 1, own);
      continue;
    }
    const current = top.at(-1);
    if (current === undefined || (isTop && !isDecorators(current.tokens)))
      top.push({
        suite: undefined,
        lines: [token.line, token.line],
        tokens: [token],
        declares: [],
        imports: undefined,
      });
    else current.tokens.push(token);
  }
  // Tests at the end of a class belong to it too.
  for (const scope of top) {
    const next = starts.find((start) => start > scope.lines[0]) ?? lines.length + 1;
    scope.lines = [scope.lines[0], next - 1];
  }
  const shells = suites.map((suite, at): Scope => {
    const own = bySuite.get(at) ?? [];
    return { suite: suite.name, lines: suite.lines, tokens: own, declares: [], imports: undefined };
  });
  return {
    scopes: [...top.map((scope) => described(path, scope)), ...shells],
    cases: cases.map((test) => ({ test, tokens: tokensWithin(tokens, test.lines) })),
    uncertain,
  };
}

/** For every line: 0 for the top level, the suite's index + 1, or -1 for a test. */
function innermost(
  count: number,
  cases: readonly TestCase[],
  suites: readonly { lines: readonly [number, number] }[],
): Int32Array {
  const owners = new Int32Array(count + 2);
  // Outer suites come before inner ones.
  for (const [at, { lines }] of suites.entries()) owners.fill(at + 1, lines[0], lines[1] + 1);
  for (const { lines } of cases) owners.fill(-1, lines[0], lines[1] + 1);
  return owners;
}

function tokensWithin(tokens: readonly Token[], [first, last]: readonly [number, number]): Token[] {
  let low = 0;
  let high = tokens.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tokens[middle]?.line ?? 0) < first) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while (end < tokens.length && (tokens[end]?.line ?? 0) <= last) end += 1;
  return tokens.slice(low, end);
}

function isClosing(token: Token): boolean {
  return isMark(token, '}') || isMark(token, ')') || isMark(token, ']');
}

/** `@pytest.fixture` belongs to the next statement. */
function isDecorators(tokens: readonly Token[]): boolean {
  return isMark(tokens[0], '@') && !tokens.some(({ text }) => text === 'def' || text === 'class');
}

function described(path: string, scope: Scope): Scope {
  const imports = importedNames(path, scope.tokens);
  return imports === undefined ? { ...scope, declares: declaredNames(scope.tokens) } : { ...scope, imports };
}

function declaredNames(tokens: readonly Token[]): string[] {
  let at = isMark(tokens[0], '@') ? tokens.findIndex(({ text }) => text === 'def' || text === 'class') : 0;
  while (BEFORE_DECLARATION.has(tokens[at]?.text ?? '')) {
    at += 1;
    // `pub(crate)`
    if (isMark(tokens[at], '('))
      at = tokens.findIndex((token, place) => place > at && isMark(token, ')')) + 1;
  }
  const first = tokens[at];
  if (first?.type !== 'name') return [];
  const exported = exportedNames(tokens);
  if (exported !== undefined) return exported;
  if (!DECLARING.has(first.text)) {
    const isAssigned = isMark(tokens[at + 1], '=') && !isMark(tokens[at + 2], '=');
    return isAssigned || isMark(tokens[at + 1], ':') ? [first.text] : [];
  }
  const rest = tokens.slice(at + 1);
  if (rest[0]?.type === 'name') return [rest[0].text];
  // A Go method belongs to its receiver's type; its own name may occur many times.
  if (first.text === 'func') {
    const names = rest.slice(
      0,
      rest.findIndex((token) => isMark(token, ')')),
    );
    const receiver = names.filter(({ type }) => type === 'name').map(({ text }) => text);
    return receiver.slice(0, 2).slice(-1);
  }
  if (isMark(rest[0], '*') && rest[1]?.type === 'name') return [rest[1].text];
  // A list of names: every name up to the value counts.
  const end = rest.findIndex((token) => isMark(token, '='));
  return rest
    .slice(0, end === -1 ? rest.length : end)
    .filter(({ type }) => type === 'name')
    .map(({ text }) => text);
}

/** Of `exports.a = …`, `module.exports.a = …` and `module.exports = { a, b: … }`. */
function exportedNames(tokens: readonly Token[]): string[] | undefined {
  const at = tokens[0]?.text === 'module' && isMark(tokens[1], '.') ? 2 : 0;
  if (tokens[at]?.text !== 'exports') return undefined;
  const name = tokens[at + 2];
  if (isMark(tokens[at + 1], '.') && isMark(tokens[at + 3], '=')) return name ? [name.text] : undefined;
  if (!isMark(tokens[at + 1], '=') || !isMark(name, '{')) return undefined;
  let depth = 0;
  return tokens.slice(at + 2).flatMap((token, place, all) => {
    if (token.type === 'mark' && '([{'.includes(token.text)) depth += 1;
    else if (token.type === 'mark' && ')]}'.includes(token.text)) depth -= 1;
    const isKey = depth === 1 && (isMark(all[place - 1], '{') || isMark(all[place - 1], ','));
    return isKey && token.type === 'name' ? [token.text] : [];
  });
}

/** The tokens of a source file without comments and formatter punctuation; undefined for other files. */
function readTokens(path: string, text: string): Token[] | undefined {
  const tokens = sourceTokens(path, text);
  if (tokens === undefined || path.endsWith('.py')) return tokens;
  return tokens.filter((token, at) => {
    if (isMark(token, ';')) return false;
    const next = tokens[at + 1];
    return !(isMark(token, ',') && (isMark(next, ')') || isMark(next, ']') || isMark(next, '}')));
  });
}
