import { bodyDigest, sketchBody } from './body-digest.ts';
import { lexPython, type PythonLine } from './lex-python.ts';
import type { TestCase, TestFileFacts } from './test-case.ts';
import { isMark, isName, type Token } from './token.ts';

interface Marker {
  /** Empty if it only may skip. */
  skipped: string;
  conditional: boolean;
  rows: number | null;
}

interface Scope extends Marker {
  indent: number;
  name: string;
}

const NO_MARKER: Marker = { skipped: '', conditional: false, rows: 1 };
const MAX_DEPTH = 20;
const CALL_ASSERTIONS =
  /^(?:assert[A-Z_]\w*|assert_|raises|warns|deprecated_call|fail|expect|check_\w+|verify_\w+|ensure_\w+|assert_\w+)$/;
const CONSTANTS = new Set(['True', 'False', 'None', 'not', 'is', 'or', 'and']);

/** Reads the tests of a Python file as pytest and unittest collect them. */
export function readPythonTests(text: string): TestFileFacts {
  const { lines, uncertain } = lexPython(text);
  const cases: TestCase[] = [];
  const helpers = assertingHelpers(lines);
  const scopes: Scope[] = [];
  const file = fileMarker(lines);
  const removed = removedNames(lines);
  let decorators: PythonLine[] = [];
  let unsure = uncertain;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] as PythonLine;
    while (scopes.length > 0 && line.indent <= (scopes.at(-1)?.indent ?? 0)) scopes.pop();
    if (isMark(line.tokens[0], '@')) {
      decorators.push(line);
      continue;
    }
    const start = isName(line.tokens[0], 'async') ? 1 : 0;
    const keyword = line.tokens[start];
    const name = line.tokens[start + 1]?.text ?? '';
    const markers = combine([...decorators.map(readMarker), scopes.at(-1) ?? file]);
    decorators = [];
    if (isName(keyword, 'class')) {
      const inner = classMarker(lines, at);
      const path = [scopes.at(-1)?.name, name].filter((one) => one !== undefined).join(' > ');
      if (scopes.length < MAX_DEPTH)
        scopes.push({ ...combine([markers, inner]), indent: line.indent, name: path });
      else unsure = true;
    } else if (isName(keyword, 'def')) {
      const end = blockEnd(lines, at);
      if (/^test/.test(name)) {
        const path = [scopes.at(-1)?.name, name].filter((one) => one !== undefined).join(' > ');
        const gone = scopes.length === 0 && removed.has(name) ? 'the file takes it away again' : '';
        cases.push(
          readCase(
            bodyLines(lines, at, end),
            path,
            { ...markers, skipped: markers.skipped || gone },
            helpers,
          ),
        );
      }
      // What is defined inside of a function is not collected.
      at = end - 1;
    }
  }
  return { cases, uncertain: unsure, only: 0 };
}

function readCase(body: PythonLine[], name: string, marker: Marker, helpers: ReadonlySet<string>): TestCase {
  const statements = body.filter(
    (line, at) => !(at === 0 && line.tokens.every((token) => token.type === 'string')),
  );
  const texts = statements.flatMap((line) => [
    `>${line.indent - (statements[0]?.indent ?? 0)}`,
    ...line.tokens.map((token) => (token.type === 'string' ? `"${token.text}` : token.text)),
  ]);
  const all = statements.filter((line) => lineAssertions(line, helpers) > 0).length;
  const assertions = reachedAssertions(statements, helpers);
  const shared = {
    name,
    assertions,
    bodyDigest: bodyDigest(texts),
    sketch: sketchBody(texts),
    rows: marker.rows,
    conditional: marker.conditional,
  };
  const why = marker.skipped || skipsItself(statements[0]);
  if (why !== '') return { ...shared, kind: 'skipped', why };
  if (statements.every((line) => isNothing(line.tokens)))
    return { ...shared, kind: 'empty', why: 'its body is empty' };
  if (assertions === 0 && all > 0)
    return { ...shared, kind: 'empty', why: 'it ends, or forgets what failed, before anything can fail' };
  return { ...shared, kind: 'active', why: '' };
}

