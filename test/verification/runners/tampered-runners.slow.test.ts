import { describe, expect, it, onTestFinished } from 'vitest';
import { npmPackages } from '../../support/npm-packages.ts';
import { outcomes } from '../test-reports/recorded.ts';
import { TestProject } from './test-project.ts';

const JEST = `const { sum } = require('../src/sum.js');
test('adds', () => expect(sum(2, 3)).toBe(5));
`;
const VITEST = `import { expect, it } from 'vitest';
import { sum } from '../src/sum.js';
it('adds', () => expect(sum(2, 3)).toBe(5));
`;
const MOCHA = `const assert = require('assert');
const { sum } = require('../src/sum.js');
it('adds', () => assert.equal(sum(2, 3), 5));
`;

/** Hides the errors of the test that calls it. */
const HIDE_ERRORS = `const key = Object.getOwnPropertySymbols(globalThis).find((one) => one.description === 'JEST_STATE_SYMBOL');
exports.sum = (a, b) => {
  Object.defineProperty(globalThis[key].currentlyRunningTest, 'errors', { get: () => [], set() {} });
  return a - b;
};
`;
const FORGET_ERRORS = `const key = Object.getOwnPropertySymbols(globalThis).find((one) => one.description === 'JEST_STATE_SYMBOL');
exports.sum = (a, b) => {
  const test = globalThis[key].currentlyRunningTest;
  setTimeout(() => { test.errors.length = 0; }, 50);
  return a - b;
};
`;
/** Changes results on their way to the main process. */
const CHANGE_RESULTS = `const worker = globalThis.__vitest_worker__;
const rpc = worker.rpc;
const passed = ([id, result, meta]) => [id, result && { ...result, state: 'pass', errors: undefined }, meta];
const onTaskUpdate = (packs, ...rest) => rpc.onTaskUpdate(packs.map(passed), ...rest);
worker.rpc = new Proxy(rpc, { get: (_, name) => (name === 'onTaskUpdate' ? onTaskUpdate : rpc[name]) });
export const sum = (a, b) => a - b;
`;
const CHANGE_STATE = `import { getCurrentTest } from 'vitest/suite';
export const sum = (a, b) => {
  const errors = Object.assign([], { push: () => 0 });
  const { result } = getCurrentTest();
  Object.defineProperty(result, 'state', { get: () => 'pass', set() {}, enumerable: true });
  Object.defineProperty(result, 'errors', { value: errors, writable: true });
  return a - b;
};
`;
const MARK_AS_FAILING = `export const sum = (a, b) => {
  globalThis.__vitest_worker__.current.fails = true;
  return a - b;
};
`;
const KEEP_NOTHING = `globalThis.jasmine.Spec.prototype.addExpectationResult = () => {};
exports.sum = (a, b) => a - b;
`;
const modulesOf = (name: string) =>
  `const { exports: Own } = Object.values(require.cache).find(({ filename }) => filename.endsWith('mocha/lib/${name}.js'));\n`;
const PASS_ON = `${modulesOf('runner')}Own.prototype.fail = function (test) { this.emit('pass', test); };
exports.sum = (a, b) => a - b;
`;
const RUN_NOTHING = `${modulesOf('runnable')}Own.prototype.run = (end) => end();
exports.sum = (a, b) => a - b;
`;

function open(spec: string, modules: string | undefined, files: Record<string, string>): TestProject {
  const [runner = ''] = spec.split('@');
  const test = runner === 'vitest' ? 'vitest run' : runner;
  const type = runner === 'vitest' ? { type: 'module' } : {};
  const manifest = JSON.stringify({ name: 'project', scripts: { test }, ...type });
  const project = new TestProject({ 'package.json': manifest, ...files }, { modules: modules ?? '' });
  onTestFinished(() => project.remove());
  return project;
}

