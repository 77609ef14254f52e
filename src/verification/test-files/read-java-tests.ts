import { callBites } from './call-tokens.ts';
import { lexBraces } from './lex-braces.ts';
import { bodyStart, readBody } from './read-body.ts';
import type { TestCase, TestFileFacts } from './test-case.ts';
import { isMark, isName, type TokenList } from './token.ts';

interface Annotation {
  name: string;
  text: string;
}

const TESTS = new Set([
  'Test',
  'ParameterizedTest',
  'RepeatedTest',
  'TestFactory',
  'TestTemplate',
  'Property',
  'Theory',
]);
const TYPES = new Set(['class', 'interface', 'record', 'enum', 'object']);
const ASSERTION = /^(?:assert\w{0,60}|verify\w{0,60}|fail|expect\w{0,60}|should\w{0,60}|check[A-Z]\w{0,60})$/;
const MAX_DEPTH = 20;

/** Reads the methods of a Java or Kotlin file that are marked as tests. */
export function readJavaTests(text: string): TestFileFacts {
  const list = lexBraces(text, 'java');
  const { tokens, partner } = list;
  const marks = markAssertions(list);
  const cases: TestCase[] = [];
  const types: { name: string; end: number; annotations: Annotation[] }[] = [];
  let annotations: Annotation[] = [];
  let uncertain = list.uncertain;
  for (let at = 0; at < tokens.length; at += 1) {
    while (types.length > 0 && at > (types.at(-1)?.end ?? 0)) types.pop();
    const token = tokens[at];
    if (isMark(token, '@') && tokens[at + 1]?.type === 'name' && !isName(tokens[at + 1], 'interface')) {
      const end = annotationEnd(list, at + 1);
      const text = tokens
        .slice(at + 1, Math.min(end, at + 60))
        .map((one) => one.text)
        .join('');
      annotations.push({ name: /^[\w.]*/.exec(text)?.[0].split('.').at(-1) ?? '', text });
      at = end - 1;
    } else if (token?.type === 'name' && TYPES.has(token.text) && tokens[at + 1]?.type === 'name') {
      const open = bodyStart(list, at + 2);
      const end = open === -1 ? -1 : (partner[open] ?? -1);
      const name = [types.at(-1)?.name, tokens[at + 1]?.text ?? '']
        .filter((one) => one !== undefined)
        .join(' > ');
      if (end !== -1 && types.length < MAX_DEPTH) {
        types.push({ name, end, annotations: [...annotations, ...(types.at(-1)?.annotations ?? [])] });
        at = open;
      } else uncertain ||= end === -1;
      annotations = [];
    } else if (isMark(token, ';') || isMark(token, '}') || isMark(token, '{')) annotations = [];
    else if (isMark(token, '(') && annotations.some(({ name }) => TESTS.has(name))) {
      const open = bodyStart(list, (partner[at] ?? at) + 1);
      const close = open === -1 ? -1 : (partner[open] ?? -1);
      const method = tokens[at - 1]?.text ?? '';
      const name = [types.at(-1)?.name, method].filter((one) => one !== undefined).join(' > ');
      if (close === -1) uncertain = true;
      else {
        cases.push(readCase(list, marks, open, close, name, annotations, types.at(-1)?.annotations ?? []));
        at = close;
      }
      annotations = [];
    }
  }
  return { cases, uncertain, only: 0 };
}

function annotationEnd({ tokens, partner }: TokenList, start: number): number {
  let at = start + 1;
  while (isMark(tokens[at], '.') && tokens[at + 1]?.type === 'name') at += 2;
  return isMark(tokens[at], '(') && (partner[at] ?? -1) > at ? (partner[at] ?? at) + 1 : at;
}

function readCase(
  list: TokenList,
  marks: Uint8Array,
  open: number,
  close: number,
  name: string,
  own: Annotation[],
  outer: Annotation[],
): TestCase {
  const facts = readBody(list, marks, open + 1, close);
  const all = [...own, ...outer];
  const throws = own.some(({ text }) => /^Test\(.{0,80}expected/.test(text)) && !facts.empty ? 1 : 0;
  const shared = {
    name,
    assertions: facts.assertions + throws,
    bodyDigest: facts.digest,
    sketch: facts.sketch,
    rows: own.some(
      (one) => one.name === 'ParameterizedTest' || one.name === 'TestFactory' || one.name === 'Property',
    )
      ? null
      : 1,
    conditional: all.some((one) => /^(?:Enabled|Disabled)(?:On|If|For)/.test(one.name)),
    lines: [list.tokens[open]?.line ?? 1, list.tokens[close]?.line ?? 1] as const,
  };
  const off = all.some(
    (one) => one.name === 'Disabled' || one.name === 'Ignore' || /^Test\(.{0,80}enabled=false/.test(one.text),
  );
  if (off) return { ...shared, kind: 'skipped', why: 'it is marked as disabled' };
  if (facts.empty) return { ...shared, kind: 'empty', why: 'its body is empty' };
  if (facts.returnsEarly)
    return { ...shared, kind: 'empty', why: 'it ends or swallows failures before anything can fail' };
  return { ...shared, kind: 'active', why: '' };
}

function markAssertions({ tokens, partner }: TokenList): Uint8Array {
  const marks = new Uint8Array(tokens.length);
  for (const [at, token] of tokens.entries()) {
    if (token.type !== 'name' || !ASSERTION.test(token.text)) continue;
    if (
      isMark(tokens[at + 1], '(')
        ? callBites(tokens, partner, at + 1)
        : isMark(tokens[at + 1], '{') || token.text === 'shouldBe'
    )
      marks[at] = 1;
  }
  return marks;
}
