import { afterEach, describe, expect, it } from 'vitest';
import { npmPackages } from '../../support/npm-packages.ts';
import { outcomes } from '../test-reports/recorded.ts';
import { TestProject } from './test-project.ts';
import { expectUndisturbed, WRITE_SEEN } from './undisturbed.ts';

const modules = npmPackages('bun@1');
const BUN = 'node_modules/.bin/bun';
const REPORT = '--reporter=junit --reporter-outfile=bun-junit.xml';

let project: TestProject | undefined;
afterEach(() => project?.remove());

function open(files: Record<string, string>): TestProject {
  project = new TestProject({ 'package.json': '{ "private": true }', ...files }, { modules: modules ?? '' });
  return project;
}

describe.skipIf(!modules)(`bun test${modules ? '' : ' (npm does not bring bun)'}`, () => {
  it('names each test, its file and its outcome in its JUnit report', async () => {
    const of = open({
      'test/a.test.js': `import { describe, expect, test } from 'bun:test';
describe('group', () => {
  test('passes', () => expect(1).toBe(1));
  test('fails', () => expect(1).toBe(2));
  test.skip('is left out', () => {});
});
`,
    });
    const { stdout } = await of.run(`${BUN} test ${REPORT}`);
    const { reports, unreadable } = await of.collect(stdout, 'bun-junit.xml');
    expect(unreadable).toEqual([]);
    expect(reports.flatMap(outcomes).sort()).toEqual([
      'failed group > fails',
      'passed group > passes',
      'skipped group > is left out',
    ]);
    expect(new Set(reports.flatMap(({ tests }) => tests.map(({ file }) => file)))).toEqual(
      new Set(['test/a.test.js']),
    );
  });

  it('shows nothing of the tap to code under test', async () => {
    const of = open({ 'test/sees.test.js': `require('bun:test').test('sees', () => ${WRITE_SEEN});\n` });
    await expectUndisturbed(of, `${BUN} test`);
  });

  it.each([
    ['its own expect', 'Object.getPrototypeOf(expect(1)).toBe = () => {};', 'expect(1).toBe(2)'],
    [
      'the assertions of Node',
      "require('node:assert').equal = () => {};",
      "require('node:assert').equal(1, 2)",
    ],
  ])('has a fault if code disarms %s', async (_what, disarm, assertion) => {
    const of = open({
      'src/sum.js': `const { expect } = require('bun:test');\n${disarm}\n`,
      'test/sum.test.js': `import { expect, test } from 'bun:test';\nimport '../src/sum.js';\ntest('adds', () => ${assertion});\n`,
    });
    const { exitCode, stdout } = await of.run(`${BUN} test ${REPORT}`);
    expect(exitCode).toBe(0);
    const { unreadable } = await of.collect(stdout, 'bun-junit.xml');
    expect(unreadable).toMatchObject([{ code: 'faulty' }]);
  });
});
