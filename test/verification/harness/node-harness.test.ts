import { describe, expect, it } from 'vitest';
import { changesOf, type Files, shortChanges } from './tree-fixture.ts';

const manifest = (scripts: Record<string, string>, more: object = {}) =>
  JSON.stringify({ name: 'x', scripts, ...more });
const BASE: Files = {
  'package.json': manifest({ test: 'npm run lint && vitest run', lint: 'eslint src', build: 'tsc' }),
  'vitest.config.ts':
    "export default { test: { setupFiles: ['./test/setup.ts'], include: ['test/**/*.test.ts'] } };",
  'test/setup.ts': "import './polyfill';\nexport {};",
  'test/polyfill.ts': 'export {};',
  'test/a.test.ts': "it('a', () => {});",
  'src/index.ts': 'export {};',
};

describe('an npm script', () => {
  it('changes with its own text', async () => {
    const [change] = await changesOf('npm test', BASE, {
      'package.json': manifest({ test: 'echo ok', lint: 'eslint src' }),
    });
    expect(change).toMatchObject({
      type: 'changed',
      path: 'package.json',
      part: 'scripts.test',
      after: 'echo ok',
    });
    expect(change?.words).toMatch(/package\.json\b.*\bscripts\.test\b.*npm run lint && vitest run.*echo ok/);
  });

  it.each<[string, object]>([
    ['a script that it runs is changed', { scripts: { test: 'npm run lint && vitest run', lint: 'true' } }],
    [
      'a pre script is added',
      { scripts: { test: 'npm run lint && vitest run', lint: 'eslint src', pretest: 'rm -r test' } },
    ],
    [
      'a post script of an inner script is added',
      { scripts: { test: 'npm run lint && vitest run', lint: 'eslint src', postlint: 'true' } },
    ],
    [
      'the runner is configured in the package',
      { scripts: { test: 'npm run lint && vitest run', lint: 'eslint src' }, vitest: { dir: 'x' } },
    ],
    [
      'the runner is taken from a folder',
      {
        scripts: { test: 'npm run lint && vitest run', lint: 'eslint src' },
        devDependencies: { vitest: 'file:./fake' },
      },
    ],
    [
      'the runner is taken from elsewhere by an override',
      {
        scripts: { test: 'npm run lint && vitest run', lint: 'eslint src' },
        overrides: { vitest: 'npm:other@1' },
      },
    ],
  ])('is a change when %s', async (_, json) => {
    expect(await shortChanges('npm test', BASE, { 'package.json': JSON.stringify(json) })).toHaveLength(1);
  });

  it.each<[string, Record<string, string>]>([
    [
      'formatting and the order of keys',
      {
        'package.json': JSON.stringify(
          { scripts: { build: 'tsc', lint: 'eslint src', test: 'npm run lint && vitest run' }, name: 'x' },
          null,
          4,
        ),
      },
    ],
    [
      'a dependency of the runner is overridden by a version',
      {
        'package.json': manifest(
          { test: 'npm run lint && vitest run', lint: 'eslint src' },
          { overrides: { vitest: { vite: '^7.0.0' } } },
        ),
      },
    ],
    [
      'a dependency is added',
      {
        'package.json': manifest(
          { test: 'npm run lint && vitest run', lint: 'eslint src' },
          { dependencies: { zod: '^4' }, devDependencies: { vitest: '^4.1.0' } },
        ),
      },
    ],
    [
      'another script is added',
      {
        'package.json': manifest({ test: 'npm run lint && vitest run', lint: 'eslint src', docs: 'typedoc' }),
      },
    ],
    [
      'product code and tests',
      { 'src/index.ts': 'export const a = 1;', 'test/b.test.ts': "it('b', () => {});" },
    ],
    ['the registry', { '.npmrc': 'registry=https://registry.example\n' }],
    ['snapshots', { 'test/__snapshots__/a.test.ts.snap': 'exports[`a`] = `1`' }],
  ])('ignores %s', async (_, changed) => {
    expect(await shortChanges('npm test', BASE, changed)).toEqual([]);
  });

  it.each<[string, string, Record<string, string>, string[]]>([
    ['npm run ci', 'run-s "test:*"', { 'test:a': 'false' }, ['added package.json scripts.test:a']],
    ['npm run ci', 'pnpm run "/^test:/"', { 'test:a': 'false' }, ['added package.json scripts.test:a']],
    ['npm run ci', 'npm-run-all --parallel a b', { b: 'true' }, ['added package.json scripts.b']],
    [
      'npm run ci',
      'concurrently "npm:a" "npm run b"',
      { a: 'x', b: 'y' },
      ['added package.json scripts.a', 'added package.json scripts.b'],
    ],
    [
      'pnpm ci:all',
      'x',
      { 'preci:all': 'y', 'ci:all': 'x' },
      ['added package.json scripts.ci:all', 'added package.json scripts.preci:all'],
    ],
    ['yarn a', 'x', { a: 'b' }, ['added package.json scripts.a']],
    ['timeout 60 npm run -s a', 'x', { a: 'b' }, ['added package.json scripts.a']],
    ['bash -lc "cd . && npm run a"', 'x', { a: 'b' }, ['added package.json scripts.a']],
    ['CI=1 npm run a; true', 'x', { a: 'b' }, ['added package.json scripts.a']],
    ['node --run a', 'x', { a: 'b' }, ['added package.json scripts.a']],
    ['node .yarn/releases/yarn-4.1.1.cjs a', 'x', { a: 'b' }, ['added package.json scripts.a']],
    ['node ./tools/yarn-3.6.4.cjs run a', 'x', { a: 'b' }, ['added package.json scripts.a']],
    ['corepack yarn a', 'x', { a: 'b' }, ['added package.json scripts.a']],
    ['corepack pnpm@9.1.0 a', 'x', { a: 'b' }, ['added package.json scripts.a']],
    ['npx --yes pnpm@9 run a', 'x', { a: 'b' }, ['added package.json scripts.a']],
    ['npx --yes yarn@1.22.22 run a', 'x', { a: 'b' }, ['added package.json scripts.a']],
    ['npx --yes @yarnpkg/cli-dist@4 run a', 'x', { a: 'b' }, ['added package.json scripts.a']],
    ['npm ci', 'x', { postinstall: 'node evil.js' }, ['added package.json scripts.postinstall']],
  ])('is followed from %s through %s', async (command, ci, added, expected) => {
    const base = { 'package.json': manifest({ ci }) };
    expect(await shortChanges(command, base, { 'package.json': manifest({ ci, ...added }) })).toEqual(
      expected,
    );
  });

  it.each([
    ['npm --prefix sub test'],
    ['npm test --prefix=sub'],
    ['pnpm -C sub test'],
    ['cd sub && npm test'],
    ['(cd sub; npm test) && echo done'],
    ['npm test -w sub'],
    ['npm test --workspace=@x/sub'],
    ['yarn workspace @x/sub test'],
    ['pnpm -r test'],
    ['turbo run test'],
    ['node .yarn/releases/yarn-4.1.1.cjs workspace @x/sub test'],
    ['node .yarn/releases/yarn-4.1.1.cjs workspaces foreach --all run test'],
    ['corepack pnpm -r test'],
    ['pnpm -r --no-bail test'],
    ['npx --yes @yarnpkg/cli-dist@4 workspace @x/sub test'],
  ])('is followed into the folder that %s names', async (command) => {
    const base = {
      'package.json': manifest({}),
      'sub/package.json': JSON.stringify({ name: '@x/sub', scripts: { test: 'vitest' } }),
    };
    const changed = { 'sub/package.json': JSON.stringify({ name: '@x/sub', scripts: { test: 'true' } }) };
    expect(await shortChanges(command, base, changed)).toEqual(['changed sub/package.json scripts.test']);
  });

  it('may come with a new package of a workspace', async () => {
    const base = { 'package.json': manifest({}), 'a/package.json': manifest({ test: 'vitest' }) };
    expect(
      await shortChanges('pnpm -r test', base, { 'b/package.json': manifest({ test: 'vitest run' }) }),
    ).toEqual([]);
  });

  it('that calls itself in a cycle is followed once', async () => {
    const base = { 'package.json': manifest({ a: 'npm run b', b: 'npm run a' }) };
    expect(
      await shortChanges('npm run a', base, { 'package.json': manifest({ a: 'npm run b', b: 'true' }) }),
    ).toEqual(['changed package.json scripts.b']);
  });
});

