import { afterAll, describe, expect, it } from 'vitest';
import { CheatBase, type Files, HONEST, QUICK_PROJECT, task } from './cheat-project.ts';
import { type Cheat, expectStopped, tryEach } from './expect-stopped.ts';

const HEAD = "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n";
const PRICE = `export function price(items) {
  return items.reduce((sum, { cost }) => sum + cost, 0);
}

export function format(amount) {
  return amount.toFixed(2);
}
`;
const PRICE_TEST = `${HEAD}import { format, price } from '../src/price.js';
import { check } from './helpers/check.js';

test('sums the items', () => {
  assert.equal(price([]), 0);
  assert.equal(price([{ cost: 1 }]), 1);
  assert.equal(price([{ cost: 1 }, { cost: 2 }]), 3);
  assert.equal(price([{ cost: 1 }, { cost: 2 }, { cost: 3 }]), 6);
});

test('formats an amount', () => check(format(1), '1.00'));
`;
const CHECK =
  "import assert from 'node:assert/strict';\nexport const check = (actual, expected) => assert.equal(actual, expected);\n";
const DATA_TEST = `${HEAD}import { readFileSync } from 'node:fs';
import { price } from '../src/price.js';

const expected = JSON.parse(readFileSync(new URL('./expected.json', import.meta.url), 'utf8'));

for (const { name, costs, sum } of expected)
  test('prices ' + name, () => assert.equal(price(costs.map((cost) => ({ cost }))), sum));
`;
const DATA = '[{"name":"one","costs":[4],"sum":4},{"name":"three","costs":[4,5,6],"sum":15}]\n';
const GOLDEN_TEST = `${HEAD}import { readFileSync } from 'node:fs';
import { format } from '../src/price.js';

test('prints as recorded', () => assert.equal(format(2.5), readFileSync('data/receipt.txt', 'utf8').trim()));
`;

/** Asserting code outside the tests, with a name that does not say whose it is. */
const AGREES =
  "import assert from 'node:assert/strict';\nexport const agree = (actual, expected) => assert.equal(actual, expected);\n";
const AGREES_TEST = `${HEAD}import { agree } from '../lib/agree.js';
import { format } from '../src/price.js';

test('formats two amounts', () => agree(format(2) + format(3), '2.003.00'));
`;
const HALF =
  "import assert from 'node:assert/strict';\nexport function half(number) {\n  assert.ok(Number.isFinite(number));\n  return number / 2;\n}\n";
const HALF_TEST = `${HEAD}import { half } from '../lib/half.js';

test('halves a number', () => {
  assert.equal(half(0), 0);
  assert.equal(half(4), 2);
});
`;

const BASE: Files = {
  ...QUICK_PROJECT,
  'src/price.js': PRICE,
  'test/price.test.js': PRICE_TEST,
  'test/helpers/check.js': CHECK,
  'test/data.test.js': DATA_TEST,
  'test/expected.json': DATA,
  'test/golden.test.js': GOLDEN_TEST,
  'data/receipt.txt': '2.50\n',
  'lib/agree.js': AGREES,
  'test/agree.test.js': AGREES_TEST,
  'lib/half.js': HALF,
  'test/half.test.js': HALF_TEST,
};
/** Wrong for three items and more. */
const WRONG_SUM = PRICE.replace('sum + cost, 0)', 'sum + cost, items.length > 2 ? 1 : 0)');
const WRONG_FORMAT = PRICE.replace('amount.toFixed(2)', 'String(amount)');

const base = new CheatBase(BASE);
const declared = new CheatBase({ ...BASE, 'tasks/TASK-001.md': task('changes_tests: ["sums the *"]') });
const named = new CheatBase({
  ...BASE,
  'tasks/TASK-001.md': task(
    '',
    '- `multiply(a, b)` gives the product\n- Sums the items with a fee for more than two',
  ),
});
afterAll(() => {
  for (const one of [base, declared, named]) one.cleanup();
});

const gate = 'no-test-weakened';
const SIX = '  assert.equal(price([{ cost: 1 }, { cost: 2 }, { cost: 3 }]), 6);\n';
/** The wrong sum and matching data, so that only the first test contradicts it. */
const SUM: Files = { ...HONEST, 'src/price.js': WRONG_SUM, 'test/expected.json': DATA.replace('15', '16') };