/** The lines of a function, whether below its `def` or behind it. */
function bodyLines(lines: PythonLine[], at: number, end: number): PythonLine[] {
  const line = lines[at] as PythonLine;
  const colon = bodyColon(line.tokens);
  const behind = colon === -1 ? [] : line.tokens.slice(colon + 1);
  const below = lines.slice(at + 1, end);
  return behind.length > 0 ? [{ indent: line.indent + 1, tokens: behind }, ...below] : below;
}

function bodyColon(tokens: Token[]): number {
  let depth = 0;
  for (const [at, token] of tokens.entries()) {
    if (token.type !== 'mark') continue;
    if ('([{'.includes(token.text)) depth += 1;
    else if (')]}'.includes(token.text)) depth -= 1;
    else if (token.text === ':' && depth === 0) return at;
  }
  return -1;
}

function blockEnd(lines: PythonLine[], at: number): number {
  const { indent } = lines[at] as PythonLine;
  let end = at + 1;
  while (end < lines.length && (lines[end]?.indent ?? 0) > indent) end += 1;
  return end;
}

/** Counts what can fail, up to an unconditional return, without blocks that never run or whose failures are forgotten. */
function reachedAssertions(lines: PythonLine[], helpers: ReadonlySet<string>): number {
  const base = lines[0]?.indent ?? 0;
  let count = 0;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] as PythonLine;
    const [first, second] = line.tokens;
    if (isName(first, 'return') && line.indent <= base) return count + lineAssertions(line, helpers);
    if (isName(first, 'if') && isMark(line.tokens[2], ':')) {
      if (isName(second, 'False') || second?.text === '0') {
        at = blockEnd(lines, at) - 1;
        continue;
      }
      const inner = line.tokens[3] ?? lines[at + 1]?.tokens[0];
      if ((isName(second, 'True') || second?.text === '1') && isName(inner, 'return') && line.indent <= base)
        return count;
    }
    if ((isName(first, 'try') && swallows(lines, at)) || suppresses(line)) {
      at = blockEnd(lines, at) - 1;
      continue;
    }
    count += lineAssertions(line, helpers);
  }
  return count;
}

/** A `try` whose `except` takes failed assertions and does nothing with them. */
function swallows(lines: PythonLine[], at: number): boolean {
  const handler = blockEnd(lines, at);
  const line = lines[handler];
  if (!isName(line?.tokens[0], 'except') || line?.indent !== lines[at]?.indent) return false;
  const caught =
    line?.tokens
      .slice(1)
      .filter((token) => token.type === 'name')
      .map((token) => token.text) ?? [];
  const takesAll =
    caught.length === 0 ||
    caught.some((name) => ['Exception', 'BaseException', 'AssertionError'].includes(name));
  return (
    takesAll && bodyLines(lines, handler, blockEnd(lines, handler)).every((one) => isNothing(one.tokens))
  );
}

function suppresses(line: PythonLine): boolean {
  if (!isName(line.tokens[0], 'with')) return false;
  const words = line.tokens.map((token) => token.text);
  return (
    words.includes('suppress') &&
    words.some((word) => ['Exception', 'BaseException', 'AssertionError'].includes(word))
  );
}

function isNothing(tokens: Token[]): boolean {
  const [first, second] = tokens;
  if (tokens.every((token) => token.type === 'string' || isMark(token, '.'))) return true;
  if (isName(first, 'pass') || isName(first, 'continue')) return true;
  return isName(first, 'return') && (second === undefined || isName(second, 'None'));
}

