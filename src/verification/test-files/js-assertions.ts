import { argumentEnd, callBites, isConstant, markHelpers, sameNames } from './call-tokens.ts';
import { isMark, isName, type Token, type TokenList } from './token.ts';

const TAP_METHODS = new Set(
  'is not deepEqual notDeepEqual true false truthy falsy throws throwsAsync notThrows notThrowsAsync equal notEqual equals same notSame strictSame ok notOk match matches notMatch rejects resolves snapshot matchSnapshot resolveMatchSnapshot resolveMatch matchOnly matchStrict has notHas hasStrict hasProp hasProps hasOwnProp hasOwnProps emits error looseEqual notLooseEqual deepLooseEqual strictNotSame doesNotMatch like regex strictEqual notStrictEqual doesNotThrow deepStrictEqual notDeepStrictEqual fail type hasOwnPropsOnly notHasStrict matchOnlyStrict notMatchOnly notMatchStrict notMatchOnlyStrict expectUncaughtException'.split(
    ' ',
  ),
);
/** The parameters of tests in ava, tap and tape, and their subtests. */
const RECEIVER = /^(?:s{0,3}t{1,3}\d?|tap)$/;
/** Methods of assertion modules that runners do not have. */
const MODULE_METHODS = new Set(
  'expect assert partialDeepStrictEqual doesNotReject ifError instance fixture unreachable'.split(' '),
);
const HELPER = /^(?:expect|assert|check|verify|ensure|validate)(?:[A-Z_]|$)/;
const EXPECT_CALLS = new Set(['soft', 'poll', 'fail', 'unreachable']);

/**
 * Marks each token where an assertion starts that can fail. Helpers of the same file that assert count as assertions.
 */
export function markJsAssertions(list: TokenList): Uint8Array {
  const marks = new Uint8Array(list.tokens.length);
  const imports = assertionImports(list.tokens);
  const parameters = testParameters(list);
  for (let at = 0; at < list.tokens.length; at += 1)
    if (asserts(list, at, parameters) || callsImported(list, at, imports)) marks[at] = 1;
  markHelpers(list, marks, 'function');
  return marks;
}

/** Whether an assertion that can fail starts at a token. */
function asserts({ tokens, partner }: TokenList, at: number, parameters: ReadonlySet<string>): boolean {
  const token = tokens[at];
  if (token?.type !== 'name') return false;
  const next = tokens[at + 1];
  const called = isMark(next, '(');
  if (isName(tokens[at - 1], 'function')) return false;
  if (token.text === 'should') return isMark(tokens[at - 1], '.');
  if (token.text === 'expect') {
    if (isMark(next, '.')) return EXPECT_CALLS.has(tokens[at + 2]?.text ?? '');
    return called && expectBites(tokens, partner, at + 1);
  }
  if (token.text === 'assert') {
    if (called) return !isConstant(tokens, at + 2, argumentEnd(tokens, partner, at + 2));
    return isMark(next, '.') && isMark(tokens[at + 3], '(') && callBites(tokens, partner, at + 3);
  }
  if (isMark(tokens[at - 1], '.') && TAP_METHODS.has(token.text) && called) {
    const receiver = tokens[at - 2]?.text ?? '';
    return (RECEIVER.test(receiver) || parameters.has(receiver)) && callBites(tokens, partner, at + 1);
  }
  // `expectTypeOf<Name<A>>()` has brackets of types before its call.
  return (called || isMark(next, '<')) && HELPER.test(token.text) && !isMark(tokens[at - 1], '.');
}

/** `equal(a, b)` with `equal` of `node:assert`, or `is.equal(a, b)` with a module of another name. */
function callsImported(
  { tokens, partner }: TokenList,
  at: number,
  { functions, modules }: AssertionImports,
): boolean {
  const token = tokens[at];
  if (token?.type !== 'name' || isMark(tokens[at - 1], '.') || isName(tokens[at - 1], 'function'))
    return false;
  // Already read above, more carefully.
  if (/^(?:expect|assert|should|test|it|describe)$/.test(token.text)) return false;
  if (functions.has(token.text)) return isMark(tokens[at + 1], '(') && callBites(tokens, partner, at + 1);
  return (
    modules.has(token.text) &&
    isMark(tokens[at + 1], '.') &&
    (TAP_METHODS.has(tokens[at + 2]?.text ?? '') || MODULE_METHODS.has(tokens[at + 2]?.text ?? '')) &&
    isMark(tokens[at + 3], '(') &&
    callBites(tokens, partner, at + 3)
  );
}

