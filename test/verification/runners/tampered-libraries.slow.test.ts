import { describe, expect, it, onTestFinished } from 'vitest';
import { npmPackages } from '../../support/npm-packages.ts';
import { outcomes } from '../test-reports/recorded.ts';
import { packageJson, TestProject } from './test-project.ts';

interface Case {
  what: string;
  packages: readonly string[];
  command: string;
  /** Product code. */
  source: string;
  test: string;
  /** Code of the test side. */
  helper?: string;
}

const MOCHA = 'mocha a.test.cjs';
const SUM = 'exports.sum = (a, b) => a - b;\n';
const SUM_MODULE = 'export const sum = (a, b) => a - b;\n';
const LOAD = "const { sum } = require('./src/sum.cjs');\n";
const IMPORT = "import { sum } from './src/sum.mjs';\n";
const TAPE = `const test = require('tape');\n${LOAD}test('adds', (t) => { t.equal(sum(2, 3), 5); t.end(); });\n`;
const TAP = "test.test('adds', (t) => { t.equal(sum(2, 3), 5); t.end(); });\n";

const TAMPERED: Case[] = [
  {
    what: 'an assertion of tape',
    packages: ['tape@5'],
    command: 'tape a.test.cjs',
    source: `require('tape').Test.prototype.equal = function () { this.pass(); };\n${SUM}`,
    test: TAPE,
  },
  {
    what: 'an assertion of tape by another one',
    packages: ['tape@5'],
    command: 'tape a.test.cjs',
    source: `const { prototype } = require('tape').Test;\nprototype.equal = Function.prototype;\n${SUM}`,
    test: TAPE.replace('t.end()', 't.pass(); t.end()'),
  },
  {
    what: 'an assertion of node-tap',
    packages: ['tap@16'],
    command: 'tap --no-coverage a.test.cjs',
    source: `require('tap').Test.prototype.equal = function () { return this.pass(); };\n${SUM}`,
    test: `const test = require('tap');\n${LOAD}${TAP}`,
  },
  {
    what: 'what node-tap does with a failure',
    packages: ['tap@21'],
    command: 'tap --disable-coverage --allow-empty-coverage a.test.mjs',
    source: `import { TestBase } from '@tapjs/core';\nTestBase.prototype.fail = function () { return this.pass(); };\n${SUM_MODULE}`,
    test: `import test from 'tap';\n${IMPORT}${TAP}`,
  },
  {
    what: 'how AVA ends a test',
    packages: ['ava@6'],
    command: 'ava a.test.mjs',
    source: `import Test from '../node_modules/ava/lib/test.js';
const { finish } = Test.prototype;
Test.prototype.finish = function () { this.assertError = null; return finish.call(this); };
${SUM_MODULE}`,
    test: `import test from 'ava';\n${IMPORT}test('adds', (t) => t.is(sum(2, 3), 5));\n`,
  },
  {
    what: 'an assertion of should',
    packages: ['mocha@11', 'should@13'],
    command: MOCHA,
    source: `require('should').Assertion.prototype.assert = () => {};\n${SUM}`,
    test: `require('should');\n${LOAD}it('adds', () => { sum(2, 3).should.equal(5); });\n`,
  },
  {
    what: 'an assertion of sinon',
    packages: ['mocha@11', 'sinon@17'],
    command: MOCHA,
    source: `require('sinon').assert.calledWith = () => {};\n${SUM}`,
    test: `const sinon = require('sinon');\n${LOAD}it('adds', () => { const f = sinon.spy(); f(sum(2, 3)); sinon.assert.calledWith(f, 5); });\n`,
  },
  {
    what: 'a matcher of expect outside of jest',
    packages: ['mocha@11', 'expect@29'],
    command: MOCHA,
    source: `require('expect').expect.extend({ toBe: () => ({ pass: true, message: () => '' }) });\n${SUM}`,
    test: `const { expect } = require('expect');\n${LOAD}it('adds', () => { expect(sum(2, 3)).toBe(5); });\n`,
  },
];

const HONEST: Case[] = [
  {
    what: 'a plugin of an assertion library that adds an assertion',
    packages: ['mocha@11', 'should@13'],
    command: MOCHA,
    source: `require('should').Assertion.prototype.addUp = () => {};\n${SUM}`,
    test: `const should = require('should');\n${LOAD}it('adds', () => { sum(5, 3).should.equal(2); });\n`,
  },
  {
    what: 'a test helper that wraps an assertion of tape',
    packages: ['tape@5'],
    command: 'tape a.test.cjs',
    source: SUM,
    helper: `const { prototype } = require('tape').Test;
const { equal } = prototype;
prototype.equal = function (...args) { return equal.apply(this, args); };
`,
    test: TAPE.replace('5)', '-1)').replace('const test', "require('./test/helper.cjs');\nconst test"),
  },
];

async function run({ packages, command, source, test, helper = '' }: Case) {
  const extension = /\ba\.test\.(\w+)/.exec(command)?.[1] ?? '';
  const files = {
    'package.json': packageJson({ test: command }),
    [`src/sum.${extension}`]: source,
    [`a.test.${extension}`]: test,
    'test/helper.cjs': helper,
  };
  const project = new TestProject(files, { modules: npmPackages(...packages) ?? '' });
  onTestFinished(() => project.remove());
  await project.run('npm test');
  const { reports, unreadable } = await project.collect();
  expect(unreadable).toEqual([]);
  expect(reports.flatMap(outcomes)).toEqual(['passed adds']);
  return reports.flatMap(({ faults }) => faults);
}

const available = ({ packages }: Case) => npmPackages(...packages) !== undefined;

describe('product code that replaces a function of a test library is a fault of the run', () => {
  it.each(TAMPERED.filter(available))('$what', async (given) => {
    expect(await run(given)).toMatchObject([{ code: 'assertions-replaced' }]);
  });
});

describe('no fault is', () => {
  it.each(HONEST.filter(available))('$what', async (given) => {
    expect(await run(given)).toEqual([]);
  });
});