describe('product code that changes how a runner judges is a fault of the run', () => {
  describe.each([
    { spec: 'jest@29', what: 'the errors of a test of jest', test: JEST, tamper: HIDE_ERRORS },
    { spec: 'jest@30', what: 'the errors of a test of jest', test: JEST, tamper: HIDE_ERRORS },
    {
      spec: 'jest@30',
      what: 'the errors of a test of jest that ended',
      test: `${JEST}test('waits', () => new Promise((done) => setTimeout(done, 200)));\n`,
      tamper: FORGET_ERRORS,
    },
    { spec: 'vitest@1', what: 'the results that vitest sends', test: VITEST, tamper: CHANGE_RESULTS },
    { spec: 'vitest@4', what: 'the results that vitest sends', test: VITEST, tamper: CHANGE_RESULTS },
    { spec: 'vitest@3', what: 'the result of a test of vitest', test: VITEST, tamper: CHANGE_STATE },
    { spec: 'vitest@4', what: 'the result of a test of vitest', test: VITEST, tamper: CHANGE_STATE },
    { spec: 'vitest@4', what: 'whether a test of vitest has to fail', test: VITEST, tamper: MARK_AS_FAILING },
    {
      spec: 'jest@26',
      what: 'what jest did with a failure before jest-circus',
      test: JEST,
      tamper: KEEP_NOTHING,
    },
    { spec: 'mocha@11', what: 'what mocha does with a failure', test: MOCHA, tamper: PASS_ON },
    { spec: 'mocha@11', what: 'how mocha runs a test', test: MOCHA, tamper: RUN_NOTHING },
  ])('$spec', ({ spec, what, test, tamper }) => {
    const modules = npmPackages(spec);
    it.skipIf(!modules)(what, async () => {
      const project = open(spec, modules, { 'src/sum.js': tamper, 'test/sum.test.js': test });
      await project.run('npm test');
      const { reports, unreadable } = await project.collect();
      expect(unreadable).toEqual([]);
      expect(reports.flatMap(outcomes)).toContain('passed adds');
      expect(reports.flatMap(({ faults }) => faults)).toMatchObject([{ code: 'assertions-replaced' }]);
    });
  });
});

describe.each(['jest@29', 'jest@30'])('%s', (spec) => {
  const modules = npmPackages(spec);
  it.skipIf(!modules)('may repeat tests, and have some that are known to fail', async () => {
    const test = `jest.retryTimes(2);
let tries = 0;
test('passes at last', () => expect((tries += 1)).toBe(2));
test.failing('is known to fail', () => expect(1).toBe(2));
test.concurrent('runs beside others', async () => expect(1).toBe(1));
test('fails', () => expect(1).toBe(2));
test.skip('is left out', () => {});
`;
    const project = open(spec, modules, { 'test/a.test.js': test });
    await project.run('npm test');
    const { reports } = await project.collect();
    expect(reports.flatMap(outcomes).sort()).toEqual([
      'failed fails',
      'passed is known to fail',
      'passed passes at last',
      'passed runs beside others',
      'skipped is left out',
    ]);
    expect(reports.flatMap(({ faults }) => faults)).toEqual([]);
  });
});

describe.each(['vitest@1', 'vitest@4'])('%s', (spec) => {
  const modules = npmPackages(spec);
  it.skipIf(!modules)('may repeat tests, and have some that are known to fail', async () => {
    const test = `import { describe, expect, it } from 'vitest';
let tries = 0;
it('passes at last', () => expect((tries += 1)).toBe(2), { retry: 1 });
it.fails('is known to fail', () => expect(1).toBe(2));
it('is left out', (context) => context.skip());
describe.concurrent('group', () => {
  for (const wait of [20, 10, 30])
    it('waits ' + wait, async () => { await new Promise((done) => setTimeout(done, wait)); });
  it.fails('fails beside others', async () => { await null; throw new Error('expected'); });
});
`;
    const text =
      spec === 'vitest@1'
        ? test
        : test.replace(
            "last', () => expect((tries += 1)).toBe(2), { retry: 1 })",
            "last', { retry: 1 }, () => expect((tries += 1)).toBe(2))",
          );
    const project = open(spec, modules, { 'test/a.test.js': text, 'test/b.test.js': text });
    await project.run('npm test -- --no-isolate');
    const { reports } = await project.collect();
    const one = [
      'passed group > fails beside others',
      'passed group > waits 10',
      'passed group > waits 20',
      'passed group > waits 30',
      'passed is known to fail',
      'passed passes at last',
      'skipped is left out',
    ];
    expect(reports.flatMap(outcomes).sort()).toEqual(one.flatMap((name) => [name, name]));
    expect(reports.flatMap(({ faults }) => faults)).toEqual([]);
  });
});
