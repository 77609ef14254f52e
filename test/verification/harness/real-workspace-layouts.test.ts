import { describeLayouts, json, type Layout } from './layout-fixture.ts';

describeLayouts([
  {
    like: 'npm workspaces that are listed one by one',
    command: 'npm test --workspaces --if-present',
    base: {
      'package.json': json({ workspaces: ['packages/a', 'packages/b'] }),
      'packages/a/package.json': json({ name: 'a', scripts: { test: 'node --test' } }),
      'packages/b/package.json': json({ name: 'b', scripts: { test: 'node --test' } }),
    },
    honest: {
      'a new package': {
        'package.json': json({ workspaces: ['packages/a', 'packages/b', 'packages/c'] }),
        'packages/c/package.json': json({ name: 'c', scripts: { test: 'node --test' } }),
      },
    },
    harness: {
      'a package that is left out': [
        { 'package.json': json({ workspaces: ['packages/a'] }) },
        [
          'removed package.json test registered by workspaces packages/b',
          'removed packages/b/package.json scripts.test',
        ],
      ],
      'a package that is excluded': [
        { 'package.json': json({ workspaces: ['packages/a', 'packages/b', '!packages/b'] }) },
        ['added package.json workspaces', 'removed packages/b/package.json scripts.test'],
      ],
    },
  },
  {
    like: 'a monorepo of turbo with examples outside of the workspace',
    command: 'turbo run test',
    base: {
      'package.json': json({ private: true, workspaces: ['packages/*'] }),
      'turbo.json': json({
        tasks: {
          build: { outputs: ['dist'] },
          test: { dependsOn: ['^build'] },
          lint: {},
          dev: { cache: false },
        },
      }),
      'packages/a/package.json': json({ name: 'a', scripts: { test: 'vitest run', build: 'tsup' } }),
      'examples/x/package.json': json({ name: 'x', scripts: { test: 'vitest run' } }),
    },
    honest: {
      'other tasks and examples': {
        'turbo.json': json({
          tasks: {
            test: { dependsOn: ['^build'] },
            build: { outputs: ['dist'] },
            lint: { cache: false },
            docs: {},
          },
        }),
        'examples/x/package.json': json({ name: 'x', scripts: { test: 'true' } }),
        'packages/b/package.json': json({ name: 'b', scripts: { test: 'vitest run' } }),
      },
    },
    harness: {
      'a task that the tests need': [
        { 'turbo.json': json({ tasks: { build: {}, test: { dependsOn: ['^build'] } } }) },
        ['changed turbo.json tasks.build'],
      ],
      'a script of a package': [
        { 'packages/a/package.json': json({ name: 'a', scripts: { test: 'true', build: 'tsup' } }) },
        ['changed packages/a/package.json scripts.test'],
      ],
    },
  },
  {
    like: 'a monorepo of pnpm with overrides and catalogs',
    command: 'pnpm -r test',
    base: {
      'package.json': json({ private: true, scripts: { test: 'vitest' } }),
      'pnpm-workspace.yaml': 'packages:\n  - packages/*\n  - "!packages/old"\n',
      'packages/a/package.json': json({ name: 'a', scripts: { test: 'vitest run' } }),
      'packages/old/package.json': json({ name: 'old', scripts: { test: 'vitest run' } }),
    },
    honest: {
      'versions, and a package that is left out': {
        'pnpm-workspace.yaml':
          'packages:\n  - packages/*\n  - "!packages/old"\n\ncatalog:\n  vitest: ^4.0.0\noverrides:\n  vite: ^7.0.0\nonlyBuiltDependencies:\n  - esbuild\nminimumReleaseAge: 10\n',
        'packages/old/package.json': json({ name: 'old', scripts: { test: 'true' } }),
      },
    },
    harness: {
      'another shell': [
        { 'pnpm-workspace.yaml': 'packages:\n  - packages/*\n  - "!packages/old"\nscriptShell: ./fake\n' },
        ['added pnpm-workspace.yaml settings'],
      ],
      'a runner from elsewhere': [
        {
          'pnpm-workspace.yaml':
            'packages:\n  - packages/*\n  - "!packages/old"\ncatalog:\n  vitest: npm:fake@1\n',
        },
        ['added pnpm-workspace.yaml redirected packages.catalog.vitest'],
      ],
    },
  },
  {
    like: 'lerna and nx: a release and other targets',
    command: 'npx nx run-many -t test',
    base: {
      'package.json': json({ private: true, workspaces: ['packages/*'] }),
      'lerna.json': json({ version: '1.0.0', npmClient: 'npm' }),
      'nx.json': json({ targetDefaults: { test: { cache: true }, build: {} } }),
      'packages/a/project.json': json({ targets: { test: { executor: 'x' }, serve: { executor: 'y' } } }),
    },
    honest: {
      'a version and a target': {
        'lerna.json': json({ version: '1.1.0', npmClient: 'npm' }),
        'packages/a/project.json': json({ targets: { test: { executor: 'x' }, serve: { executor: 'z' } } }),
      },
    },
    harness: {
      'the target': [
        { 'packages/a/project.json': json({ targets: { test: { executor: 'run-nothing' } } }) },
        ['changed packages/a/project.json targets.test'],
      ],
    },
  },
  {
    like: 'yarn berry: settings that do not run anything',
    command: 'yarn test',
    base: {
      'package.json': json({ scripts: { test: 'jest' } }),
      '.yarnrc.yml': 'nodeLinker: node-modules\n',
    },
    honest: {
      'logging and mirrors': {
        '.yarnrc.yml':
          'nodeLinker: node-modules\nlogFilters:\n  - code: YN0013\n    level: discard\nenableGlobalCache: false\npackageExtensions:\n  a@*:\n    dependencies:\n      b: "*"\n',
      },
    },
    harness: {
      'a program in the tree': [
        { '.yarnrc.yml': 'nodeLinker: node-modules\nyarnPath: .yarn/fake.cjs\n' },
        ['added .yarnrc.yml settings'],
      ],
    },
  },
  {
    like: 'yarn berry: its release and plugins in the tree',
    command: 'yarn test',
    base: {
      'package.json': json({ scripts: { test: 'jest' } }),
      '.yarnrc.yml':
        'plugins:\n  - path: .yarn/plugins/@yarnpkg/plugin-tools.cjs\n    spec: "@yarnpkg/plugin-tools"\n\nyarnPath: .yarn/releases/yarn-3.6.4.cjs\n',
      '.yarn/releases/yarn-3.6.4.cjs': 'module.exports = 1;\n',
      '.yarn/plugins/@yarnpkg/plugin-tools.cjs': 'module.exports = 1;\n',
    },
    honest: { 'files for an editor': { '.yarn/sdks/typescript/lib/tsc.js': 'module.exports = 1;\n' } },
    harness: {
      'another release under the same name': [
        { '.yarn/releases/yarn-3.6.4.cjs': 'module.exports = 2;\n' },
        ['changed .yarn/releases/yarn-3.6.4.cjs whole file'],
      ],
      'a changed plugin': [
        { '.yarn/plugins/@yarnpkg/plugin-tools.cjs': 'module.exports = 2;\n' },
        ['changed .yarn/plugins/@yarnpkg/plugin-tools.cjs whole file'],
      ],
    },
  },
  ...[
    'pnpm --recursive --workspace-concurrency=1 exec mocha',
    'npm exec --workspaces -- mocha',
    "npm exec --workspaces -c 'mocha --exit'",
    'yarn workspaces foreach --all exec mocha',
    'npx lerna exec --parallel -- mocha',
  ].map(
    (command): Layout => ({
      like: `a workspace that starts the runner in every package: ${command}`,
      command,
      base: {
        'package.json': json({ private: true, workspaces: ['packages/*'] }),
        'pnpm-workspace.yaml': 'packages:\n  - packages/*\n',
        'packages/a/package.json': json({ name: 'a' }),
        'packages/a/.mocharc.json': json({ spec: 'test/*.js' }),
        'packages/b/package.json': json({ name: 'b' }),
        'packages/b/vitest.config.ts': 'export default {};\n',
      },
      honest: {
        'scripts and settings that do not run': {
          'packages/b/package.json': json({ name: 'b', scripts: { test: 'true' } }),
          'packages/b/vitest.config.ts': 'export default { test: {} };\n',
        },
      },
      harness: {
        'the settings of a package': [
          { 'packages/a/.mocharc.json': json({ spec: 'test/none.js' }) },
          ['changed packages/a/.mocharc.json whole file'],
        ],
        'new settings of a package': [
          { 'packages/b/.mocharc.json': json({ spec: 'test/none.js' }) },
          ['added packages/b/.mocharc.json whole file'],
        ],
      },
    }),
  ),
]);
