import { sha256 } from '../../domain/json/json.ts';
import { argumentEnd, callBites, HOLLOW, isConstant, markHelpers } from './call-tokens.ts';
import { lexBraces } from './lex-braces.ts';
import { bodyStart, readBody } from './read-body.ts';
import type { TestCase, TestFileFacts } from './test-case.ts';
import { isMark, isName, type TokenList } from './token.ts';

const FAILS = new Set(['Error', 'Errorf', 'Fatal', 'Fatalf', 'Fail', 'FailNow']);
const SKIPS = new Set(['Skip', 'Skipf', 'SkipNow']);
const ASSERTING = new Set(['assert', 'require', 'is', 'check', 'qt']);
const EXPECTING = new Set(['Expect', 'Eventually', 'Consistently', 'Ω']);
const NOT_HELPERS = new Set([
  HOLLOW,
  'Run',
  'Parallel',
  'Helper',
  'New',
  'Cleanup',
  'Setenv',
  'NewController',
]);
const MAX_DEPTH = 10;
const EXAMPLE = /^Example(?![a-z])/;
const OUTPUT = /^\s*\/\/\s*(?:unordered )?output:/i;

/** Reads the Test functions, named subtests and examples of a Go file. */
export function readGoTests(text: string): TestFileFacts {
  const list = lexBraces(text, 'go');
  const rows = text.split('\n');
  const { tokens, partner } = list;
  const marks = markAssertions(list);
  const file = buildCondition(text);
  const cases: TestCase[] = [];
  const around: { name: string; end: number; skipped: string }[] = [];
  let uncertain = list.uncertain;
  for (let at = 0; at < tokens.length; at += 1) {
    while (around.length > 0 && at > (around.at(-1)?.end ?? 0)) around.pop();
    const found = testAt(list, at, around.length > 0);
    if (found === undefined) continue;
    const open = bodyStart(list, found.from);
    const close = partner[open] ?? -1;
    if (open === -1 || close === -1 || around.length >= MAX_DEPTH) {
      uncertain = true;
      continue;
    }
    const outer = around.at(-1);
    const name = outer === undefined ? found.name : `${outer.name} > ${found.name}`;
    const lines = [tokens[at]?.line ?? 1, tokens[close]?.line ?? 1] as const;
    const read = readCase(list, marks, open, close, name, outer?.skipped || file.skipped);
    const one = EXAMPLE.test(name) ? asExample(read, expectedOutput(rows, lines)) : read;
    at = open;
    if (one === undefined) continue;
    cases.push({ ...one, conditional: file.conditional, lines });
    around.push({ name, end: close, skipped: one.kind === 'skipped' ? one.why : '' });
  }
  return { cases, uncertain, only: 0 };
}

/** An example asserts the output in its last comment. Without one, it never runs. */
function asExample(one: TestCase, output: string | undefined): TestCase | undefined {
  if (output === undefined) return undefined;
  const bodyDigest = sha256(`${one.bodyDigest}${output}`);
  return one.kind === 'skipped'
    ? { ...one, bodyDigest }
    : { ...one, kind: 'active', why: '', assertions: 1, bodyDigest };
}

function expectedOutput(
  rows: readonly string[],
  [first, last]: readonly [number, number],
): string | undefined {
  const body = rows.slice(first - 1, last);
  const start = body.findLastIndex((row) => OUTPUT.test(row));
  return start === -1 ? undefined : body.slice(start).join('\n');
}

/** A Test function, a method of a suite, or inside one a named `t.Run`. */
function testAt(
  { tokens, partner }: TokenList,
  at: number,
  inside: boolean,
): { name: string; from: number } | undefined {
  const token = tokens[at];
  if (isName(token, 'func') && !inside) {
    const receiver = isMark(tokens[at + 1], '(') ? (partner[at + 1] ?? -1) : -1;
    const place = receiver === -1 ? at + 1 : receiver + 1;
    const name = tokens[place]?.text ?? '';
    if (
      !/^(?:Test|Fuzz|Example)(?![a-z])/.test(name) ||
      name === 'TestMain' ||
      !isMark(tokens[place + 1], '(')
    )
      return undefined;
    const suite = receiver === -1 ? '' : `${tokens[receiver - 1]?.text ?? ''} > `;
    return { name: suite + name, from: (partner[place + 1] ?? place) + 1 };
  }
  if (!inside || !isName(token, 'Run') || !isMark(tokens[at - 1], '.') || !isMark(tokens[at + 1], '('))
    return undefined;
  const title = tokens[at + 2];
  return title?.type === 'string' && isMark(tokens[at + 3], ',') && isName(tokens[at + 4], 'func')
    ? { name: title.text, from: at + 5 }
    : undefined;
}

