import { afterEach, describe, expect, it } from 'vitest';
import { npmPackages } from '../../support/npm-packages.ts';
import { outcomes } from '../test-reports/recorded.ts';
import { TestProject } from './test-project.ts';

let project: TestProject | undefined;
afterEach(() => project?.remove());

const NODE_TEST =
  "import assert from 'node:assert';\nimport { it } from 'node:test';\nit('typed', () => { const n: number = 1; assert.equal(n, 1); });\n";
const JEST =
  "import { expect, it } from '@jest/globals';\nit('typed', () => { const n: number = 1; expect(n).toBe(1); });\n";
const MOCHA =
  "const assert = require('node:assert');\nit('typed', () => { const n: number = 1; assert.equal(n, 1); });\n";
const UVU =
  "import { test } from 'uvu';\nimport * as assert from 'uvu/assert';\ntest('typed', () => { const n: number = 1; assert.is(n, 1); });\ntest.run();\n";
const TAPE =
  "import test from 'tape';\ntest('typed', (t) => { const n: number = 1; t.equal(n, 1); t.end(); });\n";

const CASES: readonly { packages: string[]; test: string; file: string; settings?: object }[] = [
  { packages: ['tsx@4'], test: 'tsx --test test/a.test.ts', file: NODE_TEST, settings: { type: 'module' } },
  { packages: ['tsx@4'], test: 'tsx test/a.test.ts', file: NODE_TEST, settings: { type: 'module' } },
  {
    packages: ['tsx@4'],
    test: 'node --import tsx --test test/a.test.ts',
    file: NODE_TEST,
    settings: { type: 'module' },
  },
  {
    packages: ['jest@29', 'ts-jest@29', 'typescript@5'],
    test: 'jest',
    file: JEST,
    settings: { jest: { preset: 'ts-jest' } },
  },
  {
    packages: ['jest@29', '@swc/core@1', '@swc/jest@0.2'],
    test: 'jest',
    file: JEST,
    settings: { jest: { transform: { '^.+\\.ts$': '@swc/jest' } } },
  },
  {
    packages: ['mocha@11', 'ts-node@10', 'typescript@5'],
    test: 'TS_NODE_TRANSPILE_ONLY=1 mocha -r ts-node/register "test/*.ts"',
    file: MOCHA,
  },
  { packages: ['mocha@11', 'tsx@4'], test: 'mocha --import=tsx "test/*.ts"', file: MOCHA },
  { packages: ['mocha@11', 'tsx@4'], test: 'mocha -r tsx/cjs "test/*.ts"', file: MOCHA },
  { packages: ['mocha@11', 'tsx@4'], test: 'tsx node_modules/mocha/bin/mocha.js "test/*.ts"', file: MOCHA },
  { packages: ['uvu@0.5', 'tsx@4'], test: 'tsx node_modules/uvu/bin.js test', file: UVU },
  { packages: ['tape@5', 'tsx@4'], test: 'tsx test/a.test.ts', file: TAPE },
  {
    packages: ['jasmine@5', 'tsx@4'],
    test: 'tsx node_modules/jasmine/bin/jasmine.js "test/*.ts"',
    file: MOCHA,
  },
];

describe.each(CASES)('$packages, $test', ({ packages, test, file, settings = {} }) => {
  const modules = npmPackages(...packages);
  const without = modules === undefined ? ` (npm does not bring ${packages.join(', ')})` : '';

  it.skipIf(!modules)(`names tests in TypeScript${without}`, async () => {
    const text = JSON.stringify({ name: 'project', private: true, scripts: { test }, ...settings });
    const files = {
      'package.json': text,
      'tsconfig.json': '{"compilerOptions":{"module":"commonjs","target":"es2022","esModuleInterop":true}}',
      'test/a.test.ts': file,
    };
    project = new TestProject(files, { modules: modules ?? '' });
    const { exitCode, tail } = await project.run('npm test');
    const { reports, unreadable } = await project.collect();
    expect(unreadable).toEqual([]);
    expect(exitCode, tail).toBe(0);
    expect(reports.flatMap(outcomes)).toEqual(['passed typed']);
    expect(reports[0]?.tests[0]?.file).toBe('test/a.test.ts');
  });
});
