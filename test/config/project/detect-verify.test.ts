import { describe, expect, it } from 'vitest';
import { detect, type Files, node } from './detect-fixture.ts';

describe('package managers', () => {
  it.each<[string, Files, string[], string, string]>([
    ['npm with a lock file', { 'package-lock.json': '{}' }, [], 'npm ci', 'npm test'],
    ['npm without one', {}, [], 'npm install --no-package-lock', 'npm test'],
    ['pnpm', { 'pnpm-lock.yaml': '' }, ['pnpm'], 'pnpm install --frozen-lockfile', 'pnpm test'],
    [
      'pnpm through corepack',
      { 'pnpm-lock.yaml': '' },
      ['corepack'],
      'corepack pnpm install --frozen-lockfile',
      'corepack pnpm test',
    ],
    ['yarn 1', { 'yarn.lock': '' }, ['yarn'], 'yarn install --frozen-lockfile', 'yarn test'],
    [
      'yarn berry with node_modules',
      { 'yarn.lock': '__metadata:', '.yarnrc.yml': 'nodeLinker: node-modules\n' },
      ['yarn'],
      'yarn install --immutable',
      'yarn test',
    ],
    [
      'yarn berry with Plug’n’Play, in the repository',
      {
        'yarn.lock': '__metadata:',
        '.yarnrc.yml': 'yarnPath: .yarn/releases/yarn-4.1.0.cjs\n',
        '.yarn/releases/yarn-4.1.0.cjs': '',
      },
      [],
      'YARN_ENABLE_GLOBAL_CACHE=false node .yarn/releases/yarn-4.1.0.cjs install --immutable',
      'node .yarn/releases/yarn-4.1.0.cjs test',
    ],
    [
      'a pinned yarn berry where yarn may be version 1',
      {
        'package.json': node({ test: 'mocha' }, { x: '1' }, { packageManager: 'yarn@4.1.1' }),
        'yarn.lock': '__metadata:',
        '.yarnrc.yml': 'nodeLinker: node-modules\n',
      },
      ['yarn', 'corepack'],
      'corepack yarn install --immutable',
      'corepack yarn test',
    ],
    ['bun', { 'bun.lock': '' }, ['bun'], 'bun install --frozen-lockfile', 'bun run test'],
  ])('%s', (_name, files, programs, setup, tests) => {
    const found = detect({ 'package.json': node({ test: 'mocha' }), ...files }, { programs });
    expect(found?.verify).toMatchObject({ setup, tests: { command: tests } });
  });

  it('corepack comes first, and npx after it if it cannot check the signature of the pinned version', () => {
    const pinned = node({ test: 'mocha' }, { a: '1' }, { packageManager: 'pnpm@9.1.1' });
    const found = detect({ 'package.json': pinned, 'pnpm-lock.yaml': '' }, { programs: ['corepack'] });
    expect(found?.verify.setup).toBe('corepack pnpm install --frozen-lockfile');
    expect(found?.alternatives).toContainEqual(
      expect.objectContaining({
        setup: 'npx --yes pnpm@9.1.1 install --frozen-lockfile',
        tests: { command: 'npx --yes pnpm@9.1.1 test' },
      }),
    );
  });

  it('a pinned packageManager wins over lock files, and is run through npx where nothing else has it', () => {
    const pinned = node(
      { test: 'mocha' },
      {},
      { packageManager: 'pnpm@9.1.0+sha512.abc', dependencies: { a: '1' } },
    );
    const files = { 'package.json': pinned, 'package-lock.json': '{}', 'pnpm-lock.yaml': '' };
    const found = detect(files, { programs: ['npx'] });
    expect(found).toMatchObject({
      kind: 'pnpm',
      notes: [expect.stringContaining('pnpm'), expect.any(String)],
    });
    expect(found?.verify.setup).toBe('npx --yes pnpm@9.1.0 install --frozen-lockfile');
    expect(detect(files, { programs: ['pnpm'] })?.verify.setup).toBe('pnpm install --frozen-lockfile');
  });

  it('nothing is installed for a package that needs nothing', () => {
    expect(detect({ 'package.json': { scripts: { test: 'node --test' } } })?.verify.setup).toBeUndefined();
  });
});

