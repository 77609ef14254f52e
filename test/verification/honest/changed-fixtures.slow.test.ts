import { describe } from 'vitest';
import { type HonestChange, passEach } from './honest-change.ts';

const HEAD = "import test from 'node:test';\nimport assert from 'node:assert/strict';\n";
const SUM_OF_ALL = 'export const add = (...numbers) => numbers.reduce((a, b) => a + b, 0);\n';

const TABLE_TEST = `${HEAD}import { add } from '../src/add.js';
import rows from './fixtures/rows.js';

test('adds what the table has', () => {
  for (const [numbers, sum] of rows) assert.equal(add(...numbers), sum);
});
`;
const SPEC_TEST = `${HEAD}import { readdirSync, readFileSync } from 'node:fs';
import { add } from '../src/add.js';

const folder = new URL('./specs/', import.meta.url);
for (const name of readdirSync(folder).filter((name) => name.endsWith('.txt'))) {
  test(name, () => {
    const numbers = readFileSync(new URL(name, folder), 'utf8').split(' ').map(Number);
    const sum = Number(readFileSync(new URL(name.replace('.txt', '.sum'), folder), 'utf8'));
    assert.equal(add(...numbers), sum);
  });
}
`;

/** Product code that checks its arguments and that only tests import. */
const CHECKED = `import assert from 'node:assert/strict';

export function half(number) {
  assert.ok(Number.isFinite(number));
  return number / 3;
}
`;
const CHECKED_TEST = `${HEAD}import { half } from '../src/half.js';

test('halves nothing', () => assert.equal(half(0), 0));
`;

const CHANGES: HonestChange[] = [
  {
    name: 'a fix in product code that asserts something, with its test',
    base: { 'src/half.js': CHECKED, 'test/half.test.js': CHECKED_TEST },
    files: {
      'src/half.js': CHECKED.replace('/ 3', '/ 2'),
      'test/half.test.js': `${CHECKED_TEST}test('halves ten', () => assert.equal(half(10), 5));\n`,
    },
  },
  {
    name: 'a row in a table that one test reads',
    base: {
      'test/add.test.js': TABLE_TEST,
      'test/fixtures/rows.js': 'export default [[[1, 2], 3]];\n',
    },
    files: {
      'src/add.js': SUM_OF_ALL,
      'test/fixtures/rows.js': 'export default [\n  [[1, 2], 3],\n  [[1, 2, 3], 6],\n];\n',
    },
  },
  {
    name: 'two files that become a separate test',
    base: { 'test/add.test.js': SPEC_TEST, 'test/specs/two.txt': '1 2', 'test/specs/two.sum': '3' },
    files: { 'src/add.js': SUM_OF_ALL, 'test/specs/three.txt': '1 2 3', 'test/specs/three.sum': '6' },
  },
];

describe('honest changes with fixtures and files that only tests use', () => {
  passEach(CHANGES);
});