function lineAssertions({ tokens }: PythonLine, helpers: ReadonlySet<string>): number {
  if (isName(tokens[0], 'def') || isName(tokens[0], 'import') || isName(tokens[0], 'from')) return 0;
  let count = 0;
  for (const [at, token] of tokens.entries()) {
    if (token.type !== 'name') continue;
    if (token.text === 'assert' && !isMark(tokens[at - 1], '.')) {
      if (assertBites(tokens.slice(at + 1, at + 60))) count += 1;
    } else if (isMark(tokens[at + 1], '(') && (CALL_ASSERTIONS.test(token.text) || helpers.has(token.text))) {
      // `pytest.fail("…")` and `mock.assert_called_with(1)` take constants and mean it.
      if (!/^assert[A-Z]/.test(token.text) || !hasConstantArguments(tokens, at + 1)) count += 1;
    }
  }
  return count;
}

/** `assert True`, `assert 1 == 1`, `assert x == x` and `assert anything or True` hold whatever happens. */
function assertBites(tokens: Token[]): boolean {
  const comma = tokens.findIndex((token) => isMark(token, ','));
  const claim = comma === -1 ? tokens : tokens.slice(0, comma);
  if (claim.every(isConstantToken)) return false;
  const truth = claim.at(-1);
  if (isName(claim.at(-2), 'or') && (isName(truth, 'True') || truth?.text === '1')) return false;
  const equals = claim.findIndex((token, at) => isMark(token, '=') && isMark(claim[at + 1], '='));
  if (equals === -1) return true;
  const left = claim.slice(0, equals).map((token) => token.text);
  const right = claim.slice(equals + 2).map((token) => token.text);
  return left.includes('(') || left.join(' ') !== right.join(' ');
}

function isConstantToken(token: Token): boolean {
  return token.type !== 'name' || CONSTANTS.has(token.text);
}

function hasConstantArguments(tokens: Token[], open: number): boolean {
  let depth = 0;
  let size = 0;
  for (let at = open; at < Math.min(tokens.length, open + 60); at += 1) {
    const token = tokens[at] as Token;
    if (isMark(token, '(')) depth += 1;
    else if (isMark(token, ')')) {
      depth -= 1;
      if (depth === 0) return size > 0;
    } else if (!isConstantToken(token)) return false;
    else size += 1;
  }
  return false;
}

