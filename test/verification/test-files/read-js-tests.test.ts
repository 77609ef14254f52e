import { describe, expect, it } from 'vitest';
import { readTestCases } from '../../../src/verification/test-files/read-test-cases.ts';

const read = (text: string, path = 'a.test.ts') => readTestCases(path, text);
const short = (text: string, path?: string) =>
  read(text, path).cases.map(({ name, kind, assertions }) => `${kind} ${name} ${assertions}`);
const only = (text: string) => {
  const [first, ...rest] = read(text).cases;
  if (first === undefined || rest.length > 0)
    throw new Error(`one test is expected, found ${rest.length + 1}`);
  return first;
};

describe('names', () => {
  it('contain the suites around a test', () => {
    expect(
      short(
        "describe('a', () => { describe(`b`, () => { it('c', () => { expect(x).toBe(1) }) }); test(\"d\", async () => expect(y).toBe(2)) })",
      ),
    ).toEqual(['active a > b > c 1', 'active a > d 1']);
  });

  it('are found with modifiers, tables and type arguments', () => {
    const text = `
      it.concurrent('a', () => { expect(x).toBe(1) });
      it.each<[string, (a: number) => void]>([['x', f], ['y', g]])('b %s', (x) => { expect(x).toBe(1) });
      test.each\`
        a | b
        \${1} | \${2}
        \${3} | \${4}
      \`('c', ({ a }) => { expect(a).toBe(1) });
      const rows = [1, 2, 3,];
      it.each(rows)('d', (row) => { expect(row).toBe(1) });
      it.each(other())('e', (row) => { expect(row).toBe(1) });
      t.test('f', (t) => { t.equal(a, b) });
      Deno.test({ name: 'g', fn() { assertEquals(a, 1); } });
      it('h ' + i, () => { expect(x).toBe(1) });`;
    const { cases } = read(text);
    expect(cases.map(({ name, rows, assertions }) => [name, rows, assertions])).toEqual([
      ['a', 1, 1],
      ['b %s', 2, 1],
      ['c', 2, 1],
      ['d', 3, 1],
      ['e', null, 1],
      ['f', 1, 1],
      ['g', 1, 1],
      ['h +i', null, 1],
    ]);
  });

  it.each([
    ["/it('x', () => {})/.test('y');", 'in a regular expression'],
    ["// it('x', () => {})\n/* it('y', () => {}) */", 'in comments'],
    ["const a = 'it(\\'x\\', () => {})'; const b = `it('y', () => {}) ${`it('z')`}`;", 'in strings'],
    ["pattern.test('x'); it.step('a', () => {}); test.beforeEach(() => {});", 'in other calls'],
    ["function it(name, body) {}\nimport { it, test } from 'vitest';", 'in definitions'],
  ])('are not found in %j, %s', (text) => {
    expect(read(text)).toMatchObject({ cases: [], uncertain: false, only: 0 });
  });

  it.each([
    ["const a = <p>Don't (</p>;", 'a.test.tsx'],
    ['render(<Foo a="it\'s" b={() => <b>x</b>} {...c} />);', 'a.test.jsx'],
    ['const f = <T,>(x: T) => x; const g = <T extends U>(x: T) => x;', 'a.test.tsx'],
    ['const a = b < c && d > e; const f = g / 2 / h; const i = /[/\'"`]/g;', 'a.test.tsx'],
    ['const a = <string>b; const c = x as Map<string, Array<number>>;', 'a.test.ts'],
    ["const a = `a ${b ? `c ${'}'}` : \"`\"} d`; const e = 'it\\'s';", 'a.test.js'],
    ['return <>{items.map((i) => <li key={i}>{i} isn`t</li>)}</>;', 'a.test.js'],
  ])('are found after %j in %s', (before, path) => {
    const facts = read(`${before}\nit('after', () => { expect(x).toBe(1) })`, path);
    expect(facts.cases.map(({ name }) => name)).toEqual(['after']);
    expect(facts.uncertain).toBe(false);
  });
});

describe('a test does not run', () => {
  it.each([
    "it.skip('a', () => { expect(x).toBe(1) })",
    "xit('a', () => { expect(x).toBe(1) })",
    "describe.skip('s', () => { it('a', () => { expect(x).toBe(1) }) })",
    "xdescribe('s', () => { it('a', () => { expect(x).toBe(1) }) })",
    "it.skipIf(true)('a', () => { expect(x).toBe(1) })",
    "it.runIf(false)('a', () => { expect(x).toBe(1) })",
    "it('a', { skip: true }, () => { expect(x).toBe(1) })",
    "test('a', { skip: 'later' }, () => { expect(x).toBe(1) })",
    "it('a', (ctx) => { ctx.skip(); expect(x).toBe(1) })",
    "it('a', function () { this.skip(); expect(x).toBe(1) })",
    "test.skip(); test('a', async ({ page }) => { await expect(page).toHaveTitle('x') })",
    "it.fails('a', () => { expect(x).toBe(1) })",
    "test.failing('a', () => { expect(x).toBe(1) })",
  ])('in %s', (text) => {
    expect(only(text)).toMatchObject({ kind: 'skipped' });
    expect(only(text).why).not.toBe('');
  });

  it.each(["it.todo('a')", "it('a')", "test('a', { todo: true }, () => {})"])(
    'as it is a todo, in %s',
    (text) => {
      expect(only(text).kind).toBe('todo');
    },
  );

  it('while another one is marked only', () => {
    const facts = read(
      "it('a', () => { expect(x).toBe(1) }); it.only('b', () => { expect(x).toBe(1) }); fdescribe('c', () => { it('d', () => { expect(x).toBe(1) }) })",
    );
    expect(facts.cases.map(({ kind }) => kind)).toEqual(['skipped', 'active', 'active']);
    expect(facts.only).toBe(2);
  });

  it('perhaps, under a condition', () => {
    expect(only("it.skipIf(process.env.CI)('a', () => { expect(x).toBe(1) })")).toMatchObject({
      kind: 'active',
      conditional: true,
    });
  });
});

