import { afterEach, describe, expect, it } from 'vitest';
import { TestProject } from './test-project.ts';

let project: TestProject | undefined;
afterEach(() => project?.remove());

const TEST = "const { sum } = require('../src/sum.js');\nrequire('assert').equal(sum(2, 3), 5);\n";

async function faultsOf(command: string, files: Record<string, string>) {
  project = new TestProject({ 'package.json': '{}', 'test/index.js': TEST, ...files });
  const { exitCode } = await project.run(command);
  const { unreadable, reports } = await project.collect();
  expect(reports).toEqual([]);
  return { exitCode, codes: unreadable.map(({ code }) => code) };
}

describe('a script of tests without a runner', () => {
  it('has no fault if only its assertions decide', async () => {
    const files = { 'src/sum.js': 'exports.sum = (a, b) => a + b;\n' };
    expect(await faultsOf('node test', files)).toEqual({ exitCode: 0, codes: [] });
  });

  it('may end the process itself', async () => {
    const files = {
      'src/sum.js': 'exports.sum = (a, b) => a + b;\n',
      'test/index.js': `${TEST}process.exit(0);\n`,
    };
    expect(await faultsOf('node test/index.js', files)).toEqual({ exitCode: 0, codes: [] });
  });

  it.each([
    ['ends the process', 'exports.sum = () => process.exit(0);\n'],
    ['disarms an assertion', "require('assert').equal = () => {};\nexports.sum = () => 0;\n"],
  ])('has a fault if the product %s', async (_what, code) => {
    expect(await faultsOf('node test', { 'src/sum.js': code })).toEqual({ exitCode: 0, codes: ['faulty'] });
  });

  it.each([
    [
      'a test script starts',
      "require('child_process').execFileSync('node', ['test/cli.js']);\n",
      'node test',
    ],
    ['a shell script starts', '', 'node test/cli.js'],
  ])('does not concern a program that %s', async (_what, start, command) => {
    const files = {
      'src/sum.js': 'exports.sum = (a, b) => a + b;\nexports.main = () => process.exit(0);\n',
      'test/cli.js': "require('../src/sum.js').main();\n",
      'test/index.js': `${TEST}${start}`,
    };
    expect(await faultsOf(command, files)).toEqual({ exitCode: 0, codes: [] });
  });

  it('does not concern a program of the product that ends by itself', async () => {
    const files = { 'src/sum.js': '', 'src/cli.js': 'process.exit(0);\n' };
    expect(await faultsOf('node src/cli.js', files)).toEqual({ exitCode: 0, codes: [] });
  });

  it('is what AVA before version 1 is taken for', async () => {
    const files = {
      'node_modules/ava/cli.js': "require('child_process').fork(require.resolve('./lib/test-worker.js'));\n",
      'node_modules/ava/lib/test-worker.js': "process.send({ ava: true, name: 'test', data: {} });\n",
    };
    expect(await faultsOf('node node_modules/ava/cli.js', files)).toEqual({ exitCode: 0, codes: [] });
  });
});
