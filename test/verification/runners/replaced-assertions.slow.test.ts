import { afterEach, describe, expect, it } from 'vitest';
import { rows } from '../../support/thorough.ts';
import { packageJson, TestProject } from './test-project.ts';

let project: TestProject | undefined;
afterEach(() => project?.remove());

const DISARM_ASSERT = "import assert from 'node:assert';\nassert.equal = () => {};\n";
const DISARM_STRICT = "import assert from 'node:assert';\nassert.strict.equal = Function.prototype;\n";
const SUM = 'export const sum = (a, b) => a - b;\n';
const NODE_TEST = `import assert from 'node:assert';
import { it } from 'node:test';
import { sum } from './src/sum.js';
it('adds', () => assert.equal(sum(2, 3), 5));
`;
const VITEST = `import { expect, it } from 'vitest';
import { sum } from './src/sum.js';
it('adds', () => expect(sum(2, 3)).toBe(5));
`;

async function faultsOf(test: string, files: Record<string, string>) {
  project = new TestProject({ 'package.json': packageJson({ test }), ...files });
  await project.run('npm test');
  const { reports, unreadable } = await project.collect();
  expect(unreadable).toEqual([]);
  expect(reports.flatMap(({ tests }) => tests)).not.toEqual([]);
  return reports.flatMap(({ faults }) => faults);
}

const REPLACED = [{ code: 'assertions-replaced' }];

describe('product code that replaces an assertion function is a fault of the run', () => {
  it.each(
    rows(4, [
      ['assert.equal, in a process of node:test', 'node --test', DISARM_ASSERT, NODE_TEST],
      ['assert.equal, in a file that is run by itself', 'node a.test.js', DISARM_ASSERT, NODE_TEST],
      [
        'assert.strict.equal by a function of the language',
        'node --test',
        DISARM_STRICT,
        NODE_TEST.replace("'node:assert'", "'node:assert/strict'"),
      ],
      [
        'assert.equal, restored before the process ends',
        'vitest run',
        `import assert from 'node:assert';\nconst { equal } = assert;\nassert.equal = () => {};\nprocess.on('exit', () => { assert.equal = equal; });\n`,
        `${VITEST.replace('expect(sum(2, 3)).toBe(5)', 'assert.equal(sum(2, 3), 5)')}import assert from 'node:assert';\n`,
      ],
      [
        'a matcher of vitest, through expect.extend',
        'vitest run',
        "import { expect } from 'vitest';\nexpect.extend({ toBe: () => ({ pass: true }) });\n",
        VITEST,
      ],
      [
        'a method of chai, in a thread of vitest',
        'vitest run --pool=threads',
        "import { chai } from 'vitest';\nObject.defineProperty(chai.Assertion.prototype, 'toBe', { value() {} });\n",
        VITEST,
      ],
      [
        'a method of chai, through its own function for that',
        'vitest run',
        "import { chai } from 'vitest';\nchai.Assertion.overwriteMethod('equal', () => function () {});\n",
        VITEST.replace('toBe(5)', 'to.equal(5)'),
      ],
      [
        'a function of the language that matchers compare with',
        'vitest run',
        'const { is } = Object;\nObject.is = (a, b) => is(a, b) || b === 5;\n',
        VITEST,
      ],
      [
        'such a function in a thread',
        'vitest run --pool=threads',
        'const { includes } = Array.prototype;\nArray.prototype.includes = function (a) { return a === 5 || includes.call(this, a); };\n',
        VITEST.replace('expect(sum(2, 3)).toBe(5)', 'expect([sum(2, 3)]).toContain(5)'),
      ],
    ]),
  )('%s', async (_what, test, disarm, testFile) => {
    const faults = await faultsOf(test, { 'src/sum.js': disarm + SUM, 'a.test.js': testFile });
    expect(faults).toMatchObject(REPLACED);
  });
});

describe('test code may change assertions', () => {
  it('with its own matchers, and with replacements that still fail', async () => {
    const setup = `import { expect } from 'vitest';
expect.extend({
  toBeOdd: (value) => ({ pass: value % 2 === 1, message: () => 'even' }),
  toBe: (value, expected) => ({ pass: value === expected, message: () => 'differs' }),
});
`;
    const faults = await faultsOf('vitest run', {
      'vitest.config.js': "export default { test: { setupFiles: ['./support.js'] } };",
      'support.js': setup,
      'src/sum.js': SUM,
      'a.test.js': VITEST.replace('expect(sum(2, 3)).toBe(5)', 'expect(3).toBeOdd()'),
    });
    expect(faults).toEqual([]);
  });

  it('with methods of chai that are overwritten and still fail', async () => {
    const overwrite = `chai.Assertion.overwriteMethod('equal', (original) => function (...args) { original.apply(this, args); });\n`;
    const faults = await faultsOf('vitest run', {
      'src/sum.js': SUM,
      'a.test.js': `${VITEST}import { chai } from 'vitest';\n${overwrite}it('b', () => expect(1).to.equal(1));\n`,
    });
    expect(faults).toEqual([]);
  });

  it('with functions of the language that they or their libraries replace', async () => {
    const faults = await faultsOf('vitest run', {
      'node_modules/polyfill/package.json': '{"name":"polyfill","type":"module","main":"index.js"}',
      'node_modules/polyfill/index.js': 'const { keys } = Object;\nObject.keys = (a) => keys(a);\n',
      'src/sum.js': `import 'polyfill';\nObject.defineProperty(Array.prototype, 'own', { value() {} });\n${SUM}`,
      'a.test.js': `${VITEST}import { vi } from 'vitest';\nvi.spyOn(Object, 'entries');\n`,
    });
    expect(faults).toEqual([]);
  });

  it('with a wrapper in a test file', async () => {
    const faults = await faultsOf('node --test', {
      'src/sum.js': SUM,
      'a.test.js': `${NODE_TEST}const { equal } = assert;\nassert.equal = (...args) => equal(...args);\n`,
    });
    expect(faults).toEqual([]);
  });
});
