import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { npmPackages } from '../../support/npm-packages.ts';
import { LONG, oldestAndNewest } from '../../support/thorough.ts';
import { outcomes } from '../test-reports/recorded.ts';
import {
  DISARM,
  DISARMED_TEST,
  MEASURED_BY_VITEST,
  openRunner,
  type Runner,
  testRunners,
} from './runner-suite.ts';
import { WRITE_SEEN } from './undisturbed.ts';

const JEST: Omit<Runner, 'packages' | 'test'> = {
  files: {
    'test/a.test.js': `jest.mock('child_process');
describe('group', () => {
  test('passes', () => expect(1).toBe(1));
  test('fails', () => expect(1).toBe(2));
  test.skip('is left out', () => {});
  test.todo('is to come');
  test.each([[1], [2]])('row %d', () => {});
  test.concurrent('runs beside others', async () => {});
});
describe('broken', () => {
  beforeAll(() => { throw new Error('in a hook'); });
  test('never runs', () => {});
});
`,
  },
  other: { 'test/b.test.js': "test('other', () => {});\n" },
  outcomes: [
    'failed broken > never runs',
    'failed group > fails',
    'passed group > passes',
    'passed group > row 1',
    'passed group > row 2',
    'passed group > runs beside others',
    'skipped group > is left out',
    'todo group > is to come',
  ],
  sees: { 'test/sees.test.js': `test('sees', () => ${WRITE_SEEN});\n` },
  disarmed: { 'src/sum.js': DISARM, 'test/sum.test.js': DISARMED_TEST },
  selects: true,
};

const AVA: Omit<Runner, 'packages' | 'test'> = {
  type: 'module',
  files: {
    'test/a.js': `import test from 'ava';
test('passes', (t) => t.pass());
test('fails', (t) => t.is(1, 2));
test.skip('is left out', (t) => t.pass());
test.todo('is to come');
test.failing('is known to fail', (t) => t.is(1, 2));
`,
  },
  other: { 'test/b.js': "import test from 'ava'; test('other', (t) => t.pass());\n" },
  outcomes: [
    'failed fails',
    'passed is known to fail',
    'passed passes',
    'skipped is left out',
    'todo is to come',
  ],
  sees: { 'test/sees.js': `import test from 'ava'; test('sees', (t) => { t.pass(); ${WRITE_SEEN} });\n` },
  selects: true,
};

const VITEST: Omit<Runner, 'packages' | 'test'> = {
  type: 'module',
  files: {
    'test/a.test.js': `import { describe, expect, it } from 'vitest';
describe('group', () => {
  it('passes', () => {});
  it('fails', () => expect(1).toBe(2));
  it.skip('is left out', () => {});
  it.todo('is to come');
  it.each([1, 2])('row %i', () => {});
  let tries = 0;
  it('passes at last', { retry: 1 }, () => { tries += 1; expect(tries).toBe(2); });
});
`,
  },
  other: { 'test/b.test.js': "import { it } from 'vitest'; it('other', () => {});\n" },
  outcomes: [
    'failed group > fails',
    'passed group > passes',
    'passed group > passes at last',
    'passed group > row 1',
    'passed group > row 2',
    'skipped group > is left out',
    'todo group > is to come',
  ],
  sees: { 'test/sees.test.js': `import { it } from 'vitest'; it('sees', () => ${WRITE_SEEN});\n` },
  selects: true,
};
/** Before 1.3 the options of a test came last. */
const OLD_VITEST = {
  ...VITEST,
  files: {
    'test/a.test.js': (VITEST.files['test/a.test.js'] ?? '').replace(
      /\{ retry: 1 \}, (\(\) => \{.*\})\);/,
      '$1, { retry: 1 });',
    ),
  },
};

