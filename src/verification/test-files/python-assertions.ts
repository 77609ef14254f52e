import type { PythonLine } from './lex-python.ts';
import { blockEnd, bodyLines } from './lex-python.ts';
import { isMark, isName, type Token } from './token.ts';

const CALL_ASSERTIONS =
  /^(?:assert[A-Z_]\w*|assert_|raises|warns|deprecated_call|fail|expect|check_\w+|verify_\w+|ensure_\w+|assert_\w+|eq_|ok_)$/;

/** Methods of unittest that compare only their arguments. */
const COMPARISONS =
  /^assert(?:True|False|(?:Not)?(?:Almost)?Equals?|(?:Not)?In|Is(?:Not)?(?:None|Instance)?|NotIsInstance|(?:Greater|Less)(?:Equal)?|(?:Not)?Regex|CountEqual|(?:MultiLine|Sequence|List|Tuple|Set|Dict)Equal)$/;

const LONGEST_CLAIM = 500;
const CONSTANTS = new Set(['True', 'False', 'None', 'not', 'is', 'or', 'and']);

/**
 * Counts statements that can fail, up to an unconditional return, without blocks that never run or whose failures are
 * swallowed.
 */
export function reachedAssertions(lines: PythonLine[], helpers: ReadonlySet<string>): number {
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

/** A `try` whose `except` swallows failed assertions. */
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

export function isNothing(tokens: Token[]): boolean {
  const [first, second] = tokens;
  if (tokens.every((token) => token.type === 'string' || isMark(token, '.'))) return true;
  if (isName(first, 'pass') || isName(first, 'continue')) return true;
  return isName(first, 'return') && (second === undefined || isName(second, 'None'));
}

export function lineAssertions({ tokens }: PythonLine, helpers: ReadonlySet<string>): number {
  if (isName(tokens[0], 'def') || isName(tokens[0], 'import') || isName(tokens[0], 'from')) return 0;
  let count = 0;
  for (const [at, token] of tokens.entries()) {
    if (token.type !== 'name') continue;
    if (token.text === 'assert' && !isMark(tokens[at - 1], '.')) {
      if (assertBites(tokens.slice(at + 1, at + 1 + LONGEST_CLAIM))) count += 1;
    } else if (isMark(tokens[at + 1], '(') && (CALL_ASSERTIONS.test(token.text) || helpers.has(token.text))) {
      // `pytest.fail("…")`, `mock.assert_called_with(1)` and a project's own helpers take constants on purpose.
      if (!COMPARISONS.test(token.text) || !hasConstantArguments(tokens, at + 1)) count += 1;
    }
  }
  return count;
}

/** `assert True`, `assert 1 == 1`, `assert x == x` and `assert anything or True` always hold. */
function assertBites(tokens: Token[]): boolean {
  const claim = beforeMessage(tokens);
  if (claim.length === LONGEST_CLAIM) return true;
  if (claim.every(isConstantToken)) return false;
  const truth = claim.at(-1);
  if (isName(claim.at(-2), 'or') && (isName(truth, 'True') || truth?.text === '1')) return false;
  const equals = claim.findIndex((token, at) => isMark(token, '=') && isMark(claim[at + 1], '='));
  if (equals === -1) return true;
  const left = claim.slice(0, equals).map((token) => token.text);
  const right = claim.slice(equals + 2).map((token) => token.text);
  return left.includes('(') || left.join(' ') !== right.join(' ');
}

/** Without the message after a comma; commas in brackets belong to the claim. */
function beforeMessage(tokens: Token[]): Token[] {
  let depth = 0;
  const comma = tokens.findIndex((token) => {
    if (token.type === 'mark' && '([{'.includes(token.text)) depth += 1;
    else if (token.type === 'mark' && ')]}'.includes(token.text)) depth -= 1;
    return depth === 0 && isMark(token, ',');
  });
  return comma === -1 ? tokens : tokens.slice(0, comma);
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

export function assertingHelpers(lines: PythonLine[]): Set<string> {
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
