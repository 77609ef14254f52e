import { describe, expect, it } from 'vitest';
import {
  type CompareTestsOptions,
  compareTestFiles,
} from '../../../src/verification/test-files/compare-test-files.ts';

type Files = Record<string, string>;
const list = (files: Files) => Object.entries(files).map(([path, text]) => ({ path, text }));
const compare = (base: Files, candidate: Files, options?: CompareTestsOptions) =>
  compareTestFiles(list(base), list(candidate), options);
const short = (...input: Parameters<typeof compare>) =>
  compare(...input).map(({ severity, type, file, name }) => [severity, type, name ?? file].join(' '));

const JS = `
describe('sum', () => {
  it('adds', () => { expect(sum(1, 2)).toBe(3); expect(sum(2, 2)).toBe(4) });
  it('subtracts', () => { expect(sum(1, -2)).toBe(-1) });
});`;
const RUST = '/// ```\n/// assert_eq!(add(1, 2), 3);\n/// ```\npub fn add(a: u8, b: u8) -> u8 { a + b }\n';
const PYTHON = 'def test_add():\n    assert add(1, 2) == 3\n\ndef test_sub():\n    assert sub(1, 2) == -1\n';

describe('lost are', () => {
  it.each<[string, Files, Files, string]>([
    ['a file', { 'a.test.ts': JS }, {}, 'fail file-deleted a.test.ts'],
    [
      'a replaced file',
      { 'a.test.ts': JS },
      { 'b.test.ts': "it('x', () => { expect(y).toBe(1) })" },
      'fail file-deleted a.test.ts',
    ],
    [
      'a test',
      { 'a.test.ts': JS },
      { 'a.test.ts': JS.replace(/it\('subtracts.*/, '') },
      'fail removed sum > subtracts',
    ],
    [
      'a test in a comment',
      { 'a.test.ts': JS },
      { 'a.test.ts': JS.replace("it('subtracts", "// it('subtracts") },
      'fail removed sum > subtracts',
    ],
    [
      'a skipped test',
      { 'a.test.ts': JS },
      { 'a.test.ts': JS.replace("it('subtracts", "it.skip('subtracts") },
      'fail skipped sum > subtracts',
    ],
    [
      'a test turned into a todo',
      { 'a.test.ts': JS },
      { 'a.test.ts': JS.replace(/it\('subtracts.*/, "it.todo('subtracts')") },
      'fail skipped sum > subtracts',
    ],
    [
      'an emptied test',
      { 'a.test.ts': JS },
      { 'a.test.ts': JS.replace(/it\('subtracts.*/, "it('subtracts', () => {})") },
      'fail emptied sum > subtracts',
    ],
    [
      'a test without an assertion',
      { 'a.test.ts': JS },
      { 'a.test.ts': JS.replace('expect(sum(1, -2)).toBe(-1)', 'sum(1, -2)') },
      'fail emptied sum > subtracts',
    ],
    [
      'an example of Rust without an assertion',
      { 'src/lib.rs': RUST },
      { 'src/lib.rs': `// More.\n${RUST.replace('assert_eq!(add(1, 2), 3)', 'add(1, 2)')}` },
      'fail emptied add',
    ],
    [
      'an example of Rust that is expected to fail',
      { 'src/lib.rs': RUST },
      { 'src/lib.rs': RUST.replace('```', '```should_panic') },
      'fail emptied add',
    ],
    [
      'an ignored example of Rust',
      { 'src/lib.rs': RUST },
      { 'src/lib.rs': RUST.replace('```', '```ignore') },
      'fail skipped add',
    ],
    [
      'a test that always holds',
      { 'a.test.ts': JS },
      { 'a.test.ts': JS.replace('expect(sum(1, -2)).toBe(-1)', 'sum(1, -2); expect(true).toBe(true)') },
      'fail emptied sum > subtracts',
    ],
    [
      'a test that returns at once',
      { 'a.test.ts': JS },
      { 'a.test.ts': JS.replace('{ expect(sum(1, -2))', '{ return; expect(sum(1, -2))') },
      'fail emptied sum > subtracts',
    ],
    [
      'a test in Python',
      { 'test_a.py': PYTHON },
      { 'test_a.py': PYTHON.replace('def test_sub', 'def off_sub') },
      'fail removed test_sub',
    ],
    [
      'a skipped test in Python',
      { 'test_a.py': PYTHON },
      { 'test_a.py': PYTHON.replace('def test_sub', '@pytest.mark.skip\ndef test_sub') },
      'fail skipped test_sub',
    ],
    [
      'a test in Python that passes',
      { 'test_a.py': PYTHON },
      { 'test_a.py': PYTHON.replace('assert sub(1, 2) == -1', 'pass') },
      'fail emptied test_sub',
    ],
  ])('%s', (_, base, candidate, expected) => {
    expect(short(base, candidate)).toEqual([expected]);
  });

  it('tests next to one marked only, anywhere', () => {
    expect(short({ 'a.test.ts': JS }, { 'a.test.ts': JS.replace('it(', 'it.only(') })).toEqual([
      'fail skipped sum > subtracts',
      'fail only a.test.ts',
    ]);
    expect(
      short(
        { 'a.test.ts': JS },
        { 'a.test.ts': JS, 'b.test.ts': "it.only('x', () => { expect(y).toBe(1) })" },
      ),
    ).toEqual(['fail only b.test.ts']);
  });

  it('many tests that became a table with fewer rows', () => {
    const base = [1, 2, 3]
      .map((n) => `it('case ${n}', () => { const value = make(${n}); expect(value).toBe(${n}) });`)
      .join('\n');
    const table = "it.each([[1, 1]])('cases', (a, b) => { check(run(a), b); expect(run(a)).toBe(b) })";
    const losses = short({ 'a.test.ts': base }, { 'a.test.ts': table });
    expect(losses.filter((loss) => loss.startsWith('fail')).length).toBeGreaterThanOrEqual(2);
  });

  it.each<[string, Files, string]>([
    [
      'assert of its own',
      { 'a.test.ts': `const expect = () => ({ toBe() {} });\n${JS}` },
      'fail replaced a.test.ts',
    ],
    [
      'assertions from a new file',
      { 'a.test.ts': `import { expect } from './quiet';\n${JS}`, 'quiet.ts': 'export const expect = 1' },
      'fail replaced a.test.ts',
    ],
    [
      'function that replaces it',
      { 'a.test.ts': `const it = (name) => {};\n${JS}` },
      'fail replaced a.test.ts',
    ],
    [
      'assertion method that replaces another',
      { 'a.test.ts': `expect.extend = null;\n${JS}` },
      'fail replaced a.test.ts',
    ],
    [
      'test with fixtures',
      {
        'a.test.ts': `import { it } from './fixtures';\n${JS}`,
        'fixtures.ts': 'export const it = base.extend({})',
      },
      'warn replaced a.test.ts',
    ],
  ])('tests by a %s', (_, candidate, expected) => {
    expect(short({ 'a.test.ts': JS }, candidate)).toEqual([expected]);
  });

  it.each([
    [
      'a variable of a test',
      `${JS}\ntest('iterates', () => { const it = list.values(); expect(it.next()).toBe(1); });`,
    ],
    ['the library that is required', `const chai = require('chai');\nvar expect = chai.expect;\n${JS}`],
  ])('no tests by %s', (_, text) => {
    expect(short({ 'a.test.ts': JS }, { 'a.test.ts': text })).toEqual([]);
  });

  it('no tests by another package, or an extended test', () => {
    const now = `import { expect, test as base } from '@playwright/test';\nconst it = base.extend({});\n${JS}`;
    expect(
      short({ 'a.test.ts': `import { expect, it } from 'vitest';\n${JS}` }, { 'a.test.ts': now }),
    ).toEqual([]);
  });

  it('reported with the names of the lost tests', () => {
    expect(compare({ 'a.test.ts': JS }, {})[0]?.words).toMatch(/\b2\b.*"sum > adds", "sum > subtracts"/);
  });
});

describe('not lost, at most a warning, are', () => {
  it.each<[string, Files, Files, string[]]>([
    ['unchanged tests', { 'a.test.ts': JS }, { 'a.test.ts': JS }, []],
    [
      'new tests',
      { 'a.test.ts': JS },
      { 'a.test.ts': `${JS}\nit('new', () => { expect(x).toBe(1) })`, 'b.test.ts': JS },
      [],
    ],
    [
      'formatted tests',
      { 'a.test.ts': JS },
      { 'a.test.ts': JS.replaceAll("'", '"').replaceAll('; ', ';\n\n').replaceAll('it(', 'test(') },
      [],
    ],
    [
      'a test with another expectation',
      { 'a.test.ts': JS },
      { 'a.test.ts': JS.replace('toBe(-1)', 'toBe(-2)') },
      [],
    ],
    [
      'a test that runs again',
      { 'a.test.ts': JS.replace("it('adds", "it.skip('adds") },
      { 'a.test.ts': JS },
      [],
    ],
    [
      'a test that was skipped before',
      { 'a.test.ts': JS.replace("it('adds", "it.skip('adds") },
      { 'a.test.ts': JS.replace(/it\('adds.*/, '') },
      ['warn removed sum > adds'],
    ],
    [
      'a moved file',
      { 'a.test.ts': JS },
      { 'b/a.test.ts': JS },
      ['warn moved a.test.ts', 'warn moved sum > adds', 'warn moved sum > subtracts'],
    ],
    [
      'a renamed test',
      { 'a.test.ts': JS },
      { 'a.test.ts': JS.replace('adds', 'adds two numbers') },
      ['warn renamed sum > adds'],
    ],
    [
      'a renamed suite',
      { 'a.test.ts': JS },
      { 'a.test.ts': JS.replace("'sum'", "'the sum'") },
      ['warn renamed sum > adds', 'warn renamed sum > subtracts'],
    ],
    [
      'a test that was renamed and changed',
      { 'a.test.ts': JS },
      { 'a.test.ts': JS.replace("'adds'", "'adds numbers'").replace('toBe(4)', 'toBe(5)') },
      ['warn renamed sum > adds'],
    ],
    [
      'a test with fewer assertions, since its base version is run',
      { 'a.test.ts': JS },
      { 'a.test.ts': JS.replace('expect(sum(1, 2)).toBe(3);', '') },
      [],
    ],
    [
      'a test with fewer assertions next to the code it tests',
      { 'src/lib.rs': '#[test]\nfn adds() {\n  assert_eq!(add(1, 2), 3);\n  assert_eq!(add(1, 3), 4);\n}\n' },
      { 'src/lib.rs': '#[test]\nfn adds() {\n  assert_eq!(add(1, 2), 3);\n}\n' },
      ['warn weakened adds'],
    ],
    [
      'a test under a condition',
      { 'a.test.ts': JS },
      { 'a.test.ts': JS.replace("it('adds", "it.skipIf(win)('adds") },
      ['warn conditional sum > adds'],
    ],
    [
      'a renamed test in Python',
      { 'test_a.py': PYTHON },
      { 'test_a.py': PYTHON.replace('test_sub', 'test_subtraction') },
      ['warn renamed test_sub'],
    ],
    [
      'a class around tests in Python',
      { 'test_a.py': PYTHON },
      {
        'test_a.py':
          'class TestMath:\n    def test_add(self):\n        assert add(1, 2) == 3\n\n    def test_sub(self):\n        assert sub(1, 2) == -1\n',
      },
      ['warn renamed test_add', 'warn renamed test_sub'],
    ],
    ['a file without tests', { 'test/setup.ts': 'export {}' }, {}, []],
  ])('%s', (_, base, candidate, expected) => {
    expect(short(base, candidate)).toEqual(expected);
  });

  it('a test with a similar name and another body', () => {
    const base = "it('loses none of 500 episodes and doubles none', () => { expect(a).toBe(1) })";
    const now =
      "it('loses none of its 500 episodes and doubles none', () => { const b = run(x, y); expect(b.size).toEqual(500) })";
    expect(short({ 'a.test.ts': base }, { 'a.test.ts': now })).toEqual([
      'warn renamed loses none of 500 episodes and doubles none',
    ]);
  });

  const EXPORTS = `const fn = require('../src');
test('shop', (t) => {
  t.is(typeof fn, 'function', 'exports a function');
  t.is(typeof fn(), 'string', 'returns a string');
  t.end();
});
`;

  it('a test that was renamed and got further assertions', () => {
    const now = `const mod = require('../src');
test('exports', (t) => {
  t.is(typeof mod.default, 'function', 'exports a default function');
  t.is(typeof mod.shop, 'function', 'exports a named function');
  t.ok(mod.default === mod.shop, 'exports are equal');
  t.is(typeof mod.default(), 'string', 'returns a string');
  t.is(typeof mod.shop(), 'string', 'returns a string');
  t.end();
});
`;
    expect(short({ 'a.test.js': EXPORTS }, { 'a.test.js': now })).toEqual(['warn renamed shop']);
  });

  it.each([
    [
      'with more code but no more assertions',
      [
        "t.is(typeof fn, 'function', 'exports a function');",
        "t.ok(true, 'exports a string');",
        ...['a', 'b', 'c', 'd', 'e'].map((name) => `const ${name} = load(read('${name}'), { name: 1 });`),
      ],
    ],
    [
      'of something else',
      ["t.equal(load('a'), 1);", "t.equal(load('b'), 2);", "t.deepEqual(list(), ['a', 'b']);"],
    ],
  ])('but lost is a test that was replaced by one %s', (_, lines) => {
    const now = `const fn = require('../src');\ntest('loads', (t) => {\n${lines.join('\n')}\nt.end();\n});\n`;
    expect(short({ 'a.test.js': EXPORTS }, { 'a.test.js': now })).toEqual(['fail removed shop']);
  });

  it('a file renamed in git', () => {
    expect(
      short({ 'a.test.ts': JS }, { 'b.test.ts': JS }, { renames: new Map([['a.test.ts', 'b.test.ts']]) }),
    ).toEqual(['warn moved sum > adds', 'warn moved sum > subtracts']);
  });

  it('tests that became the rows of a table', () => {
    const base = [1, 2, 3].map((n) => `it('case ${n}', () => { expect(run(${n})).toBe(${n}) });`).join('\n');
    const table =
      "it.each([[1, 1], [2, 2], [3, 3]])('cases', (a, b) => { const found = run(a); log(found); expect(found).toBe(b) })";
    expect(
      short({ 'a.test.ts': base }, { 'a.test.ts': table }).filter((loss) => loss.startsWith('fail')),
    ).toEqual([]);
    const python = [1, 2, 3].map((n) => `def test_${n}():\n    assert run(${n}) == ${n}\n`).join('\n');
    const rows =
      '@pytest.mark.parametrize("n", [1, 2, 3])\ndef test_all(n):\n    found = run(n)\n    log(found)\n    assert found == n\n';
    expect(
      short({ 'test_a.py': python }, { 'test_a.py': rows }).filter((loss) => loss.startsWith('fail')),
    ).toEqual([]);
  });

  it('assertions that moved into a helper', () => {
    const helper =
      "function expectSum(a, b, c) { expect(sum(a, b)).toBe(c) }\ndescribe('sum', () => {\n it('adds', () => { expectSum(1, 2, 3); expectSum(2, 2, 4) });\n it('subtracts', () => { expectSum(1, -2, -1) });\n});";
    expect(short({ 'a.test.ts': JS }, { 'a.test.ts': helper })).toEqual([]);
  });
});

describe('a person’s permission', () => {
  const gone = { 'a.test.ts': JS.replace(/it\('subtracts.*/, '') };

  it.each<[string, true | string[]]>([
    ['that tests may go', true],
    ['for the file', ['*.test.ts']],
    ['for the test', ['sum > sub*']],
  ])('%s makes a loss accepted', (_, removesTests) => {
    const [loss] = compare({ 'a.test.ts': JS }, gone, { removesTests });
    expect(loss).toMatchObject({ severity: 'accepted', type: 'removed' });
  });

  it('for other tests changes nothing', () => {
    expect(short({ 'a.test.ts': JS }, gone, { removesTests: ['b.test.ts', 'adds'] })).toEqual([
      'fail removed sum > subtracts',
    ]);
  });

  it('for a deleted file applies by the names of all its tests', () => {
    expect(short({ 'a.test.ts': JS }, {}, { removesTests: ['sum > *'] })).toEqual([
      'accepted file-deleted a.test.ts',
    ]);
    expect(short({ 'a.test.ts': JS }, {}, { removesTests: ['sum > adds'] })).toEqual([
      'fail file-deleted a.test.ts',
    ]);
  });
});
