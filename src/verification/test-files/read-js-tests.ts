import { assertionSources } from './assertion-sources.ts';
import { argumentEnd } from './call-tokens.ts';
import { markJsAssertions } from './js-assertions.ts';
import { lexBraces } from './lex-braces.ts';
import { readBody } from './read-body.ts';
import { arrayLengths, type JsCall, readJsCall } from './read-js-call.ts';
import type { SuiteLines, TestCase, TestFileFacts } from './test-case.ts';
import { isMark, isName, type Token, type TokenList } from './token.ts';

const MAX_DEPTH = 20;

/** Each of them is read once for every test around it. */
const MAX_TESTS_IN_TESTS = 5;

interface Suite {
  name: string;
  end: number;
  skipped: Skip | undefined;
  only: boolean;
  conditional: boolean;
  /** A test may contain tests too, but only those started through its parameter. */
  isTest: boolean;
}

interface Found extends TestCase {
  only: boolean;
}

/** Reads the tests of a JavaScript or TypeScript file for vitest, jest, mocha, node:test and similar runners. */
export function readJsTests(path: string, text: string): TestFileFacts {
  const list = lexBraces(text, /\.(?:[cm]?ts)$/.test(path) ? 'js' : 'jsx');
  const marks = markJsAssertions(list);
  const arrays = arrayLengths(list);
  const found: Found[] = [];
  const suites: Suite[] = [];
  const suiteLines: SuiteLines[] = [];
  let uncertain = list.uncertain;
  let onlyCount = 0;
  let fileSkipped = '';
  for (let at = 0; at < list.tokens.length; at += 1) {
    while (suites.length > 0 && at > (suites.at(-1)?.end ?? 0)) suites.pop();
    const call = readJsCall(list, at, arrays);
    if (call === undefined) continue;
    if (isRuntimeSkip(list, call)) {
      // Playwright: `test.skip()` skips the enclosing suite.
      if (isSkipForSure(list, call)) {
        const around = suites.at(-1);
        if (around === undefined) fileSkipped = 'the file skips its tests';
        else around.skipped ??= { kind: 'skipped', why: 'its suite is skipped' };
      }
      continue;
    }
    const title = readTitle(list, call);
    if (title === undefined) continue;
    if (suites.at(-1)?.isTest && !isMark(list.tokens[at - 1], '.')) continue;
    const word = list.tokens[at]?.text ?? '';
    const only = call.modifiers.includes('only') || /^f(?:it|test|describe)$/.test(word);
    if (only) onlyCount += 1;
    const around = suites.at(-1);
    const skipped = around?.skipped ?? findSkip(call, word);
    const name = around === undefined ? title.text : `${around.name} > ${title.text}`;
    const conditional =
      (around?.conditional ?? false) || call.conditions.some(({ value }) => !/^(?:true|false)$/.test(value));
    if (suites.length >= MAX_DEPTH || suites.filter(({ isTest }) => isTest).length >= MAX_TESTS_IN_TESTS) {
      uncertain = true;
      continue;
    }
    const lines = [list.tokens[at]?.line ?? 1, list.tokens[call.close]?.line ?? 1] as const;
    if (!call.isSuite) {
      const isOnly = only || (around?.only ?? false);
      found.push({
        ...readCase(list, marks, call, title.end, name, skipped),
        only: isOnly,
        // A computed name belongs to as many tests as the loop around it has iterations.
        rows: call.rows === 1 && title.isMade ? null : call.rows,
        lines,
        conditional,
      });
    } else suiteLines.push({ name, lines });
    const own: Suite = {
      name,
      end: call.close,
      skipped,
      only: only || (around?.only ?? false),
      conditional,
      isTest: !call.isSuite,
    };
    suites.push(own);
    at = call.open;
  }
  const cases = found.map(({ only, ...one }) => {
    if (one.kind !== 'active') return one;
    if (fileSkipped !== '') return { ...one, kind: 'skipped' as const, why: fileSkipped };
    return onlyCount > 0 && !only
      ? { ...one, kind: 'skipped' as const, why: 'another test is marked only' }
      : one;
  });
  return { cases, uncertain, only: onlyCount, suites: suiteLines, sources: assertionSources(list) };
}

function isRuntimeSkip({ tokens }: TokenList, call: JsCall): boolean {
  const last = call.modifiers.at(-1);
  const first = tokens[call.open + 1];
  if (last !== 'skip' && last !== 'fixme' && last !== 'slow') return false;
  return call.close === call.open + 1 || (first?.type !== 'string' && argumentIsBare(tokens, call));
}

/** Without a function it is a condition, not a test. */
function argumentIsBare(tokens: Token[], call: JsCall): boolean {
  const last = tokens[call.close - 1];
  return !isMark(last, '}') && call.close - call.open < 30;
}

function isSkipForSure({ tokens }: TokenList, call: JsCall): boolean {
  return (
    call.modifiers.at(-1) !== 'slow' &&
    (call.close === call.open + 1 || isName(tokens[call.open + 1], 'true'))
  );
}

function readTitle(
  { tokens, partner }: TokenList,
  call: JsCall,
): { text: string; end: number; isMade: boolean } | undefined {
  const first = tokens[call.open + 1];
  const end = Math.min(argumentEnd(tokens, partner, call.open + 1), call.close);
  const isFunction = first?.type === 'name' && /^(?:async|function)$/.test(first.text);
  if (isMark(first, '{') || isFunction || (isMark(first, '(') && isMark(tokens[end - 1], '}'))) {
    const at = keyPlace(tokens, call.open + 1, end, 'name');
    const text = at === -1 ? '(without a name)' : (tokens[at + 2]?.text ?? '');
    return { text, end: call.open + 1, isMade: false };
  }
  if (first?.type !== 'string' && end >= call.close) return undefined;
  const words = tokens.slice(call.open + 1, Math.min(end, call.open + 40));
  const text = words.map((token) => token.text).join('');
  return { text, end, isMade: words.length > 1 || first?.type !== 'string' || text.includes('${') };
}