const NODE_TAP: Omit<Runner, 'packages' | 'test'> = {
  files: {
    'test/a.js': `const t = require('tap');
t.test('passes', async (s) => { s.ok(true); s.ok(1); });
t.test('fails', async (s) => { s.equal(1, 2); });
t.test('is left out', { skip: true }, async () => {});
t.test('is to come', { todo: true }, async () => {});
`,
  },
  other: { 'test/b.js': "require('tap').test('other', async (s) => { s.ok(1); });\n" },
  outcomes: ['failed fails', 'passed passes', 'skipped is left out', 'todo is to come'],
  sees: { 'test/sees.js': `require('tap').test('sees', async (t) => { t.ok(1); ${WRITE_SEEN} });\n` },
  selects: true,
};

const NODE_TEST: Omit<Runner, 'packages' | 'test'> = {
  files: {
    'test/a.test.js': `const assert = require('node:assert');
const { describe, it } = require('node:test');
describe('group', () => {
  it('passes', () => {});
  it('fails', () => assert.equal(1, 2));
  it('is left out', { skip: true }, () => {});
  it('is to come', { todo: true }, () => {});
});
`,
  },
  other: { 'test/b.test.js': "require('node:test')('other', () => {});\n" },
  outcomes: [
    'failed group > fails',
    'passed group > passes',
    'skipped group > is left out',
    'todo group > is to come',
  ],
  sees: { 'test/sees.test.js': `require('node:test')('sees', () => ${WRITE_SEEN});\n` },
  disarmed: {
    'src/sum.js': DISARM,
    'test/sum.test.js': `const { it } = require('node:test');\n${DISARMED_TEST}`,
  },
  selects: true,
};

const RUNNERS: readonly Runner[] = [
  ...oldestAndNewest([24, 26, 27, 28, 29, 30]).map((version) => ({
    ...JEST,
    packages: [`jest@${version}`],
    test: 'jest',
  })),
  { ...JEST, packages: ['jest@29'], test: 'jest --runInBand' },
  ...oldestAndNewest([3, 4, 6]).map((version) => ({ ...AVA, packages: [`ava@${version}`], test: 'ava' })),
  { ...AVA, packages: ['ava@6'], test: 'ava --no-worker-threads' },
  { ...OLD_VITEST, packages: ['vitest@0.34'], test: 'vitest run' },
  ...(LONG ? [{ ...OLD_VITEST, packages: ['vitest@1'], test: 'vitest run' }] : []),
  ...(LONG ? [2, 3] : [3]).map((version) => ({
    ...VITEST,
    packages: [`vitest@${version}`],
    test: 'vitest run',
  })),
  { ...VITEST, packages: ['vitest@3'], test: 'vitest run --pool=threads' },
  // Its vite loads no file outside the project.
  { ...VITEST, packages: ['vitest@3.1.4', 'vite@6.4'], test: 'vitest run' },
  { ...NODE_TAP, packages: ['tap@16'], test: 'tap --no-coverage' },
  { ...NODE_TAP, packages: ['tap@16'], test: 'tap --no-check-coverage' },
  ...[14, 16].map((version) => ({
    ...NODE_TAP,
    packages: [`tap@${version}`],
    test: 'tap --no-check-coverage test/*.js',
  })),
  ...[18, 21].map((version) => ({
    ...NODE_TAP,
    packages: [`tap@${version}`],
    test: 'tap --disable-coverage --allow-empty-coverage',
  })),
  ...[22, 24].map((version) => ({ ...NODE_TEST, packages: [`node@${version}`], test: 'node --test' })),
  ...[22, 24].map((version) => ({
    ...NODE_TEST,
    packages: [`node@${version}`],
    test: 'node --test "./test/**/*.test.js"',
  })),
];

testRunners(RUNNERS);

