import { describe, expect, it } from 'vitest';
import { type Files, shortChanges } from './tree-fixture.ts';

const PACKAGE = (runner: string, more: object = {}) =>
  JSON.stringify({ name: 'calc', scripts: { test: runner }, main: 'lib/index.js', ...more });
const HOOK = '\n\ndef pytest_runtest_makereport(item, call):\n    return None\n';

describe('code in a product folder belongs to the harness if only the runner loads it:', () => {
  it.each<[string, string, Files, Files, string[]]>([
    [
      'an assertion that mocha requires',
      'npm test',
      {
        'package.json': PACKAGE('mocha'),
        '.mocharc.json': '{ "require": ["./lib/money.js"] }',
        'lib/money.js': '1;\n',
      },
      { 'lib/money.js': '2;\n' },
      ['changed lib/money.js whole file'],
    ],
    [
      'one that the command requires',
      'npx mocha --require ./lib/money.js',
      { 'package.json': PACKAGE('mocha'), 'lib/money.js': '1;\n' },
      { 'lib/money.js': '2;\n' },
      ['changed lib/money.js whole file'],
    ],
    [
      'a transform of jest, whose key is a pattern',
      'npm test',
      {
        'package.json': PACKAGE('jest', { jest: { transform: { '\\.js$': '<rootDir>/lib/transform.js' } } }),
        'lib/transform.js': '1;\n',
      },
      { 'lib/transform.js': '2;\n' },
      ['changed lib/transform.js whole file'],
    ],
    [
      'one that the change makes the product use',
      'npm test',
      {
        'package.json': PACKAGE('jest', { jest: { setupFiles: ['./src/matchers.js'] } }),
        'src/matchers.js': '1;\n',
        'src/add.js': '',
      },
      { 'src/matchers.js': '2;\n', 'src/add.js': "import './matchers.js';\n" },
      ['removed src/matchers.js whole file'],
    ],
    [
      'hooks of a plugin in a package',
      'pytest',
      { 'pytest.ini': '[pytest]\naddopts = -p calc.plugin\n', 'calc/__init__.py': '', 'calc/plugin.py': '' },
      { 'calc/plugin.py': HOOK },
      ['added calc/plugin.py hooks'],
    ],
  ])('%s', async (_name, command, base, change, expected) => {
    expect(await shortChanges(command, base, change)).toEqual(expected);
  });
});

describe('code in a product folder that the runner loads stays product', () => {
  it.each<[string, string, Files, Files]>([
    [
      'if other product code imports it',
      'npm test',
      {
        'package.json': PACKAGE('jest', { jest: { setupFiles: ['./src/polyfill.js'] } }),
        'src/polyfill.js': '1;\n',
        'src/add.js': "import { pad } from './polyfill';\n",
      },
      { 'src/polyfill.js': '2;\n' },
    ],
    [
      'if it is the package’s entry point',
      'npm test',
      {
        'package.json': PACKAGE('mocha', { main: 'lib/money.js' }),
        '.mocharc.json': '{ "require": ["./lib/money.js"] }',
        'lib/money.js': '1;\n',
      },
      { 'lib/money.js': '2;\n' },
    ],
    [
      'if a test imports it',
      'npm test',
      {
        'package.json': PACKAGE('vitest run', { main: 'dist/plugin.js' }),
        'vitest.config.js': "export default { plugins: [require('./src/plugin.js').default()] };\n",
        'src/plugin.js': '1;\n',
        'test/plugin.test.js': "import plugin from '../src/plugin.js';\n",
      },
      { 'src/plugin.js': '2;\n' },
    ],
    [
      'if the settings only exclude it',
      'npm test',
      {
        'package.json': PACKAGE('vitest run'),
        'vitest.config.js':
          "export default { test: { coverage: { reporter: ['text'], exclude: ['src/types.js'] } } };\n",
        'src/types.js': '1;\n',
      },
      { 'src/types.js': '2;\n' },
    ],
    [
      'if the settings only give it another name',
      'npm test',
      {
        'package.json': PACKAGE('jest', {
          jest: { resolver: null, moduleNameMapper: { '^money$': '<rootDir>/src/money.js' } },
        }),
        'src/money.js': '1;\n',
      },
      { 'src/money.js': '2;\n' },
    ],
    [
      'if the package publishes it as a plugin',
      'pytest',
      {
        'pytest.ini': '[pytest]\naddopts = -p calc.plugin\n',
        'pyproject.toml': '[project.entry-points.pytest11]\ncalc = "calc.plugin"\n',
        'calc/__init__.py': '',
        'calc/plugin.py': '',
      },
      { 'calc/plugin.py': HOOK },
    ],
  ])('%s', async (_name, command, base, change) => {
    expect(await shortChanges(command, base, change)).toEqual([]);
  });
});