describe('a test asserts nothing', () => {
  it.each([
    "it('a', () => {})",
    "it('a', async () => { /* later */ })",
    "it('a', function () { return; })",
    "it('a', () => { return; expect(x).toBe(1) })",
    "it('a', () => {\n  return\n  expect(x).toBe(1)\n})",
    "it('a', () => { if (true) return; expect(x).toBe(1) })",
    "it('a', () => { if (false) { expect(x).toBe(1) } })",
    "it('a', () => { try { expect(x).toBe(1) } catch {} })",
    "it('a', () => { try { expect(x).toBe(1) } catch (e) { return; } })",
  ])('in %j', (text) => {
    expect(only(text)).toMatchObject({ kind: 'empty', assertions: 0 });
  });

  it.each([
    'expect(true).toBe(true)',
    'expect(1).toEqual(1)',
    'expect(true).toBeTruthy()',
    "expect('a').not.toBe('b')",
    'expect(x)',
    'expect(x).toBe(x)',
    'assert(true)',
    'assert.ok(true)',
    'assert.equal(1, 1)',
    'assert.strictEqual(x, x)',
    'expect.assertions(1)',
    't.pass()',
    't.true(true)',
  ])('by %s', (statement) => {
    expect(only(`it('a', (t) => { ${statement} })`).assertions).toBe(0);
  });

  it.each([
    'expect(x).toBe(1)',
    'await expect(f()).rejects.toThrow()',
    'return expect(f()).resolves.toBe(1)',
    'expect(x).to.be.true',
    'x.should.equal(1)',
    "cy.get('a').should('be.visible')",
    'assert(x)',
    'assert.equal(x, 1)',
    'expect.soft(x).toBe(1)',
    'expect(f()).toBe(f())',
    'expectType(x)',
    'checkThings(x)',
    'fc.assert(fc.property(fc.string(), (s) => s === s))',
    't.is(x, 1)',
    't.matchSnapshot(x)',
    'st.equal(x, 1)',
    "t.type(x, 'function')",
    'if (x) return; expect(x).toBe(1)',
    'if (x) { return }\n expect(x).toBe(1)',
    'try { f() } catch (e) { expect(e).toBe(1) }',
    'try { expect(x).toBe(1) } finally {}',
    'expect(`${a}`).toBe("1")',
  ])('but not by %s', (statement) => {
    expect(only(`it('a', async (t) => { ${statement} })`)).toMatchObject({ kind: 'active', assertions: 1 });
  });

  it.each([
    ["import { equal } from 'node:assert'", 'equal(x, 1)'],
    ["import { strictEqual as same } from 'assert/strict'", 'same(x, 1)'],
    ["import { is } from 'uvu/assert'", 'is(x, 1)'],
    ["import * as is from 'uvu/assert'", 'is.equal(x, 1)'],
    ["const { deepEqual } = require('assert')", 'deepEqual(x, [])'],
    ['const { equal: same } = assert', 'same(x, 1)'],
  ])('but not with %s and %s', (start, statement) => {
    expect(only(`${start};\nit('a', () => { ${statement} })`).assertions).toBe(1);
  });

  it.each([
    ["import { equal } from './equal.js'", 'equal(x, 1)'],
    ["import { equal } from 'node:assert'", 'equal(1, 1)'],
    ["import * as chai from 'chai'", 'chai.use(x)'],
  ])('with %s and %s', (start, statement) => {
    expect(only(`${start};\nit('a', () => { ${statement} })`).assertions).toBe(0);
  });

  it('but not when a helper of the file asserts', () => {
    const text =
      "const same = (a, b) => { expect(a).toEqual(b) };\nfunction both(a) { same(a, 1) }\nit('a', () => { both(x) })";
    expect(only(text).assertions).toBe(1);
  });
});

describe('a body', () => {
  const digest = (text: string) => only(text).bodyDigest;

  it('is the same after formatting, renaming and comments', () => {
    expect(digest("it('a', () => { f('x', [1, 2]); expect(x).toBe(1); })")).toBe(
      digest(
        'test("b", async function () {\n  // why\n  f("x", [\n    1,\n    2,\n  ])\n  expect(x).toBe(1)\n})',
      ),
    );
  });

  it('differs with another value', () => {
    expect(digest("it('a', () => { expect(x).toBe(1) })")).not.toBe(
      digest("it('a', () => { expect(x).toBe(2) })"),
    );
  });
});
