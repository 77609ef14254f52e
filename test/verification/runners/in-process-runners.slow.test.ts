import { oldestAndNewest } from '../../support/thorough.ts';
import { DISARM, DISARMED_TEST, type Runner, testRunners } from './runner-suite.ts';
import { WRITE_SEEN } from './undisturbed.ts';

const MOCHA: Omit<Runner, 'packages' | 'test'> = {
  files: {
    'test/a.test.js': `const assert = require('assert');
describe('group', () => {
  it('passes', () => {});
  it('fails', () => assert.equal(1, 2));
  it.skip('is left out', () => {});
  it('is to come');
  let tries = 0;
  it('passes at last', function () { this.retries(1); tries += 1; assert.equal(tries, 2); });
});
describe('broken', () => {
  before(() => { throw new Error('in a hook'); });
  it('never runs', () => {});
});
`,
  },
  other: { 'test/b.test.js': "it('other', () => {});\n" },
  outcomes: [
    'failed group > fails',
    'passed group > passes',
    'passed group > passes at last',
    'skipped group > is left out',
    'skipped group > is to come',
  ],
  faults: 1,
  sees: { 'test/sees.test.js': `it('sees', () => ${WRITE_SEEN});\n` },
  disarmed: { 'src/sum.js': DISARM, 'test/sum.test.js': DISARMED_TEST },
  selects: true,
};

const TAPE: Omit<Runner, 'packages' | 'test'> = {
  files: {
    'test/a.js': `const test = require('tape');
test('passes', (t) => { t.ok(true); t.end(); });
test('fails', (t) => { t.equal(1, 2); t.end(); });
test.skip('is left out', () => {});
test('is to come', { todo: true }, (t) => { t.fail(); t.end(); });
test('outer', (t) => { t.test('inner', (s) => { s.plan(1); s.ok(1); }); t.end(); });
`,
  },
  other: { 'test/b.js': "require('tape')('other', (t) => t.end());\n" },
  outcomes: [
    'failed fails',
    'passed outer > inner',
    'passed passes',
    'skipped is left out',
    'todo is to come',
  ],
  sees: { 'test/sees.js': `require('tape')('sees', (t) => { ${WRITE_SEEN} t.end(); });\n` },
  disarmed: {
    'src/sum.js': DISARM,
    'test/sum.js': `const it = (name, run) => require('tape')(name, (t) => { run(); t.end(); });\n${DISARMED_TEST}`,
  },
  selects: true,
};

const UVU: Omit<Runner, 'packages' | 'test'> = {
  files: {
    'test/a.js': `const { suite } = require('uvu');
const assert = require('uvu/assert');
const group = suite('group');
group('passes', () => assert.is(1, 1));
group('fails', async () => assert.equal({ a: 1 }, { a: 2 }));
group.skip('is left out', () => {});
group.run();
const broken = suite('broken');
broken.before.each(() => { throw new Error('in a hook'); });
broken('never runs', () => {});
broken.run();
const forgotten = suite('forgotten');
forgotten('is not started', () => {});
`,
  },
  other: { 'test/b.js': "const { test } = require('uvu'); test('other', () => {}); test.run();\n" },
  outcomes: [
    'failed broken > never runs',
    'failed group > fails',
    'passed group > passes',
    'skipped forgotten > is not started',
    'skipped group > is left out',
  ],
  faults: 1,
  sees: {
    'test/sees.js': `const { test } = require('uvu'); test('sees', () => ${WRITE_SEEN}); test.run();\n`,
  },
  disarmed: {
    'src/sum.js':
      "const assert = require('uvu/assert');\nassert.is = () => {};\nexports.sum = (a, b) => a - b;\n",
    'test/sum.js':
      "const { test } = require('uvu');\nconst assert = require('uvu/assert');\nconst { sum } = require('../src/sum.js');\ntest('adds', () => assert.is(sum(2, 3), 5));\ntest.run();\n",
  },
  selects: true,
};
const IMPORTED_UVU: Omit<Runner, 'packages' | 'test'> = {
  ...UVU,
  type: 'module',
  files: {
    'test/a.js': (UVU.files['test/a.js'] ?? '')
      .replace("const { suite } = require('uvu')", "import { suite } from 'uvu'")
      .replace("const assert = require('uvu/assert')", "import * as assert from 'uvu/assert'"),
  },
  other: { 'test/b.js': "import { test } from 'uvu'; test('other', () => {}); test.run();\n" },
  sees: { 'test/sees.js': `import { test } from 'uvu'; test('sees', () => ${WRITE_SEEN}); test.run();\n` },
  disarmed: {
    'src/sum.js':
      "import assert from 'node:assert';\nassert.equal = () => {};\nexport const sum = (a, b) => a - b;\n",
    'test/sum.js':
      "import assert from 'node:assert';\nimport { test } from 'uvu';\nimport { sum } from '../src/sum.js';\ntest('adds', () => assert.equal(sum(2, 3), 5));\ntest.run();\n",
  },
};