function keyPlace(tokens: Token[], start: number, end: number, key: string): number {
  for (let at = start; at < Math.min(end, start + 200); at += 1)
    if (isName(tokens[at], key) && isMark(tokens[at + 1], ':')) return at;
  return -1;
}

/** Why a test does not run, and whether it is a todo. */
interface Skip {
  kind: 'skipped' | 'todo';
  why: string;
}

const MARKED_SKIP: Skip = { kind: 'skipped', why: 'it is marked skip' };
const MARKED_TODO: Skip = { kind: 'todo', why: 'it is marked todo' };
const MARKED_FAILING: Skip = { kind: 'skipped', why: 'it is marked as failing' };

function findSkip(call: JsCall, word: string): Skip | undefined {
  if (call.modifiers.some((one) => one === 'skip' || one === 'ignore' || one === 'fixme') || /^x/.test(word))
    return MARKED_SKIP;
  if (call.modifiers.includes('todo')) return MARKED_TODO;
  if (call.modifiers.some((one) => one === 'failing' || one === 'fails')) return MARKED_FAILING;
  for (const { name, value } of call.conditions) {
    if (name === 'skipIf' && value === 'true')
      return { kind: 'skipped', why: 'its skip condition is always true' };
    if (name === 'runIf' && value === 'false')
      return { kind: 'skipped', why: 'its run condition is always false' };
  }
  return undefined;
}

function readCase(
  list: TokenList,
  marks: Uint8Array,
  call: JsCall,
  from: number,
  name: string,
  skipped: Skip | undefined,
): TestCase {
  const { tokens } = list;
  const parts = readArguments(list, call, from);
  const facts = readBody(list, marks, parts.start, parts.end);
  const skip = skipped ?? parts.skip ?? firstSkip(tokens, parts.start, parts.end);
  // A function defined elsewhere may assert something.
  const assertions = parts.isFunction ? facts.assertions : 1;
  const shared = {
    name,
    assertions,
    bodyDigest: facts.digest,
    sketch: facts.sketch,
    rows: 1,
    conditional: false,
    lines: [1, 1] as const,
  };
  if (call.modifiers.includes('todo') || skip?.kind === 'todo' || !parts.exists)
    return { ...shared, assertions: 0, kind: 'todo', why: skip?.why ?? 'it has no body' };
  if (skip) return { ...shared, ...skip };
  if (parts.isFunction && facts.empty) return { ...shared, kind: 'empty', why: 'its body is empty' };
  if (facts.returnsEarly)
    return { ...shared, kind: 'empty', why: 'it ends or swallows failures before anything can fail' };
  return { ...shared, kind: 'active', why: '' };
}

/** Finds the function among the arguments, and the options before it. */
function readArguments(
  { tokens, partner }: TokenList,
  call: JsCall,
  from: number,
): { start: number; end: number; skip: Skip | undefined; exists: boolean; isFunction: boolean } {
  let skip: Skip | undefined;
  for (let at = from; at < call.close; at += 1) {
    const token = tokens[at];
    if (isMark(token, '=>') || isName(token, 'function')) {
      let open = at + 1;
      if (!isMark(token, '=>'))
        while (open < call.close && !isMark(tokens[open], '{'))
          open =
            isMark(tokens[open], '(') && (partner[open] ?? -1) > open
              ? (partner[open] ?? open) + 1
              : open + 1;
      const close = partner[open] ?? -1;
      if (isMark(tokens[open], '{'))
        return {
          start: open + 1,
          end: close === -1 ? call.close : close,
          skip,
          exists: true,
          isFunction: true,
        };
      return {
        start: open,
        end: Math.min(argumentEnd(tokens, partner, open), call.close),
        skip,
        exists: true,
        isFunction: true,
      };
    }
    const close = partner[at] ?? -1;
    if (isMark(token, '{')) skip ??= skipOption(tokens, at, close === -1 ? call.close : close);
    // The function may be in an object, as `fn`.
    if (close > at && !(from === call.open + 1 && at === from && isMark(token, '{'))) at = close;
  }
  const exists = call.close > from + 1;
  return { start: Math.min(from + 1, call.close), end: call.close, skip, exists, isFunction: false };
}

function skipOption(tokens: Token[], open: number, close: number): Skip | undefined {
  for (let at = open + 1; at < Math.min(close, open + 60); at += 1) {
    if (!isMark(tokens[at + 1], ':')) continue;
    const value = tokens[at + 2];
    const holds = isName(value, 'true') || value?.type === 'string';
    if (holds && (isName(tokens[at], 'skip') || isName(tokens[at], 'ignore'))) return MARKED_SKIP;
    if (holds && isName(tokens[at], 'todo')) return MARKED_TODO;
    if (holds && isName(tokens[at], 'fails')) return MARKED_FAILING;
  }
  return undefined;
}

/** `ctx.skip()`, `this.skip()`, `test.skip()` as the first statement. */
function firstSkip(tokens: Token[], start: number, end: number): Skip | undefined {
  if (start + 3 >= end) return undefined;
  const [receiver, dot, method, open] = tokens.slice(start, start + 4);
  const isSkip = isName(method, 'skip') || isName(method, 'fixme') || isName(method, 'pending');
  if (!isSkip || receiver?.type !== 'name' || !isMark(dot, '.') || !isMark(open, '(')) return undefined;
  const first = tokens[start + 4];
  const always = isMark(first, ')') || first?.type === 'string' || isName(first, 'true');
  return always ? { kind: 'skipped', why: 'it skips itself' } : undefined;
}