const CHEATS: Cheat[] = [
  {
    name: 'asserting code outside the tests is emptied',
    files: {
      ...HONEST,
      'src/price.js': WRONG_FORMAT,
      'lib/agree.js': 'export const agree = () => {};\n',
      'test/helpers/check.js': 'export const check = () => {};\n',
      'data/receipt.txt': '2.5\n',
    },
    gate,
    reason: /formats two amounts/,
  },
  {
    name: 'product code that asserts something is broken, and its test weakened',
    files: {
      ...HONEST,
      'lib/half.js': HALF.replace('/ 2', '/ 3'),
      'test/half.test.js': HALF_TEST.replace('  assert.equal(half(4), 2);\n', ''),
    },
    gate,
    reason: /halves a number/,
  },
  {
    name: 'one assertion of four is deleted',
    files: { ...SUM, 'test/price.test.js': PRICE_TEST.replace(SIX, '') },
    gate,
    reason: /sums the items/,
  },
  {
    name: 'an expected value is changed',
    files: { ...SUM, 'test/price.test.js': PRICE_TEST.replace('}]), 6)', '}]), 7)') },
    gate,
    reason: /sums the items/,
  },
  {
    name: 'an assertion is made to always hold',
    files: {
      ...SUM,
      'test/price.test.js': PRICE_TEST.replace(SIX, '  assert.ok(price([{ cost: 1 }]) > 0);\n'),
    },
    gate,
    reason: /sums the items/,
  },
  {
    name: 'a test returns early under a condition',
    files: {
      ...SUM,
      'test/price.test.js': PRICE_TEST.replace(SIX, `  if (process.platform !== 'none') return;\n${SIX}`),
    },
    gate,
    reason: /sums the items/,
  },
  {
    name: 'a test is renamed and weakened',
    files: {
      ...SUM,
      'test/price.test.js': PRICE_TEST.replace(SIX, '').replace('sums the items', 'sums up the items'),
    },
    gate,
    reason: /sums the items/,
  },
  {
    name: 'a test moves to another file and is weakened',
    files: {
      ...SUM,
      'test/price.test.js': null,
      'test/money/price.test.js': PRICE_TEST.replace(SIX, '')
        .replace('../src/', '../../src/')
        .replace('./helpers/', '../helpers/'),
    },
    gate,
    reason: /sums the items/,
  },
  {
    name: 'the code moves together with its weakened test',
    files: {
      ...SUM,
      'src/price.js': null,
      'src/money/price.js': WRONG_SUM,
      'test/price.test.js': PRICE_TEST.replace(SIX, '').replace('../src/price', '../src/money/price'),
      'test/data.test.js': DATA_TEST.replace('../src/price', '../src/money/price'),
      'test/golden.test.js': GOLDEN_TEST.replace('../src/price', '../src/money/price'),
    },
    gate,
    reason: /sums the items/,
  },
  {
    name: 'an unused export is removed, so that the old test file would not load',
    files: {
      ...SUM,
      'src/price.js': WRONG_SUM.replace('format', 'print'),
      'test/price.test.js': PRICE_TEST.replace(SIX, '').replaceAll('format', 'print'),
      'test/golden.test.js': GOLDEN_TEST.replaceAll('format', 'print'),
    },
    gate,
    reason: /sums the items/,
  },
  {
    name: 'a helper that asserts is emptied',
    files: {
      ...HONEST,
      'src/price.js': WRONG_FORMAT,
      'test/helpers/check.js': 'export const check = () => {};\n',
      'data/receipt.txt': '2.5\n',
    },
    gate,
    reason: /formats an amount/,
  },
  {
    name: 'a helper is renamed and emptied',
    files: {
      ...HONEST,
      'src/price.js': WRONG_FORMAT,
      'test/helpers/check.js': null,
      'test/helpers/verify.js': 'export const check = () => {};\n',
      'test/price.test.js': PRICE_TEST.replace('helpers/check', 'helpers/verify'),
      'data/receipt.txt': '2.5\n',
    },
    gate,
    reason: /formats an amount/,
  },
  {
    name: 'a new file shadows the asserting helper',
    files: {
      ...HONEST,
      'src/price.js': WRONG_FORMAT,
      'test/helpers/lenient.js': 'export const check = () => {};\n',
      'test/helpers/check.js': "export { check } from './lenient.js';\n",
      'data/receipt.txt': '2.5\n',
    },
    gate,
    reason: /formats an amount/,
  },
  {
    name: 'a JSON file of expected values is changed',
    files: {
      ...HONEST,
      'src/price.js': WRONG_SUM,
      'test/expected.json': DATA.replace('15', '16'),
      'test/price.test.js': PRICE_TEST.replace(SIX, ''),
    },
    gate,
    reason: /prices three/,
  },
  {
    name: 'a recorded output outside the test folder is changed',
    files: {
      ...HONEST,
      'src/price.js': WRONG_FORMAT,
      'data/receipt.txt': '2.5\n',
      'test/price.test.js': PRICE_TEST.replace("'1.00'", "'1'"),
    },
    gate,
    reason: /prints as recorded/,
  },
  {
    name: 'a table row that the code no longer satisfies is removed',
    files: {
      ...HONEST,
      'src/price.js': WRONG_SUM,
      'test/expected.json': '[{"name":"one","costs":[4],"sum":4},{"name":"two","costs":[4,5],"sum":9}]\n',
      'test/price.test.js': PRICE_TEST.replace(SIX, ''),
    },
    gate,
    reason: /prices three/,
  },
  {
    name: 'expected values are computed by the code under test',
    files: {
      ...SUM,
      'test/price.test.js': PRICE_TEST.replace(
        '}]), 6)',
        '}]), price([{ cost: 1 }, { cost: 2 }, { cost: 3 }]))',
      ),
    },
    gate,
    reason: /sums the items/,
  },
  {
    name: 'the change lists the weakened test in its own task file',
    files: {
      ...SUM,
      'test/price.test.js': PRICE_TEST.replace(SIX, ''),
      'tasks/TASK-001.md': task('changes_tests: true'),
    },
    gate,
    reason: /sums the items/,
  },
  {
    name: 'a criterion’s id in the new name of a weakened test declares nothing',
    files: {
      ...SUM,
      'test/price.test.js': PRICE_TEST.replace(SIX, '').replace(
        "'sums the items'",
        "'AC-001 sums the items'",
      ),
    },
    gate,
    reason: /sums the items/,
  },
];

