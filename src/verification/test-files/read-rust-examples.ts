import { bodyDigest, sketchBody } from './read-body.ts';
import type { TestCase } from './test-case.ts';

const FENCE = /^\s{0,3}(`{3,}|~{3,})\s{0,9}(.{0,200})$/;
const OF_RUST =
  /^(?:rust|should_panic|no_run|ignore(?:-\w+)?|compile_fail|edition\d{4}|standalone(?:_crate)?|test_harness|E\d{4})$/;
/** The definition of an item, with its name. */
export const ITEM =
  /^\s*(?:pub(?:\([\w:\s]{1,40}\))?\s{1,9})?(?:(?:default|async|unsafe|const|extern|"C")\s{1,9})*(?:fn|struct|enum|union|trait|mod|type|const|static|macro_rules!)\s{1,9}(?:r#)?(\w{1,100})/;
/** A statement that can fail. */
export const CAN_FAIL =
  /\b(?:debug_)?assert(?:_\w{1,60})?!|\bpanic!|\bunreachable!|\.unwrap(?:_err)?\(\)|\.expect(?:_err)?\(|\?;?\s*$/m;

interface Example {
  marks: string[];
  code: string[];
  lines: [number, number];
}

/** The examples in a file's documentation that rustdoc runs, named by the documented item. */
export function readRustExamples(text: string): TestCase[] {
  const cases: TestCase[] = [];
  const times = new Map<string, number>();
  let waiting: Example[] = [];
  const name = (item: string) => {
    for (const example of waiting) {
      const count = (times.get(item) ?? 0) + 1;
      times.set(item, count);
      cases.push(asCase(example, count === 1 ? item : `${item} #${count}`));
    }
    waiting = [];
  };
  let open: (Example & { fence: string }) | undefined;
  for (const [at, row] of text.split('\n').entries()) {
    const [, sign, doc] = /^\s*\/\/([/!])(?!\/)(.*)$/.exec(row) ?? [];
    if (doc === undefined) {
      open = undefined;
      const item = /^\s*(?:#|$|\/\/)/.test(row) ? undefined : (ITEM.exec(row)?.[1] ?? 'documentation');
      if (waiting.length > 0 && item !== undefined) name(item);
      continue;
    }
    const line = doc.replace(/^ /, '');
    const [, fence = '', given = ''] = FENCE.exec(line) ?? [];
    if (open !== undefined) {
      if (fence.startsWith(open.fence) && given === '') {
        open.lines[1] = at + 1;
        if (isRun(open)) waiting.push(open);
        open = undefined;
        if (sign === '!') name('module');
      } else open.code.push(line);
    } else if (fence !== '') {
      const marks = given
        .replace(/[{}]/g, ' ')
        .split(/[\s,]+/)
        .filter((word) => word !== '');
      open = { fence, marks, code: [], lines: [at + 1, at + 1] };
    }
  }
  name('documentation');
  return cases;
}

function isRun({ marks }: Example): boolean {
  return marks.every((mark) => OF_RUST.test(mark));
}

function asCase({ marks, code, lines }: Example, name: string): TestCase {
  const words = code.flatMap((line) => line.split(/\s+/)).filter((word) => word !== '');
  const fails = marks.some((mark) => /^(?:should_panic|compile_fail)$/.test(mark));
  const asserts = !marks.includes('no_run') && CAN_FAIL.test(withoutComments(code));
  const assertions = fails || asserts ? 1 : 0;
  const shared = {
    name,
    assertions,
    bodyDigest: bodyDigest([...marks, '', ...words]),
    sketch: sketchBody(words),
    rows: 1,
    conditional: false,
    expectsFailure: fails,
    lines,
  };
  if (marks.some((mark) => mark.startsWith('ignore')))
    return { ...shared, kind: 'skipped', why: 'the example is marked ignore' };
  return assertions > 0
    ? { ...shared, kind: 'active', why: '' }
    : { ...shared, kind: 'empty', why: 'nothing in the example can fail' };
}

function withoutComments(code: readonly string[]): string {
  return code.map((line) => line.replace(/\/\/.*$/, '')).join('\n');
}