describe('the files around a runner', () => {
  it.each<[string, Record<string, string | undefined>, string[]]>([
    [
      'its config changes',
      { 'vitest.config.ts': 'export default {}' },
      [
        'changed vitest.config.ts whole file',
        'removed test/polyfill.ts whole file',
        'removed test/setup.ts whole file',
      ],
    ],
    ['a config of another name is added', { 'vitest.config.js': '' }, ['added vitest.config.js whole file']],
    [
      'vite’s config replaces its own',
      { 'vite.config.ts': '', 'vitest.config.ts': undefined },
      ['added vite.config.ts whole file', 'removed vitest.config.ts whole file'],
    ],
    [
      'a setup file changes',
      { 'test/setup.ts': "import './polyfill';\nprocess.exit(0)" },
      ['changed test/setup.ts whole file'],
    ],
    [
      'an import of a setup file changes',
      { 'test/polyfill.ts': 'process.exit(0)' },
      ['changed test/polyfill.ts whole file'],
    ],
    [
      'a setup file goes',
      { 'test/setup.ts': undefined },
      ['removed test/polyfill.ts whole file', 'removed test/setup.ts whole file'],
    ],
    [
      'another shell runs the scripts',
      { '.npmrc': 'registry=https://a.example\nscript-shell=/bin/true\n' },
      ['added .npmrc settings'],
    ],
    [
      'packages are committed',
      { 'node_modules/.bin/vitest': 'true' },
      ['added node_modules a folder of the tree, in place of installed packages'],
    ],
    [
      'the package is no longer JSON',
      { 'package.json': '{' },
      ['added package.json cannot be followed: it is not readable as JSON', 'added package.json whole file'],
    ],
  ])('are a change when %s', async (_, changed, expected) => {
    expect(await shortChanges('npm test', BASE, changed)).toEqual(expect.arrayContaining(expected));
  });

  it('of jest are its config, presets and the files these name', async () => {
    const base = {
      'package.json': manifest({ test: 'jest' }, { jest: { setupFiles: ['<rootDir>/jest.setup.js'] } }),
      'jest.setup.js': '1',
    };
    expect(
      await shortChanges('npm test', base, {
        'jest.setup.js': '2',
        'babel.config.js': '3',
        'vite.config.ts': '4',
      }),
    ).toEqual(['added babel.config.js whole file', 'changed jest.setup.js whole file']);
  });

  it('are searched for all runners if the command does not show which one it is', async () => {
    const base = { 'package.json': manifest({ test: 'node scripts/test.js' }), 'scripts/test.js': 'run()' };
    expect(
      await shortChanges('npm test', base, {
        'jest.config.js': '1',
        'pytest.ini': '2',
        'scripts/test.js': 'pass()',
      }),
    ).toEqual([
      'added jest.config.js whole file',
      'added pytest.ini whole file',
      'changed scripts/test.js whole file',
    ]);
  });

  it.each([
    [['npm ci', 'npm test', 'npm test -- --coverage']],
    [['npm run types', 'npm test']],
    [['npm run own']],
  ])('are not those of runners unrelated to %j', async (commands) => {
    const base = {
      'package.json': manifest({ test: 'vitest', types: 'tsc --noEmit', own: 'node --test test/' }),
    };
    const changed = {
      'jest.config.js': '1',
      '.mocharc.json': '{}',
      'eslint.config.js': '2',
      'pytest.ini': '',
    };
    expect(await shortChanges(commands, base, changed)).toEqual([]);
  });

  it('include the runner’s package in the lock file, but not its version', async () => {
    const lock = (version: string, integrity: string) =>
      JSON.stringify({
        packages: { 'node_modules/vitest': { version, integrity }, 'node_modules/a': { version } },
      });
    const base = { 'package.json': manifest({ test: 'vitest' }), 'package-lock.json': lock('4.0.0', 'x') };
    expect(await shortChanges('npm test', base, { 'package-lock.json': lock('4.0.0', 'y') })).toEqual([
      'changed package-lock.json locked package vitest 4.0.0 at node_modules/vitest',
    ]);
    expect(await shortChanges('npm test', base, { 'package-lock.json': lock('4.0.1', 'y') })).toEqual([]);
  });

  it('include where the packages of the lock file come from that the runner needs', async () => {
    const installed = { version: '4.0.0', integrity: 'x' };
    const lock = (packages: object) =>
      JSON.stringify({
        packages: { 'node_modules/chai': { ...installed, dependencies: { 'deep-eql': '4' } }, ...packages },
      });
    const base = {
      'package.json': manifest({ test: 'mocha' }),
      'package-lock.json': lock({ 'node_modules/deep-eql': installed, 'node_modules/ours': installed }),
    };
    const local = { resolved: 'packages/own', link: true };
    const changed = (packages: object) =>
      shortChanges('npm test', base, { 'package-lock.json': lock(packages) });
    expect(await changed({ 'node_modules/deep-eql': local, 'node_modules/ours': local })).toEqual([
      'changed package-lock.json locked package source of node_modules/deep-eql',
    ]);
    expect(
      await changed({ 'node_modules/chai': local, 'node_modules/deep-eql': { ...local, link: true } }),
    ).toEqual([
      'changed package-lock.json locked package source of node_modules/chai',
      'changed package-lock.json locked package source of node_modules/deep-eql',
    ]);
    expect(
      await changed({ 'node_modules/chai': { version: '4.0.1', resolved: 'file:own.tgz', integrity: 'y' } }),
    ).toEqual(['changed package-lock.json locked package source of node_modules/chai']);
    expect(await changed({ 'node_modules/added': local })).toEqual([]);
  });

  it.each([
    ['chai', ['added tsconfig.json settings']],
    ['node:assert/*', ['added tsconfig.json settings']],
    ['*', ['added tsconfig.json settings']],
    ['ch\\u0061i', ['added tsconfig.json settings']],
    ['@/*', []],
  ])('include a tsconfig.json that takes %s from somewhere else: %j', async (name, expected) => {
    const base = { 'package.json': manifest({ test: 'tsx --test' }), 'tsconfig.json': '{}' };
    const paths = `{ "compilerOptions": { // short\n "paths": { "${name}": ["./src/*"] } } }`;
    expect(await shortChanges('npm test', base, { 'tsconfig.json': paths })).toEqual(expected);
  });

  it.each([
    ['packages/chai/package.json', JSON.stringify({ name: 'chai' })],
    ['fixtures/chai/package.json', JSON.stringify({ name: 'chai' })],
    ['package.json', manifest({ test: 'mocha' }, { name: 'chai', exports: './own.js' })],
  ])('include a package of the project in the place of an assertion library: %s', async (path, text) => {
    const base = {
      'package.json': manifest({ test: 'mocha' }, { name: 'shop' }),
      'pnpm-workspace.yaml': 'packages:\n  - packages/*\n  - fixtures/*\n',
    };
    expect(await shortChanges('npm test', base, { [path]: text })).toEqual([`added ${path} name`]);
    const other = text.replace('chai', 'chain');
    expect(await shortChanges('npm test', base, { [path]: other })).toEqual([]);
  });

  it.each(['"script-shell"=x', 'SCRIPT-SHELL = x', 'script${NOTHING?}-shell=x', 'ignore-scripts'])(
    'include the setting %s of npm',
    async (setting) => {
      expect(await shortChanges('npm test', BASE, { '.npmrc': setting })).toEqual(['added .npmrc settings']);
    },
  );

  it('include a shell script and what that runs', async () => {
    const base = {
      'scripts/test.sh': '#!/bin/sh\nset -e\nnpm run unit\n',
      'package.json': manifest({ unit: 'mocha' }),
      '.mocharc.json': '{}',
    };
    expect(
      await shortChanges('./scripts/test.sh', base, {
        'package.json': manifest({ unit: 'true' }),
        '.mocharc.json': '{"grep":"x"}',
      }),
    ).toEqual(['changed .mocharc.json whole file', 'changed package.json scripts.unit']);
  });

  it('include those of nested projects if the config lists projects', async () => {
    const base = {
      'vitest.config.ts': "export default { test: { projects: ['packages/*'] } }",
      'packages/a/index.ts': '',
    };
    expect(
      await shortChanges('npx vitest', base, {
        'packages/a/vitest.config.ts': 'x',
        'packages/b/vitest.config.ts': 'x',
      }),
    ).toEqual(['added packages/a/vitest.config.ts whole file']);
  });

  it('exclude the product that a check starts', async () => {
    const base = { 'src/cli.js': '1', 'package.json': manifest({ smoke: 'node src/cli.js --version' }) };
    expect(await shortChanges('npm run smoke', base, { 'src/cli.js': '2' })).toEqual([]);
  });
});