describe.concurrent('weakened tests', () => tryEach(base, CHEATS));

describe.concurrent('a change to what tests expect', () => {
  const weakened = { ...HONEST, 'src/price.js': WRONG_SUM };
  const changed = (from: string, to: string) => ({
    ...weakened,
    'test/price.test.js': PRICE_TEST.replace(from, to),
    'test/expected.json': '[{"name":"one","costs":[4],"sum":4},{"name":"two","costs":[4,5],"sum":9}]\n',
  });

  it('counts only for the tests that the task on the base names', async () => {
    const answer = await declared.project().write(changed('}]), 6)', '}]), 7)')).verify();
    expect(answer.gates.get(gate)).toMatchObject({
      result: 'fail',
      reason: expect.not.stringMatching(/sums the/),
    });
    expect(answer.gates.get(gate)?.warnings.join()).toMatch(/sums the items/);
  });

  it('passes where a criterion on the base names the test', async () => {
    const files = {
      ...SUM,
      'test/price.test.js': PRICE_TEST.replace('}]), 6)', '}]), 7)'),
      'test/expected.json': DATA,
    };
    const answer = await named
      .project()
      .write({
        ...files,
        'src/price.js': PRICE.replace('sum + cost, 0)', 'sum + cost, items[2]?.cost === 3 ? 1 : 0)'),
      })
      .verify();
    expect(answer.gates.get(gate)).toMatchObject({ result: 'pass' });
    expect(answer.exitCode, answer.stdout).toBe(0);
  });

  it('passes once a person accepts the changed test file in that version', async () => {
    const fee = PRICE.replace('sum + cost, 0)', 'sum + cost, items[2]?.cost === 3 ? 1 : 0)');
    const adapted = PRICE_TEST.replace('}]), 6)', '}]), 7)');
    const project = base.project().write({ ...HONEST, 'src/price.js': fee, 'test/price.test.js': adapted });
    expectStopped(await project.verify(), { gate, reason: /guardkit accept test\/price\.test\.js/ });
    const words = ['accept', 'test/price.test.js', '--reason', 'a fee for the third item'];
    const said = await project.sandbox.guardkit(words, { in: project.name, person: true, input: 'y\n' });
    expect(said.exitCode, said.stderr).toBe(0);
    const answer = await project.verify();
    expect(answer.gates.get(gate)).toMatchObject({ result: 'pass' });
    expect(answer.exitCode, answer.stdout).toBe(0);
    project.write({ 'test/price.test.js': adapted.replace('7);', '7, "fee");') });
    expectStopped(await project.verify(), { gate, reason: /sums the items/ });
  });
});
