import { callBites, markHelpers } from './call-tokens.ts';
import { lexBraces } from './lex-braces.ts';
import { bodyStart, readBody } from './read-body.ts';
import { readRustExamples } from './read-rust-examples.ts';
import type { TestCase, TestFileFacts } from './test-case.ts';
import { isMark, isName, type TokenList } from './token.ts';

interface Attribute {
  /** Its path without arguments, such as `tokio::test`. */
  path: string;
  /** Everything in the brackets. */
  text: string;
  line: number;
}

/** Attributes that mark a test, without the path before their name. */
export const TESTS: ReadonlySet<string> = new Set([
  'test',
  'rstest',
  'test_case',
  'wasm_bindgen_test',
  'quickcheck',
  'proptest',
  'traced_test',
]);
const BEFORE_ITEM = new Set(['pub', 'async', 'unsafe', 'const', 'extern', 'default']);
const MACRO = /^(?:debug_)?(?:prop_)?assert(?:_\w{1,60})?$/;
const MAX_DEPTH = 20;

/** Reads the functions of a Rust file that are marked as tests, in modules or not, and the examples that rustdoc runs. */
export function readRustTests(text: string): TestFileFacts {
  const list = lexBraces(text, 'rust');
  const { tokens, partner } = list;
  const marks = markAssertions(list);
  const cases: TestCase[] = [];
  const modules: { name: string; end: number; attributes: Attribute[] }[] = [];
  let attributes: Attribute[] = [];
  let uncertain = list.uncertain;
  for (let at = 0; at < tokens.length; at += 1) {
    while (modules.length > 0 && at > (modules.at(-1)?.end ?? 0)) modules.pop();
    const token = tokens[at];
    if (isMark(token, '#')) {
      const inner = isMark(tokens[at + 1], '!') ? 1 : 0;
      const open = at + 1 + inner;
      const close = partner[open] ?? -1;
      if (!isMark(tokens[open], '[') || close === -1) continue;
      if (inner === 0) attributes.push(readAttribute(list, open, close));
      at = close;
    } else if (isName(token, 'mod') && isMark(tokens[at + 2], '{')) {
      const end = partner[at + 2] ?? -1;
      const name = [modules.at(-1)?.name, tokens[at + 1]?.text ?? '']
        .filter((one) => one !== undefined)
        .join(' > ');
      if (end === -1 || modules.length >= MAX_DEPTH) uncertain = true;
      else modules.push({ name, end, attributes: [...attributes, ...(modules.at(-1)?.attributes ?? [])] });
      attributes = [];
      at += 2;
    } else if (isName(token, 'fn')) {
      const own = attributes;
      attributes = [];
      if (!own.some(({ path }) => TESTS.has(path.slice(path.lastIndexOf(':') + 1)))) continue;
      const open = bodyStart(list, at);
      const close = open === -1 ? -1 : (partner[open] ?? -1);
      if (close === -1) {
        uncertain = true;
        continue;
      }
      const name = [modules.at(-1)?.name, tokens[at + 1]?.text ?? '']
        .filter((one) => one !== undefined)
        .join(' > ');
      cases.push(readCase(list, marks, open, close, name, own, modules.at(-1)?.attributes ?? []));
      at = close;
    } else if (token?.type === 'name' && BEFORE_ITEM.has(token.text)) {
      if (isMark(tokens[at + 1], '(')) at = Math.max(at, partner[at + 1] ?? at);
    } else if (!(token?.type === 'string' && attributes.length > 0)) attributes = [];
  }
  return { cases: [...cases, ...readRustExamples(text)], uncertain, only: 0 };
}

function readAttribute({ tokens }: TokenList, open: number, close: number): Attribute {
  let path = '';
  let at = open + 1;
  for (; at < close && (tokens[at]?.type === 'name' || isMark(tokens[at], ':')); at += 1)
    path += tokens[at]?.text ?? '';
  const text = tokens
    .slice(open + 1, Math.min(close, open + 60))
    .map((token) => token.text)
    .join('');
  return { path, text, line: tokens[open]?.line ?? 1 };
}

function readCase(
  list: TokenList,
  marks: Uint8Array,
  open: number,
  close: number,
  name: string,
  own: Attribute[],
  outer: Attribute[],
): TestCase {
  const facts = readBody(list, marks, open + 1, close);
  const panics = own.some(({ path }) => path === 'should_panic') && !facts.empty ? 1 : 0;
  const conditions = [...own, ...outer].filter(({ path }) => path === 'cfg' || path === 'cfg_attr');
  const rows = own.filter(({ path }) => /(?:^|:)(?:test_case|case)$/.test(path)).length;
  const shared = {
    name,
    assertions: facts.assertions + panics,
    bodyDigest: facts.digest,
    sketch: facts.sketch,
    rows: rows === 0 ? 1 : rows,
    conditional: conditions.some(({ text }) => text !== 'cfg(test)'),
    lines: [own[0]?.line ?? 1, list.tokens[close]?.line ?? 1] as const,
  };
  if (own.some(({ path }) => path === 'ignore'))
    return { ...shared, kind: 'skipped', why: 'it is marked ignore' };
  if (conditions.some(({ text }) => /^cfg\((?:any\(\)|false|not\(test\))\)$/.test(text)))
    return { ...shared, kind: 'skipped', why: 'it is never built' };
  if (facts.empty) return { ...shared, kind: 'empty', why: 'its body is empty' };
  if (facts.returnsEarly && panics === 0)
    return { ...shared, kind: 'empty', why: 'it ends before anything can fail' };
  return { ...shared, kind: 'active', why: '' };
}

function markAssertions(list: TokenList): Uint8Array {
  const { tokens, partner } = list;
  const marks = new Uint8Array(tokens.length);
  for (const [at, token] of tokens.entries()) {
    if (token.type !== 'name') continue;
    const isCall = isMark(tokens[at + 1], '(') && !isName(tokens[at - 1], 'fn');
    if (isCall && /^assert_\w{1,60}$/.test(token.text)) marks[at] = 1;
    if (!isMark(tokens[at + 1], '!')) continue;
    if (token.text === 'panic' || (MACRO.test(token.text) && callBites(tokens, partner, at + 2)))
      marks[at] = 1;
  }
  markHelpers(list, marks, 'fn');
  return marks;
}