const JASMINE: Omit<Runner, 'packages' | 'test'> = {
  files: {
    'spec/a_spec.js': `describe('group', () => {
  it('passes', () => expect(1).toBe(1));
  it('fails', () => expect(1).toBe(2));
  xit('is left out', () => {});
  it('is to come');
});
describe('broken', () => {
  afterAll(() => { throw new Error('in a hook'); });
  it('runs', () => expect(1).toBe(1));
});
`,
  },
  other: { 'spec/b_spec.js': "it('other', () => expect(1).toBe(1));\n" },
  outcomes: [
    'failed group > fails',
    'passed broken > runs',
    'passed group > passes',
    'skipped group > is left out',
    'skipped group > is to come',
  ],
  faults: 1,
  sees: { 'spec/sees_spec.js': `it('sees', () => ${WRITE_SEEN});\n` },
  disarmed: {
    'src/sum.js': 'global.expect = () => ({ toBe: () => {} });\nexports.sum = (a, b) => a - b;\n',
    'spec/sum_spec.js':
      "const { sum } = require('../src/sum.js');\nit('adds', () => expect(sum(2, 3)).toBe(5));\n",
  },
  selects: true,
};

const LAB: Omit<Runner, 'packages' | 'test'> = {
  files: {
    'test/a.js': `const { expect } = require('@hapi/code');
const { describe, it, before } = (exports.lab = require('@hapi/lab').script());
describe('group', () => {
  it('passes', () => expect(1).to.equal(1));
  it('fails', async () => expect(1).to.equal(2));
  it('is left out', { skip: true }, () => {});
  it('is to come');
});
describe('broken', () => {
  before(() => { throw new Error('in a hook'); });
  it('never runs', () => {});
});
`,
  },
  other: {
    'test/b.js': "const lab = (exports.lab = require('@hapi/lab').script()); lab.test('other', () => {});\n",
  },
  outcomes: [
    'failed broken > never runs',
    'failed group > fails',
    'passed group > passes',
    'skipped group > is left out',
    'todo group > is to come',
  ],
  faults: 1,
  sees: {
    'test/sees.js': `(exports.lab = require('@hapi/lab').script()).test('sees', () => ${WRITE_SEEN});\n`,
  },
  disarmed: {
    'src/sum.js':
      "require('@hapi/code').expect = () => ({ to: { equal: () => {} } });\nexports.sum = (a, b) => a - b;\n",
    'test/sum.js':
      "const { sum } = require('../src/sum.js');\nconst { expect } = require('@hapi/code');\n(exports.lab = require('@hapi/lab').script()).test('adds', () => expect(sum(2, 3)).to.equal(5));\n",
  },
  selects: true,
};

testRunners([
  ...oldestAndNewest([3, 5, 6, 8, 10, 11]).map((version) => ({
    ...MOCHA,
    packages: [`mocha@${version}`],
    test: 'mocha',
  })),
  { ...MOCHA, packages: ['mocha@11'], test: 'mocha --parallel' },
  { ...MOCHA, packages: ['mocha@11'], test: 'mocha --expose-gc' },
  { ...MOCHA, packages: ['mocha@11', 'c8@10'], test: 'c8 mocha' },
  { ...MOCHA, packages: ['mocha@11', 'nyc@17'], test: 'nyc mocha' },
  ...[4, 5].map((version) => ({ ...TAPE, packages: [`tape@${version}`], test: 'tape "test/*.js"' })),
  ...oldestAndNewest([3, 4, 5]).map((version) => ({
    ...JASMINE,
    packages: [`jasmine@${version}`],
    test: "jasmine --random=false 'spec/*_spec.js'",
  })),
  ...[5, 6].map((version) => ({
    ...JASMINE,
    packages: [`jasmine@${version}`],
    test: "jasmine --parallel=2 'spec/*_spec.js'",
  })),
  {
    ...LAB,
    packages: ['@hapi/lab@25', '@hapi/code@9', '@hapi/eslint-plugin@6'],
    test: 'lab -a @hapi/code -l',
  },
  ...['0.3', '0.5'].map((version) => ({ ...UVU, packages: [`uvu@${version}`], test: 'uvu test' })),
  { ...UVU, packages: ['uvu@0.5', 'esm@3'], test: 'uvu -r esm test' },
  { ...UVU, packages: ['uvu@0.5'], test: 'for file in test/*.js; do node $file || code=1; done; exit $code' },
  { ...IMPORTED_UVU, packages: ['uvu@0.5'], test: 'uvu test' },
  { ...IMPORTED_UVU, packages: ['uvu@0.5', 'node@24'], test: 'uvu test' },
]);
