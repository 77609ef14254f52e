import { lexBraces } from './lex-braces.ts';
import { isMark, isName, type TokenList } from './token.ts';

interface TestModule {
  /** First and last line, counted from 1. */
  lines: readonly [number, number];
}

/**
 * The base's version of a Rust source file with the candidate's test modules (`#[cfg(test)] mod …`), so that tests beside
 * the code can run without the change. Undefined if the candidate has none or the same ones, or if one shares
 * a line with other code.
 */
export function withTestModules(base: string, candidate: string): string | undefined {
  const [before, after] = [testModules(base), testModules(candidate)];
  if (before === undefined || after === undefined || after.length === 0) return undefined;
  const [lines, source] = [base.split('\n'), candidate.split('\n')];
  const tests = linesOf(source, after);
  if (tests.join('\n') === linesOf(lines, before).join('\n')) return undefined;
  const removed = new Set(before.flatMap(({ lines: [from, to] }) => range(from, to)));
  return [...lines.filter((_, at) => !removed.has(at + 1)), ...tests, ''].join('\n');
}

function linesOf(source: readonly string[], modules: readonly TestModule[]): string[] {
  return modules.flatMap(({ lines: [from, to] }) => ['', ...source.slice(from - 1, to)]);
}

/** Undefined if the file cannot be parsed, or a module shares a line with other code. */
function testModules(text: string): TestModule[] | undefined {
  const list = lexBraces(text, 'rust');
  const { tokens, partner } = list;
  if (list.uncertain) return undefined;
  const found: TestModule[] = [];
  let depth = 0;
  for (let at = 0; at < tokens.length; at += 1) {
    if (isMark(tokens[at], '{')) depth += 1;
    else if (isMark(tokens[at], '}')) depth -= 1;
    if (depth > 0 || !isTestAttribute(list, at)) continue;
    const open = moduleBody(list, at);
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

/** `#[cfg(test)]`, also with more conditions. */
function isTestAttribute({ tokens, partner }: TokenList, at: number): boolean {
  if (!isMark(tokens[at], '#') || !isMark(tokens[at + 1], '[') || !isName(tokens[at + 2], 'cfg'))
    return false;
  return tokens.slice(at + 3, partner[at + 1]).some((token) => isName(token, 'test'));
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

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}