function skipsItself(line: PythonLine | undefined): string {
  const words =
    line?.tokens
      .slice(0, 4)
      .map((token) => token.text)
      .join('') ?? '';
  return /^(?:pytest\.(?:skip|xfail)\(|self\.skipTest|raise(?:unittest\.)?SkipTest|raiseunittest\.|raisepytest\.skip|skip\()/.test(
    words,
  )
    ? 'it skips itself'
    : '';
}

/** What a decorator or a `pytestmark` says about running. */
function readMarker({ tokens }: PythonLine): Marker {
  const words = tokens.map((token) => token.text).join(' ');
  const names = tokens.filter((token) => token.type === 'name').map((token) => token.text);
  const has = (...some: string[]) => names.some((name) => some.includes(name));
  const always =
    /\b(?:skipif|skipIf) \( (?:True|1)\b/.test(words) || /\bskipUnless \( (?:False|0)\b/.test(words);
  if (always) return { ...NO_MARKER, skipped: 'it is skipped on a condition that always holds' };
  if (has('skipif', 'skipIf', 'skipUnless')) return { ...NO_MARKER, conditional: true };
  if (has('skip')) return { ...NO_MARKER, skipped: 'it is marked skip' };
  if (has('xfail', 'expectedFailure')) return { ...NO_MARKER, skipped: 'it is marked as failing' };
  if (has('parametrize', 'given', 'parameterized', 'expand', 'ddt', 'data'))
    return { ...NO_MARKER, rows: has('parametrize') ? rowsOf(tokens) : null };
  return NO_MARKER;
}

/** The number of elements in the second argument of `parametrize`; null unless it is a list. */
function rowsOf(tokens: Token[]): number | null {
  const list = tokens.findIndex(
    (token, at) => isMark(token, ',') && (isMark(tokens[at + 1], '[') || isMark(tokens[at + 1], '(')),
  );
  if (list === -1) return null;
  let depth = 0;
  let count = 0;
  let filled = false;
  for (let at = list + 1; at < tokens.length; at += 1) {
    const token = tokens[at] as Token;
    if (isMark(token, '[') || isMark(token, '(') || isMark(token, '{')) {
      if (depth > 0) filled = true;
      depth += 1;
    } else if (isMark(token, ']') || isMark(token, ')') || isMark(token, '}')) {
      depth -= 1;
      if (depth === 0) return count + (filled ? 1 : 0);
    } else if (isMark(token, ',') && depth === 1) {
      count += 1;
      filled = false;
    } else if (isMark(token, '*') && depth === 1) return null;
    else filled = true;
  }
  return null;
}

function combine(markers: Marker[]): Marker {
  return {
    skipped: markers.map((one) => one.skipped).find((one) => one !== '') ?? '',
    conditional: markers.some((one) => one.conditional),
    rows: markers.reduce<number | null>(
      (rows, one) => (rows === null || one.rows === null ? null : rows * one.rows),
      1,
    ),
  };
}

function fileMarker(lines: PythonLine[]): Marker {
  const found = lines.filter((line) => line.indent === 0).map(scopeMarker);
  return combine([NO_MARKER, ...found]);
}

function classMarker(lines: PythonLine[], at: number): Marker {
  const inner = lines[at + 1]?.indent;
  const end = Math.min(blockEnd(lines, at), at + 200);
  return combine([
    NO_MARKER,
    ...lines
      .slice(at + 1, end)
      .filter((line) => line.indent === inner)
      .map(scopeMarker),
  ]);
}

/** `pytestmark = …`, `__test__ = False`, and `pytest.skip(…, allow_module_level=True)` of a file or class. */
function scopeMarker(line: PythonLine): Marker {
  const [first, second, third] = line.tokens;
  if (isName(first, 'pytestmark')) return { ...readMarker(line), rows: 1 };
  if (isName(first, '__test__') && isMark(second, '=') && isName(third, 'False'))
    return { ...NO_MARKER, skipped: 'it is marked as no test' };
  if (isName(first, 'pytest') && isMark(second, '.') && isName(third, 'skip'))
    return { ...NO_MARKER, skipped: 'the file skips itself' };
  if (isName(first, 'raise') && line.tokens.some((token) => token.text === 'SkipTest'))
    return { ...NO_MARKER, skipped: 'the file skips itself' };
  return line.tokens.some((token) => token.text === 'importorskip')
    ? { ...NO_MARKER, conditional: true }
    : NO_MARKER;
}

/** Tests that are deleted or given another value after they were defined. */
function removedNames(lines: PythonLine[]): Set<string> {
  const names = new Set<string>();
  for (const { indent, tokens } of lines) {
    if (indent > 0) continue;
    if (isName(tokens[0], 'del')) for (const token of tokens.slice(1)) names.add(token.text);
    else if (/^test/.test(tokens[0]?.text ?? '') && isMark(tokens[1], '=')) names.add(tokens[0]?.text ?? '');
  }
  return names;
}

function assertingHelpers(lines: PythonLine[]): Set<string> {
  const helpers = new Set<string>();
  let current: { name: string; indent: number } | undefined;
  for (const line of lines) {
    if (current !== undefined && line.indent <= current.indent) current = undefined;
    const start = isName(line.tokens[0], 'async') ? 1 : 0;
    const name = line.tokens[start + 1]?.text ?? '';
    if (isName(line.tokens[start], 'def') && !/^test/.test(name)) current = { name, indent: line.indent };
    else if (current !== undefined && lineAssertions(line, helpers) > 0) helpers.add(current.name);
  }
  return helpers;
}