/** `expect(x)` alone checks nothing; nor does comparing a constant with a constant or a name with itself. */
function expectBites(tokens: Token[], partner: Int32Array, open: number): boolean {
  const close = partner[open] ?? -1;
  if (close === -1) return true;
  if (!isMark(tokens[close + 1], '.')) return false;
  let at = close + 1;
  while (isMark(tokens[at], '.') && tokens[at + 1]?.type === 'name') at += 2;
  const constant = isConstant(tokens, open + 1, close);
  if (!isMark(tokens[at], '(')) return !constant;
  const end = partner[at] ?? -1;
  if (end === -1) return true;
  if (constant && isConstant(tokens, at + 1, end)) return false;
  return !sameNames(tokens, open + 1, close, at + 1, end);
}

const MODULES =
  /^(?:(?:node:)?assert(?:\/strict)?|uvu\/assert|chai|power-assert|@japa\/assert|@std\/(?:assert|expect)|.*\/std(?:@[^/]*)?\/(?:testing\/asserts|assert\/mod)\.ts)$/;
/** Longer than any handwritten code; without a limit, crafted text would take forever. */
const MAX_CLAUSE = 200;

interface AssertionImports {
  /** Functions that assert and are called by their own name. */
  functions: ReadonlySet<string>;
  /** Names of modules whose methods assert. */
  modules: ReadonlySet<string>;
}

/** The imports of a JavaScript file from assertion modules: `import { equal } from 'node:assert'`, or by require. */
function assertionImports(tokens: readonly Token[]): AssertionImports {
  const functions = new Set<string>();
  const modules = new Set<string>(['assert']);
  for (const [at, token] of tokens.entries()) {
    if (token.type !== 'name') continue;
    if (token.text === 'import' && !isMark(tokens[at + 1], '(')) {
      const end = findFrom(tokens, at + 1, ({ type }) => type === 'string');
      if (MODULES.test(tokens[end]?.text ?? '')) take(tokens.slice(at + 1, end));
    } else if (/^(?:const|let|var)$/.test(token.text)) {
      const end = findFrom(tokens, at + 1, (one) => isMark(one, '='));
      const source = tokens[end + 1];
      const isModule =
        (isName(source, 'require') && MODULES.test(tokens[end + 3]?.text ?? '')) ||
        (source?.type === 'name' && modules.has(source.text) && !isMark(tokens[end + 2], '('));
      if (isModule) take(tokens.slice(at + 1, end));
    }
  }
  return { functions, modules };

  /** In braces, names of functions; otherwise the module itself. */
  function take(clause: readonly Token[]): void {
    const open = clause.findIndex((one) => isMark(one, '{'));
    for (const [at, { type, text }] of clause.entries()) {
      if (type !== 'name' || text === 'from' || text === 'as' || text === 'type') continue;
      if (isName(clause[at + 1], 'as') || isMark(clause[at + 1], ':')) continue;
      (open !== -1 && at > open ? functions : modules).add(text);
    }
  }
}

function findFrom(tokens: readonly Token[], start: number, fits: (token: Token) => boolean): number {
  for (let at = start; at < Math.min(start + MAX_CLAUSE, tokens.length); at += 1) {
    const token = tokens[at] as Token;
    if (fits(token)) return at;
    if (isMark(token, ';') || isMark(token, '(')) return -1;
  }
  return -1;
}

const TEST_CALL = /^(?:test|it|serial|only|skip|todo|failing|specify)$/;
/** Parameters of callbacks that end a test. */
const ENDS = /^(?:done|cb|callback|next|end|_)$/;
const LONGEST_TITLE = 60;

/** The names of the first parameters of a file's tests: in ava, tap and tape they assert. */
function testParameters({ tokens, partner }: TokenList): Set<string> {
  const found = new Set<string>();
  for (const [at, token] of tokens.entries()) {
    if (token.type !== 'name' || !TEST_CALL.test(token.text) || !isMark(tokens[at + 1], '(')) continue;
    const name = firstParameter(tokens, callbackStart(tokens, partner, at + 2));
    if (name !== undefined && !ENDS.test(name)) found.add(name);
  }
  return found;
}

/** After the title and, if there are any, the options. */
function callbackStart(tokens: Token[], partner: Int32Array, start: number): number {
  let at = start;
  while (at < Math.min(start + LONGEST_TITLE, tokens.length) && !isMark(tokens[at], ',')) {
    if (isMark(tokens[at], ')')) return -1;
    at = Math.max(at, partner[at] ?? -1) + 1;
  }
  if (!isMark(tokens[at], ',')) return -1;
  return isMark(tokens[at + 1], '{') ? (partner[at + 1] ?? -3) + 2 : at + 1;
}

/** Of `(t) =>`, `t =>` or `function (t) {`. */
function firstParameter(tokens: Token[], start: number): string | undefined {
  if (start < 0) return undefined;
  let at = isName(tokens[start], 'async') ? start + 1 : start;
  if (isName(tokens[at], 'function')) while (at < start + 5 && !isMark(tokens[at], '(')) at += 1;
  if (isMark(tokens[at], '(')) at += 1;
  else if (!isMark(tokens[at + 1], '=>')) return undefined;
  return tokens[at]?.type === 'name' ? tokens[at]?.text : undefined;
}
