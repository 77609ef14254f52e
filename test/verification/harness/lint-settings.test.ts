import { describe, expect, it } from 'vitest';
import { type Files, shortChanges } from './tree-fixture.ts';

const BASE: Files = {
  'package.json': JSON.stringify({ scripts: { test: 'npm run lint && mocha', lint: 'eslint .' } }),
  'eslint.config.js':
    "import js from '@eslint/js';\n\nexport default [\n  js.configs.recommended,\n  { rules: { 'max-params': ['error', 18] } },\n];\n",
};
const EXTRA = (line: string): Files => ({ 'eslint.config.js': `${line}\n${BASE['eslint.config.js']}` });
const TESTING = { testing: ['npm test'] };

describe('a linter that runs before the tests', () => {
  it.each<[string, Files]>([
    ['a rule', { 'eslint.config.js': BASE['eslint.config.js']?.replace('18', '20') ?? '' }],
    ['a package of rules', EXTRA("import globals from 'globals';")],
    ['an excluded file', EXTRA("export const ignores = globalIgnores(['dist/**', 'test/bench.js']);")],
    [
      'a shared config',
      {
        '.eslintrc.cjs':
          "const shared = require('eslint-config-x');\nmodule.exports = shared({\n  ignores: ['dist'],\n});\n",
      },
    ],
    ['settings without code', { '.eslintrc.json': '{"rules":{"no-var":"error"}}' }],
  ])('does not add %s to the harness', async (_, changed) => {
    expect(await shortChanges('npm test', BASE, changed, TESTING)).toEqual([]);
  });

  it.each<[string, Files]>([
    ['a call', EXTRA('rewrite();')],
    ['a module of Node', EXTRA("import { writeFileSync } from 'node:fs';")],
    ['a required module of Node', EXTRA("const fs = require('fs');")],
    ['a file of the tree', EXTRA("import './quiet.js';")],
    ['a replaced function', EXTRA('Array.prototype.every = undefined;')],
    ['a getter', EXTRA('export const x = { get y() { return z; } };')],
  ])('adds %s in its settings to the harness', async (_, changed) => {
    expect(await shortChanges('npm test', BASE, changed, TESTING)).not.toEqual([]);
  });

  it('is judged by all of its settings if a check runs it', async () => {
    const changed = { 'eslint.config.js': BASE['eslint.config.js']?.replace('18', '20') ?? '' };
    expect(await shortChanges(['npm test', 'npm run lint'], BASE, changed, TESTING)).toEqual([
      'changed eslint.config.js whole file',
    ]);
  });
});