describe('bun test', () => {
  const FLAGS = '--reporter=junit --reporter-outfile=bun-junit.xml --coverage --coverage-reporter=lcov';
  it.each<[string, Files, string]>([
    ['a script', { 'package.json': node({ test: 'bun test' }) }, `bun run test ${FLAGS}`],
    ['test files only', { 'package.json': node({}), 'src/a.test.ts': '' }, `bun test ${FLAGS}`],
  ])('is read through its JUnit report, with coverage from the same run: %s', (_, files, command) => {
    expect(detect({ ...files, 'bun.lock': '' }, { programs: ['bun'] })?.verify).toMatchObject({
      tests: { command, report: 'bun-junit.xml' },
      coverage: { report: 'coverage/lcov.info' },
    });
  });
});

describe('test commands of JavaScript', () => {
  it.each<[string, Files, string | undefined]>([
    [
      'a script that watches is passed over',
      { 'package.json': node({ test: 'jest --watch', 'test:ci': 'jest' }) },
      'npm run test:ci',
    ],
    [
      'a script that only watches, without watching',
      { 'package.json': node({ test: 'vitest watch src' }, { vitest: '3' }) },
      'npx --no-install vitest run src',
    ],
    [
      'a script that watches with options of its own',
      { 'package.json': node({ test: 'jest --watch --config jest.unit.js' }, { jest: '29' }) },
      'npx --no-install jest --config jest.unit.js',
    ],
    [
      'a script that watches with arguments for a shell',
      { 'package.json': node({ test: 'jest --watch "$FILES"' }, { jest: '29' }) },
      'npx --no-install jest',
    ],
    ['a runner without a script', { 'package.json': node({}, { mocha: '10' }) }, 'npx --no-install mocha'],
    [
      'node’s own runner without a script',
      { 'package.json': node({}), 'test/a.test.js': 'import test from "node:test";' },
      'node --test',
    ],
    [
      'npm’s placeholder',
      { 'package.json': node({ test: 'echo "Error: no test specified" && exit 1' }) },
      undefined,
    ],
    ['a package.json that is not JSON', { 'package.json': '{' }, undefined],
    ['an empty folder', {}, undefined],
    [
      'tests that load what a build makes',
      {
        'package.json': node({ test: 'ava', build: 'tsc' }, { ava: '6' }, { main: 'dist/index.js' }),
        'test/a.js': "import x from '../dist/index.js';",
      },
      'npm run build && npm test',
    ],
    [
      'a build that a script before the tests starts',
      {
        'package.json': node({ pretest: 'npm run build', test: 'ava', build: 'tsc' }),
        'test/a.js': "import x from '../dist/index.js';",
      },
      'npm test',
    ],
    [
      'a build that only calls the script that runs before the tests',
      {
        'package.json': node({
          pretest: 'npm run prepare',
          test: 'tap',
          build: 'npm run prepare',
          prepare: 'tshy',
        }),
        'test/a.js': "import x from '../dist/index.js';",
      },
      'npm test',
    ],
    [
      'npm workspaces without a script for all',
      {
        'package.json': { workspaces: ['packages/*'] },
        'packages/a/package.json': { name: 'a', scripts: { test: 'node --test' } },
      },
      'npm test --workspaces --if-present',
    ],
    [
      'a workspace whose root has a script',
      {
        'package.json': node(
          { build: 'lerna run build', test: 'lerna run test' },
          { lerna: '8' },
          { workspaces: ['packages/*'] },
        ),
        'packages/a/package.json': { name: 'a', main: 'dist/a.js', scripts: { build: 'tsc' } },
        'packages/b/package.json': { name: 'b', dependencies: { a: '1' }, scripts: { test: 'mocha' } },
      },
      'npm test',
    ],
    [
      'turborepo, which must hand variables on',
      { 'package.json': node({ test: 'turbo run test' }, { turbo: '^2.0.0' }) },
      'npm test -- --env-mode=loose',
    ],
    [
      'a project in a folder',
      { 'README.md': '', 'app/package.json': node({ test: 'mocha' }) },
      'cd app && npm test',
    ],
  ])('%s', (_what, files, command) => {
    expect(detect(files)?.verify.tests?.command).toBe(command);
  });

  it('a part of the tests may run through an old coverage tool', () => {
    const scripts = {
      test: 'npm run test:node && npm run test:browser',
      'test:node': 'istanbul cover _mocha -- test.js',
      'test:browser': 'karma start --single-run',
    };
    const found = detect({ 'package.json': node(scripts, { mocha: '5', istanbul: '0.4', karma: '3' }) });
    expect(found?.alternatives.map(({ tests }) => tests?.command)).toEqual(['npm run test:node']);
  });

  it('scripts for a part of the tests are alternatives', () => {
    const scripts = {
      test: 'npm run test:node && karma start',
      'test:node': 'mocha test.js',
      'test:browser': 'karma',
    };
    const found = detect({ 'package.json': node(scripts, { mocha: '10' }) });
    expect(found?.alternatives.map(({ tests }) => tests?.command)).toEqual(['npm run test:node']);
  });

  it('a build that may be needed is an alternative', () => {
    const found = detect({ 'package.json': node({ test: 'mocha', build: 'tsc' }) });
    expect(found?.verify.tests?.command).toBe('npm test');
    expect(found?.alternatives).toMatchObject([{ tests: { command: 'npm run build && npm test' } }]);
    const checksTypes = detect({ 'package.json': node({ test: 'mocha && tsc --noEmit', build: 'tsup' }) });
    expect(checksTypes?.verify.tests?.command).toBe('npm test');
    expect(checksTypes?.alternatives).toMatchObject(found?.alternatives ?? []);
  });

  describe('packages that can be built, without a script for all of them', () => {
    const packages = (): Files => ({
      'packages/api/package.json': {
        name: '@m/api',
        dependencies: { core: '1' },
        scripts: { build: 'tsc', test: 'mocha' },
      },
      'packages/core/package.json': { name: 'core', scripts: { build: 'tsc' } },
      'packages/site/package.json': { name: 'site', scripts: { test: 'mocha' } },
    });
    const builds = (files: Files, programs: string[] = []) => {
      const [first] = detect({ ...packages(), ...files }, { programs })?.alternatives ?? [];
      return first?.tests?.command;
    };
    const root = (more: object = {}) => ({ workspaces: ['packages/*'], ...more });

    it.each<[string, Files, string[], string]>([
      [
        'npm',
        { 'package.json': root({ scripts: { test: 'mocha' } }) },
        [],
        'npm run build --workspaces --if-present && npm test',
      ],
      [
        'npm, with the tests of every package',
        { 'package.json': root() },
        [],
        'npm run build --workspaces --if-present && npm test --workspaces --if-present',
      ],
      [
        'pnpm',
        { 'package.json': {}, 'pnpm-workspace.yaml': 'packages: ["packages/*"]\n' },
        ['pnpm'],
        'pnpm -r run build && pnpm -r --no-bail test',
      ],
      [
        'yarn 1, a used package first',
        { 'package.json': root({ scripts: { test: 'mocha' } }), 'yarn.lock': '# yarn lockfile v1\n' },
        ['yarn'],
        'yarn workspace core run build && yarn workspace @m/api run build && yarn test',
      ],
      [
        'yarn berry',
        { 'package.json': root({ scripts: { test: 'mocha' } }), 'yarn.lock': '__metadata:' },
        ['yarn'],
        'yarn workspaces foreach --all --topological-dev run build && yarn test',
      ],
    ])('%s', (_what, files, programs, command) => {
      expect(builds(files, programs)).toBe(command);
    });

    it('a build of the root comes first', () => {
      const scripts = { test: 'mocha', build: 'tsc -b' };
      expect(builds({ 'package.json': root({ scripts }) })).toBe('npm run build && npm test');
    });
  });

  it('workspaces of yarn 1 are an object, with braces and exclusions, and limited to the affected packages', () => {
    const files = {
      'package.json': {
        workspaces: { packages: ['{apps,packages}/*', '!packages/old'], nohoist: ['**/react'] },
      },
      'yarn.lock': '# yarn lockfile v1\n',
      'apps/web/package.json': { name: 'web', scripts: { test: 'node --test' } },
      'packages/core/package.json': { name: '@m/core', scripts: { test: 'node --test' } },
      'packages/old/package.json': { name: 'old', scripts: { test: 'node --test' } },
    };
    expect(detect(files, { programs: ['yarn'] })?.verify.tests).toEqual({
      command: 'yarn workspace web test && yarn workspace @m/core test',
      packages: 'affected',
    });
  });

  it('names of workspaces are data, whatever they contain', () => {
    const files = {
      'package.json': { workspaces: ['packages/*'] },
      'yarn.lock': '# yarn lockfile v1\n',
      'packages/a/package.json': { name: "a; touch 'x'", scripts: { test: 'node --test' } },
    };
    expect(detect(files, { programs: ['yarn'] })?.verify.tests?.command).toBe(
      "yarn workspace 'a; touch '\\''x'\\''' test",
    );
  });

  it.each([
    ['3.6.4 has its plugin', '3.6.4', 'plugin-workspace-tools', 'workspaces foreach --all run test'],
    ['4.1.1 needs none', '4.1.1', 'plugin-other', 'workspaces foreach --all run test'],
  ])('all workspaces of yarn berry run at once if %s', (_name, version, plugin, expected) => {
    expect(berryTests(version, plugin)).toBe(`node .yarn/releases/yarn-${version}.cjs ${expected}`);
  });

  it('workspaces of yarn 2 and 3 without the plugin run one by one', () => {
    const program = 'node .yarn/releases/yarn-3.6.4.cjs';
    expect(berryTests('3.6.4', 'plugin-other')).toBe(
      `${program} workspace a test && ${program} workspace b test`,
    );
  });

  function berryTests(version: string, plugin: string): string | undefined {
    const release = `.yarn/releases/yarn-${version}.cjs`;
    return detect({
      'package.json': { workspaces: ['packages/*'] },
      'yarn.lock': '__metadata:',
      '.yarnrc.yml': `plugins:\n  - path: .yarn/plugins/@yarnpkg/${plugin}.cjs\nyarnPath: ${release}\n`,
      [release]: '',
      'packages/a/package.json': { name: 'a', scripts: { test: 'node --test' } },
      'packages/b/package.json': { name: 'b', scripts: { test: 'node --test' } },
    })?.verify.tests?.command;
  }

  it('a build that also runs the tests is not used, but the script that compiles', () => {
    const scripts = { test: 'lerna run test', build: 'npm run compile && npm run test', compile: 'tsc -b' };
    const found = detect({ 'package.json': node(scripts) });
    expect(found?.alternatives).toMatchObject([{ tests: { command: 'npm run compile && npm test' } }]);
  });

  it('pnpm workspaces are read from their own file', () => {
    const files = {
      'package.json': {},
      'pnpm-workspace.yaml': 'packages:\n  - libs/**\n  - "!libs/old"\n',
      'libs/x/a/package.json': { name: 'a', scripts: { test: 'vitest' } },
    };
    expect(detect(files, { programs: ['pnpm'] })?.verify.tests?.command).toBe('pnpm -r --no-bail test');
  });
});
