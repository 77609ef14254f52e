import { describe, expect, it } from 'vitest';
import { gate, VerifiedProject } from '../../support/verified-project.ts';
import { task } from '../honest/honest-change.ts';

const pack = (name: string, more: object = {}) =>
  JSON.stringify({
    name,
    version: '1.0.0',
    main: 'index.js',
    devDependencies: { '@shop/kit': '1.0.0' },
    scripts: { test: 'node --test' },
    ...more,
  });
const KIT = { name: '@shop/kit', version: '1.0.0', private: true, main: 'index.js' };
const cartTest = (helper: string, expression: string) =>
  `const test = require('node:test');\nconst { ${helper} } = require('@shop/kit');\nconst { sum } = require('./index.js');\n` +
  `test('cart sums', () => require('node:assert').equal(${helper}(sum([1, 2])), '3'));\n` +
  `test('cart sums texts', () => require('node:assert').equal(${helper}(${expression}), '3'));\n`;

const BASE: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({ private: true, workspaces: ['packages/*'] }),
  '.gitignore': 'node_modules\n',
  'packages/kit/package.json': JSON.stringify(KIT),
  'packages/kit/index.js': 'exports.shape = (value) => JSON.stringify(value);\n',
  'packages/cart/package.json': pack('@shop/cart'),
  'packages/cart/index.js': 'exports.sum = (list) => list.reduce((a, b) => a + b, 0);\n',
  'packages/cart/cart.test.js': cartTest('shape', 'sum([3])'),
  'tasks/TASK-001.md': task('refactor'),
  '.guardkit/config/quality-gates.yaml':
    'quality_gate_configs:\n  - {task_type: feature, complexity_range: [1, 10], coverage_required: false}\n',
  '.guardkit/config.yaml':
    'project: shop-1234\nverify:\n  setup: npm install --no-package-lock --offline --no-audit --no-fund\n  tests: {command: npm test --workspaces --if-present}\n',
};
const BROKEN = { 'packages/cart/index.js': 'exports.sum = () => 0;\n' };

describe('a package of helpers that only tests import', () => {
  it.each([
    ['a weakened helper', { 'packages/kit/index.js': "exports.shape = () => '3';\n" }],
    [
      'another entry point',
      {
        'packages/kit/package.json': JSON.stringify({ ...KIT, main: 'other.js' }),
        'packages/kit/other.js': "exports.shape = () => '3';\n",
      },
    ],
  ])('%s does not hide a regression', async (_name, change) => {
    const project = new VerifiedProject(BASE);
    try {
      project.write({ ...BROKEN, ...change });
      const { json } = await project.verify();
      expect(json.outcome).toBe('fail');
      expect(gate(json, 'no-test-weakened')).toMatchObject({
        result: 'fail',
        reason: expect.stringContaining('cart sums'),
      });
    } finally {
      project.cleanup();
    }
  });

  it.each([
    [
      'may be renamed with its users',
      {
        'packages/kit/index.js': 'exports.format = (value) => JSON.stringify(value);\n',
        'packages/cart/cart.test.js': cartTest('format', 'sum([3])'),
      },
    ],
    [
      'may be extended',
      {
        'packages/kit/index.js':
          'exports.shape = (value) => JSON.stringify(value);\nexports.list = (value) => [value];\n',
        'packages/cart/index.js':
          'exports.sum = (list) => list.reduce((a, b) => Number(a) + Number(b), 0);\n',
      },
    ],
    [
      'may have another version',
      {
        'packages/kit/package.json': JSON.stringify({ ...KIT, version: '1.0.1', keywords: ['tests'] }),
        'packages/cart/index.js': 'exports.sum = (list) => list.reduce((a, b) => b + a, 0);\n',
      },
    ],
  ])('%s', async (_name, change) => {
    const project = new VerifiedProject(BASE);
    try {
      project.write(change);
      const { exitCode, stderr } = await project.verify();
      expect(exitCode, stderr).toBe(0);
    } finally {
      project.cleanup();
    }
  });
});