describe.each(oldestAndNewest([24, 27, 30]))('jest %i with coverage', (version) => {
  const modules = npmPackages(`jest@${version}`);
  const runner = { ...JEST, packages: [`jest@${version}`], test: 'jest --coverage' };
  it.skipIf(!modules).each([
    ['is not measured in a run limited to test files', Object.keys(runner.other), false],
    ['is measured otherwise', undefined, true],
  ])('%s', async (_what, select, measured) => {
    const of = openRunner(runner, modules ?? '', { ...runner.other, 'x.js': '' }, select);
    onTestFinished(() => of.remove());
    await of.run('npm test');
    expect((await of.collect()).reports.flatMap(outcomes)).toEqual(['passed other']);
    expect(existsSync(join(of.root, 'coverage', 'lcov.info'))).toBe(measured);
  });
});

describe.each(oldestAndNewest(['0.34', '1', '2', '3']))('vitest %s with coverage', (version) => {
  const modules = npmPackages(`vitest@${version}`);
  const runner = { ...VITEST, packages: [`vitest@${version}`], test: 'vitest run' };
  it.skipIf(!modules).each([
    ['is not measured in a run limited to test files', ['a.test.js'], false],
    ['is measured otherwise', undefined, true],
  ])('%s', async (_what, select, measured) => {
    const of = openRunner(runner, modules ?? '', MEASURED_BY_VITEST, select);
    onTestFinished(() => of.remove());
    await of.run('npm test');
    expect((await of.collect()).reports.flatMap(outcomes)).toEqual(['passed adds']);
    expect(existsSync(join(of.root, 'measured'))).toBe(measured);
  });
});

const OLD = npmPackages('vitest@0.34');
const JEST_29 = npmPackages('jest@29');
it.skipIf(!JEST_29).each([
  ['jest --watch', 'jest --watch'],
  ['jest --watchAll', 'jest --watchAll'],
  ['a script that watches unless it is in CI', 'node run.js'],
])('%s ends after its tests, and fails if they do', async (_what, test) => {
  const runner = { ...JEST, packages: ['jest@29'], test };
  const script = "require('jest').run(process.env.CI ? [] : ['--watch']);\n";
  const of = openRunner(runner, JEST_29 ?? '', { ...runner.other, 'run.js': script });
  onTestFinished(() => of.remove());
  expect((await of.run('npm test')).exitCode).toBe(0);
  expect((await of.collect()).reports.flatMap(outcomes)).toEqual(['passed other']);
  writeFileSync(join(of.root, 'failing.test.js'), "test('fails', () => expect(1).toBe(2));\n");
  expect((await of.run('npm test')).exitCode).toBe(1);
});

it.skipIf(!OLD)(
  'a vitest that would wait for changes ends, and fails if its tests do',
  async ({ onTestFinished }) => {
    const runner = { ...OLD_VITEST, packages: ['vitest@0.34'], test: 'vitest' };
    const of = openRunner(runner, OLD ?? '', runner.other);
    onTestFinished(() => of.remove());
    expect((await of.run('npm test')).exitCode).toBe(0);
    expect((await of.collect()).reports.flatMap(outcomes)).toEqual(['passed other']);
    const failing = "import { expect, it } from 'vitest';\nit('fails', () => expect(1).toBe(2));\n";
    writeFileSync(join(of.root, 'failing.test.js'), failing);
    expect((await of.run('npm test')).exitCode).toBe(1);
  },
);

const REPLACE_IS =
  'const { is } = Object;\nObject.is = (a, b) => is(a, b) || b === 5;\nexports.sum = (a, b) => a - b;\n';
it.skipIf(!JEST_29)('jest reports a replaced function of the language that its matchers use', async () => {
  const test = "test('adds', () => expect(require('../src/sum.js').sum(2, 3)).toBe(5));\n";
  const runner = { ...JEST, packages: ['jest@29'], test: 'jest' };
  const of = openRunner(runner, JEST_29 ?? '', { 'src/sum.js': REPLACE_IS, 'test/sum.test.js': test });
  onTestFinished(() => of.remove());
  await of.run('npm test');
  const { reports } = await of.collect();
  expect(reports.flatMap(outcomes)).toEqual(['passed adds']);
  expect(reports.flatMap(({ faults }) => faults)).toMatchObject([{ code: 'assertions-replaced' }]);
});
