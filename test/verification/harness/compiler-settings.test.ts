import { describe, expect, it } from 'vitest';
import { type Files, shortChanges } from './tree-fixture.ts';

const manifest = (test: string, more: object = {}) =>
  JSON.stringify({ name: 'x', scripts: { test }, ...more });

describe('settings of a compiler through which tests are loaded', () => {
  it.each<[string, string, Files]>([
    ['Babel in the command', 'mocha -r @babel/register', {}],
    ['Babel in an older version', 'mocha --require babel-register', {}],
    ['Babel in the settings of the runner', 'mocha', { '.mocharc.json': '{"require":["@babel/register"]}' }],
    [
      'Babel in a file that these name',
      'mocha',
      {
        '.mocharc.json': '{"require":"./test/setup.js"}',
        'test/setup.js': "require('@babel/register')({});",
      },
    ],
    ['Babel as the interpreter', 'babel-node test/all.js', {}],
    ['Babel of jest', 'jest', {}],
    ['Babel that compiles the tests first', 'babel test -d build && mocha build', { 'test/a.test.js': '' }],
  ])('are a change: %s', async (_, test, files) => {
    const base = { 'package.json': manifest(test), ...files };
    const changed = {
      'babel.config.js': "module.exports = { plugins: ['./tools/strip.js'] };",
      'tools/strip.js': '1',
      'test/.babelrc': '{}',
    };
    expect(await shortChanges('npm test', base, changed)).toEqual([
      'added babel.config.js whole file',
      'added test/.babelrc whole file',
      'added tools/strip.js whole file',
    ]);
    expect(
      await shortChanges('npm test', base, { 'package.json': manifest(test, { ...files, babel: {} }) }),
    ).toEqual(['added package.json babel']);
  });

  it.each<[string, string]>([
    ['a runner without it', 'mocha'],
    ['vitest', 'vitest run'],
    ['a build of the product', 'babel src -d lib && mocha'],
  ])('are not those that compile only the product: %s', async (_, test) => {
    const base = { 'package.json': manifest(test), 'src/index.js': '', 'test/a.test.js': '' };
    expect(await shortChanges('npm test', base, { '.babelrc': '{}', '.swcrc': '{}' })).toEqual([]);
  });

  it.each([
    ['node --import @swc-node/register/esm-register --test', ['added .swcrc whole file']],
    ['mocha -r @swc/register', ['added .swcrc whole file']],
    ['jest', ['added .swcrc whole file']],
    ['tsx --test', []],
  ])('are those of swc with %s: %j', async (test, expected) => {
    expect(await shortChanges('npm test', { 'package.json': manifest(test) }, { '.swcrc': '{}' })).toEqual(
      expected,
    );
  });
});

describe('a tsconfig.json', () => {
  const settings = ['added tsconfig.json settings'];
  const tsNode = { 'ts-node': { require: ['./tools/own.js'] } };

  it.each<[string, string, object, string[]]>([
    [
      'what ts-node loads',
      'mocha -r ts-node/register',
      tsNode,
      [...settings, 'added tools/own.js whole file'].sort(),
    ],
    ['what nobody loads', 'vitest run', tsNode, []],
    [
      'a plugin that changes the code',
      'jest',
      { compilerOptions: { plugins: [{ transform: './tools/own.js' }] } },
      [...settings, 'added tools/own.js whole file'].sort(),
    ],
    ['a plugin for editors', 'jest', { compilerOptions: { plugins: [{ name: 'next' }] } }, []],
    ['other options', 'jest', { compilerOptions: { target: 'es2022', paths: { '@/*': ['./src/*'] } } }, []],
  ])('counts with %s', async (_, test, json, expected) => {
    const base = { 'package.json': manifest(test), 'tsconfig.json': '{}' };
    const changed = {
      'tsconfig.json': JSON.stringify(json),
      ...(expected.length > 1 ? { 'tools/own.js': '' } : {}),
    };
    expect(await shortChanges('npm test', base, changed)).toEqual(expected);
  });

  it('counts with the files that it extends, whatever their names and comments', async () => {
    const base = {
      'package.json': manifest('tsx --test'),
      'tsconfig.json': '{ "extends": ["./config/common"], /* for */ "include": ["src",], }',
      'config/common.json': '{}',
    };
    const paths = '{ "compilerOptions": { "paths": { "chai": /* ours */ ["./own"] } } }';
    expect(await shortChanges('npm test', base, { 'config/common.json': paths })).toEqual([
      'added config/common.json settings',
    ]);
    expect(await shortChanges('npm test', base, { 'config/other.json': paths })).toEqual([]);
  });
});