function readCase(
  list: TokenList,
  marks: Uint8Array,
  open: number,
  close: number,
  name: string,
  skipped: string,
): TestCase {
  const facts = readBody(list, marks, open + 1, close);
  const shared = {
    name,
    assertions: facts.assertions,
    bodyDigest: facts.digest,
    sketch: facts.sketch,
    rows: rowsOf(list, open, close),
    conditional: false,
    lines: [1, 1] as const,
  };
  const why = skipped || (skipsItself(list, marks, open, close) ? 'it skips itself' : '');
  if (why !== '') return { ...shared, kind: 'skipped', why };
  if (facts.empty) return { ...shared, kind: 'empty', why: 'its body is empty' };
  if (facts.returnsEarly) return { ...shared, kind: 'empty', why: 'it ends before anything can fail' };
  return { ...shared, kind: 'active', why: '' };
}

/** `t.Skip(…)` as a separate statement before anything can fail. */
function skipsItself(
  { tokens, partner }: TokenList,
  marks: Uint8Array,
  open: number,
  close: number,
): boolean {
  for (let at = open + 1; at < close; at += 1) {
    if (marks[at] === 1) return false;
    if (isMark(tokens[at], '{') && (partner[at] ?? -1) > at) at = partner[at] ?? at;
    else if (
      tokens[at]?.type === 'name' &&
      SKIPS.has(tokens[at]?.text ?? '') &&
      isMark(tokens[at - 1], '.') &&
      isMark(tokens[at + 1], '(')
    )
      return true;
  }
  return false;
}

/** Subtests with computed names make it a table. */
function rowsOf({ tokens }: TokenList, open: number, close: number): number | null {
  for (let at = open; at < close; at += 1)
    if (
      isName(tokens[at], 'Run') &&
      isMark(tokens[at - 1], '.') &&
      isMark(tokens[at + 1], '(') &&
      tokens[at + 2]?.type === 'name'
    )
      return null;
  return 1;
}

function markAssertions(list: TokenList): Uint8Array {
  const { tokens, partner } = list;
  const marks = new Uint8Array(tokens.length);
  for (const [at, token] of tokens.entries()) {
    if (token.type !== 'name' || !isMark(tokens[at + 1], '(') || isName(tokens[at - 1], 'func')) continue;
    const receiver = isMark(tokens[at - 1], '.') ? (tokens[at - 2]?.text ?? '') : undefined;
    if (receiver !== undefined && ASSERTING.has(receiver)) {
      const first = argumentEnd(tokens, partner, at + 2);
      const end = partner[at + 1] ?? -1;
      const takesTest = isMark(tokens[first], ',') && first === at + 3;
      if (!(takesTest ? isConstant(tokens, first + 1, end) : !callBites(tokens, partner, at + 1)))
        marks[at] = 1;
    } else if (receiver !== undefined && FAILS.has(token.text)) marks[at] = 1;
    else if (
      receiver !== undefined &&
      /^(?:s|suite|ts)$/.test(receiver) &&
      /^[A-Z]/.test(token.text) &&
      !NOT_HELPERS.has(token.text) &&
      !SKIPS.has(token.text)
    ) {
      if (callBites(tokens, partner, at + 1)) marks[at] = 1;
    } else if (EXPECTING.has(token.text)) marks[at] = 1;
    // A function that gets the test may fail it.
    else if (
      isName(tokens[at + 2], 't') &&
      (isMark(tokens[at + 3], ',') || isMark(tokens[at + 3], ')')) &&
      !NOT_HELPERS.has(token.text)
    )
      marks[at] = 1;
  }
  markHelpers(list, marks, 'func');
  return marks;
}

function buildCondition(text: string): { skipped: string; conditional: boolean } {
  for (const line of text.slice(0, 4000).split('\n', 60)) {
    if (line.startsWith('package ')) break;
    if (!/^\/\/(?:go:build|\s?\+build)\s/.test(line)) continue;
    if (/\b(?:ignore|never|disabled|none)\b/.test(line))
      return { skipped: 'its file is not built', conditional: false };
    return { skipped: '', conditional: true };
  }
  return { skipped: '', conditional: false };
}
