import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { npmPackages } from '../../support/npm-packages.ts';
import { outcomes } from '../test-reports/recorded.ts';
import { TestProject } from './test-project.ts';
import { expectUndisturbed, WRITE_SEEN } from './undisturbed.ts';

let project: TestProject | undefined;
afterEach(() => project?.remove());

interface Runner {
  packages: readonly string[];
  test: string;
  type?: 'module';
  files: Readonly<Record<string, string>>;
  /** One more file with one test. */
  other: Readonly<Record<string, string>>;
  outcomes: readonly string[];
  faults?: number;
  /** A test that only inspects its environment. */
  sees: Readonly<Record<string, string>>;
  /** Product code and a test that it disarms. */
  disarmed?: Readonly<Record<string, string>>;
  /** The runner runs only selected files. */
  selects: boolean;
}

const DISARM =
  "const assert = require('node:assert');\nassert.equal = () => {};\nexports.sum = (a, b) => a - b;\n";
const DISARMED_TEST =
  "const assert = require('node:assert');\nconst { sum } = require('../src/sum.js');\nit('adds', () => assert.equal(sum(2, 3), 5));\n";

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
  ...[27, 28, 29, 30].map((version) => ({ ...JEST, packages: [`jest@${version}`], test: 'jest' })),
  { ...JEST, packages: ['jest@29'], test: 'jest --runInBand' },
  ...[8, 10, 11].map((version) => ({ ...MOCHA, packages: [`mocha@${version}`], test: 'mocha' })),
  { ...MOCHA, packages: ['mocha@11'], test: 'mocha --parallel' },
  { ...MOCHA, packages: ['mocha@11'], test: 'mocha --expose-gc' },
  { ...MOCHA, packages: ['mocha@11', 'c8@10'], test: 'c8 mocha' },
  { ...MOCHA, packages: ['mocha@11', 'nyc@17'], test: 'nyc mocha' },
  ...[3, 4, 6].map((version) => ({ ...AVA, packages: [`ava@${version}`], test: 'ava' })),
  { ...AVA, packages: ['ava@6'], test: 'ava --no-worker-threads' },
  { ...OLD_VITEST, packages: ['vitest@0.34'], test: 'vitest run' },
  { ...OLD_VITEST, packages: ['vitest@1'], test: 'vitest run' },
  ...[2, 3].map((version) => ({ ...VITEST, packages: [`vitest@${version}`], test: 'vitest run' })),
  { ...VITEST, packages: ['vitest@3'], test: 'vitest run --pool=threads' },
  ...[4, 5].map((version) => ({ ...TAPE, packages: [`tape@${version}`], test: 'tape "test/*.js"' })),
  { ...NODE_TAP, packages: ['tap@16'], test: 'tap --no-coverage' },
  { ...NODE_TAP, packages: ['tap@16'], test: 'tap --no-check-coverage' },
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

function open(runner: Runner, modules: string, files: Readonly<Record<string, string>>, select?: string[]) {
  const { test, type } = runner;
  const text = JSON.stringify({
    name: 'project',
    private: true,
    ...(type ? { type } : {}),
    scripts: { test },
  });
  project = new TestProject({ 'package.json': text, ...files }, { modules, ...(select ? { select } : {}) });
  return project;
}

describe.each(RUNNERS)('$packages, $test', (runner) => {
  const modules = npmPackages(...runner.packages);
  const where = modules ?? join('/', 'nowhere');
  const without = modules === undefined ? ` (npm does not bring ${runner.packages.join(', ')})` : '';

  it.skipIf(!modules)(`names each test, its file and its outcome${without}`, async () => {
    const of = open(runner, where, { ...runner.files, ...runner.other });
    const { exitCode, stdout } = await of.run('npm test');
    const { reports, unreadable } = await of.collect(stdout);
    expect(unreadable).toEqual([]);
    expect(exitCode).not.toBe(0);
    expect(reports.flatMap(outcomes).sort()).toEqual([...runner.outcomes, 'passed other'].sort());
    expect(reports.flatMap(({ faults }) => faults)).toHaveLength(runner.faults ?? 0);
    const files = new Set(reports.flatMap(({ tests }) => tests.map(({ file }) => file)));
    expect([...files].sort()).toEqual([...Object.keys(runner.files), ...Object.keys(runner.other)].sort());
  });

  it.skipIf(!modules)(`shows nothing of the tap to code under test${without}`, async () => {
    await expectUndisturbed(open(runner, where, runner.sees), 'npm test');
  });

  it.skipIf(!modules || !runner.selects)(`runs only selected files${without}`, async () => {
    const of = open(runner, where, { ...runner.files, ...runner.other }, Object.keys(runner.other));
    await of.run('npm test');
    expect((await of.collect()).reports.flatMap(outcomes)).toEqual(['passed other']);
  });

  it.skipIf(!modules || !runner.disarmed)(`reports a replaced assertion function${without}`, async () => {
    const of = open(runner, where, runner.disarmed ?? {});
    await of.run('npm test');
    const { reports } = await of.collect();
    expect(reports.flatMap(({ faults }) => faults)).toMatchObject([{ code: 'assertions-replaced' }]);
  });
});

const OLD = npmPackages('vitest@0.34');
it.skipIf(!OLD)('a vitest that would wait for changes ends', async () => {
  const runner = { ...OLD_VITEST, packages: ['vitest@0.34'], test: 'vitest' };
  const of = open(runner, OLD ?? '', runner.other);
  expect((await of.run('npm test')).exitCode).toBe(0);
  expect((await of.collect()).reports.flatMap(outcomes)).toEqual(['passed other']);
});
