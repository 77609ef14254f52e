import { expect, it } from 'vitest';
import {
  changedExamples,
  skippedExamples,
} from '../../../../src/verification/test-files/in-source/changed-examples.ts';

const python = (path: string, ...examples: string[]) => ({
  path,
  text: `def add(a, b):\n    """Adds.\n\n${examples.map((one) => `    >>> ${one.replaceAll('\n', '\n    ')}\n`).join('')}    """\n`,
});
const rust = (path: string, line: string) => ({
  path,
  text: `/// Adds.\n///\n/// \`\`\`\n/// ${line}\n/// \`\`\`\npub fn add(a: i32, b: i32) -> i32 { a + b }\n`,
});

const found = (
  before: Parameters<typeof changedExamples>[0],
  after: Parameters<typeof changedExamples>[1],
  doctests = true,
) => changedExamples(before, after, { doctests }).map(({ type, severity, file }) => [type, severity, file]);

it('an example with another output, or without it, is shown', () => {
  const before = [python('calc.py', 'add(1, 2)\n3', 'add(1,\n... 3)\n4')];
  const shown = [['weakened', 'warn', 'calc.py']];
  expect(found(before, before)).toEqual([]);
  expect(found(before, [python('calc.py', 'add(1, 2)\n4', 'add(1,\n... 3)\n4')])).toEqual(shown);
  expect(found(before, [python('calc.py', 'add(1, 2)\n3', 'add(1,\n... 4)\n4')])).toEqual(shown);
  expect(found(before, [python('calc.py', 'add(1, 2)\n3')])).toEqual(shown);
  expect(found(before, [])).toEqual(shown);
});

it('examples that are moved, added, or not run are not shown', () => {
  const before = [python('calc.py', 'add(1, 2)\n3', '_ = add(3, 4)')];
  expect(found(before, [python('sum.py', 'add(5, 6)\n11', 'add(1, 2)\n3')])).toEqual([]);
  expect(found(before, [python('calc.py', 'add(1, 2)\n4')], false)).toEqual([]);
});

it('in Rust, lines that can fail are compared', () => {
  const before = [rust('src/lib.rs', 'assert_eq!(add(1, 2), 3);')];
  expect(found(before, before, false)).toEqual([]);
  expect(found(before, [rust('src/lib.rs', 'assert_eq!(add(1, 2), 4);')], false)).toEqual([
    ['weakened', 'warn', 'src/lib.rs'],
  ]);
  expect(found([rust('src/lib.rs', 'let _ = add(1, 2);')], [], false)).toEqual([]);
});

it('an example that the change marks to be skipped no longer runs', () => {
  const one = (text: string) => [{ path: 'docs/guide.rst', text }];
  const skip = (before: string, after: string, doctests = true) =>
    skippedExamples(one(before), one(after), { doctests }).map(({ type, severity }) => `${type} ${severity}`);
  const skipped = '>>> add(1, 2)  # doctest: +SKIP\n3\n';
  expect(skip('>>> add(1, 2)\n3\n', skipped)).toEqual(['skipped fail']);
  expect(skip('>>> add(1, 2)\n3\n', skipped, false)).toEqual([]);
  expect(skip(skipped, skipped)).toEqual([]);
  expect(skip('', skipped)).toEqual([]);
  expect(skip('>>> add(1, 2)\n3\n', '>>> add(1, 2)  # doctest: +NORMALIZE_WHITESPACE\n3\n')).toEqual([]);
});