it.each([
  ['__mocks__/chai.js', ['added __mocks__/chai.js whole file']],
  ['src/__mocks__/@jest/globals.ts', ['added src/__mocks__/@jest/globals.ts whole file']],
  ['__mocks__/axios.js', []],
])('a mock of a package that judges counts with jest: %s', async (path, expected) => {
  expect(await shortChanges('npm test', { 'package.json': manifest('jest') }, { [path]: '1' })).toEqual(
    expected,
  );
  expect(await shortChanges('npm test', { 'package.json': manifest('vitest') }, { [path]: '1' })).toEqual([]);
});

describe('a package of the workspace with settings', () => {
  const base = (config: Files): Files => ({
    'package.json': manifest('jest --version && vitest run', { workspaces: ['packages/*'] }),
    'packages/config/package.json': JSON.stringify({
      name: '@own/test-config',
      main: 'src/main.js',
      exports: { '.': './src/main.js', './vitest': { import: './src/for-vitest.js' } },
    }),
    'packages/config/src/main.js': '1',
    'packages/config/src/for-vitest.js': "import './more.js'",
    'packages/config/src/more.js': '1',
    'packages/config/jest-preset.json': '{}',
    'packages/config/eslint.js': '1',
    'packages/shop/package.json': '{"name":"@own/shop","main":"index.js"}',
    'packages/shop/index.js': '1',
    ...config,
  });
  const all = (files: Files) =>
    Object.fromEntries(
      Object.keys(files)
        .filter((path) => path.endsWith('.js'))
        .map((path) => [path, '2']),
    );

  it.each<[string, Files, string[]]>([
    [
      'by a part of it',
      { 'vitest.config.ts': "import a from '@own/test-config/vitest'; export default a;" },
      ['packages/config/src/for-vitest.js'],
    ],
    [
      'by its name',
      { 'vitest.config.ts': "import a from '@own/test-config';" },
      ['packages/config/src/main.js'],
    ],
    [
      'by a path',
      { 'vitest.config.ts': "import a from '@own/test-config/src/more';" },
      ['packages/config/src/more.js'],
    ],
    ['unless it is the product', { 'vitest.config.ts': "import shop from '@own/shop';" }, []],
  ])('counts where the runner names it: %s', async (_, config, expected) => {
    const files = base(config);
    expect(await shortChanges('npm test', files, all(files))).toEqual(
      expected.map((path) => `changed ${path} whole file`),
    );
  });

  it('counts as a preset of jest', async () => {
    const files = base({ 'jest.config.json': '{"preset":"@own/test-config"}' });
    expect(
      await shortChanges('npm test', files, { 'packages/config/jest-preset.json': '{"bail":1}' }),
    ).toEqual(['changed packages/config/jest-preset.json whole file']);
  });
});

describe('settings that decide which types the tests of types check', () => {
  const strict = '{"compilerOptions":{"strict":true,"target":"es2022"},"include":["src","test"]}';
  const CONFIG = 'export default { test: { typecheck: { enabled: true } } };';
  const base: Files = {
    'package.json': manifest('vitest run'),
    'vitest.config.ts': CONFIG,
    'tsconfig.json': strict,
    'tsconfig.build.json': strict,
    'src/env.ts': '1',
  };

  it.each<[string, Files, string[]]>([
    [
      'files that are left out',
      { 'tsconfig.json': strict.replace(',"test"', '') },
      ['changed tsconfig.json type checks'],
    ],
    [
      'less strict checks',
      { 'tsconfig.json': strict.replace('true', 'false') },
      ['changed tsconfig.json type checks'],
    ],
    ['another target', { 'tsconfig.json': strict.replace('2022', '2023') }, []],
    ['a build', { 'tsconfig.build.json': strict.replace(',"test"', '') }, []],
    ['a checked file', { 'src/env.ts': '2' }, []],
  ])('are a change with vitest’s type checks: %s', async (_, changed, expected) => {
    const files = { ...base, 'tsconfig.json': strict, ...changed };
    expect(await shortChanges('npm test', base, files)).toEqual(expected);
    const option = { 'package.json': manifest('vitest run --typecheck'), 'vitest.config.ts': '' };
    expect(await shortChanges('npm test', { ...base, ...option }, { ...files, ...option })).toEqual(expected);
  });

  it('are those that the configuration names, and those that these extend', async () => {
    const named: Files = {
      ...base,
      'vitest.config.ts': CONFIG.replace('true', "true, tsconfig: './tsconfig.tests.json'"),
      'tsconfig.tests.json': '{"extends":"./settings/base.json"}',
      'settings/base.json': strict,
    };
    const changed = { 'settings/base.json': strict.replace('true', 'false') };
    expect(await shortChanges('npm test', named, changed)).toEqual([
      'changed settings/base.json type checks',
    ]);
  });

  it('are no change without tests of types', async () => {
    const without = { ...base, 'vitest.config.ts': 'export default {};' };
    const changed = { 'tsconfig.json': strict.replace('true', 'false') };
    expect(await shortChanges('npm test', without, changed)).toEqual([]);
  });
});
