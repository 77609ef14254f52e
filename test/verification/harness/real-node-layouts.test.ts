import { describeLayouts, json } from './layout-fixture.ts';

describeLayouts([
  {
    like: 'express: mocha with a required file, lint beside it',
    command: 'npm test',
    base: {
      'package.json': json({
        name: 'express',
        main: 'index.js',
        scripts: {
          lint: 'eslint .',
          test: 'mocha --require test/support/env --reporter spec --check-leaks test/ test/acceptance/',
          'test-cov': 'nyc --exclude examples --exclude test --reporter=lcovonly npm test',
        },
        devDependencies: { mocha: '10.0.0' },
      }),
      'test/support/env.js': "process.env.NODE_ENV = 'test';\n",
      'test/support/utils.js': '',
      'test/app.js': "describe('app', () => {});\n",
      'index.js': "module.exports = require('./lib/express');\n",
      '.eslintrc.yml': 'root: true\n',
      'examples/hello.js': '',
    },
    honest: {
      'versions, other scripts and the lock file': {
        'package.json': json({
          name: 'express',
          main: 'index.js',
          version: '5.0.0',
          scripts: {
            lint: 'eslint . --cache',
            test: 'mocha --require test/support/env --reporter spec --check-leaks test/ test/acceptance/',
            'test-cov': 'nyc --reporter=lcov npm test',
          },
          devDependencies: { mocha: '^10.7.0' },
        }),
        'package-lock.json': json({
          packages: { 'node_modules/mocha': { version: '10.7.0', integrity: 'x' } },
        }),
      },
      'tests and their helpers': {
        'test/app.js': "describe('app', () => { it('works'); });\n",
        'test/support/utils.js': 'x',
        'test/new.js': '',
      },
      'the product and examples': {
        'index.js': '1',
        'examples/hello.js': '2',
        '.eslintrc.yml': 'root: false\n',
      },
    },
    harness: {
      'the required file': [
        { 'test/support/env.js': 'process.exit(0)' },
        ['changed test/support/env.js whole file'],
      ],
      'a file of options': [{ '.mocharc.json': '{"grep":"x"}' }, ['added .mocharc.json whole file']],
    },
  },
  {
    like: 'commander: jest, then types',
    command: 'npm test',
    base: {
      'package.json': json({
        main: './index.js',
        scripts: {
          test: 'jest && npm run typecheck-ts',
          'typecheck-ts': 'tsd && tsc -p tsconfig.ts.json',
          lint: 'npm run lint:javascript',
        },
        jest: {
          testEnvironment: 'node',
          collectCoverage: true,
          collectCoverageFrom: ['index.js', 'lib/*.js'],
        },
      }),
      'index.js': '',
      'tsconfig.ts.json': '{}',
      'tests/a.test.js': '',
      'eslint.config.js': '',
    },
    honest: {
      'the product, types and lint': {
        'index.js': 'x',
        'tsconfig.ts.json': '{"a":1}',
        'typings/index.d.ts': '',
        'eslint.config.js': 'y',
      },
    },
    harness: {
      'the settings of jest': [
        {
          'package.json': json({
            main: './index.js',
            scripts: {
              test: 'jest && npm run typecheck-ts',
              'typecheck-ts': 'tsd && tsc -p tsconfig.ts.json',
            },
            jest: { testEnvironment: 'node', testPathIgnorePatterns: ['tests'] },
          }),
        },
        ['changed package.json jest'],
      ],
    },
  },
  {
    like: 'sindresorhus: xo, ava and tsd on a file at the root',
    command: 'npm test',
    base: {
      'package.json': json({ exports: './index.js', scripts: { test: 'xo && ava && tsd' } }),
      'index.js': '',
      'test.js': "import test from 'ava';\n",
      'index.test-d.ts': '',
    },
    honest: { 'source, test and types': { 'index.js': 'x', 'test.js': 'y', 'index.test-d.ts': 'z' } },
    harness: { 'a config of ava': [{ 'ava.config.js': '' }, ['added ava.config.js whole file']] },
  },
  {
    like: 'tape through node, with one file that lists the tests',
    command: 'npm test',
    base: {
      'package.json': json({ main: 'lib/a.js', scripts: { test: 'node test/index.js' } }),
      'test/index.js': "'use strict';\nrequire('./a');\n",
      'test/a.js': "require('tape')('a', t => t.end());\n",
      'lib/a.js': '',
    },
    honest: {
      'another test in the list': {
        'test/index.js': "'use strict';\nrequire('./a');\nrequire('./b');\n",
        'test/b.js': '',
      },
    },
    harness: {
      'a list that ends at once': [
        { 'test/index.js': "process.exit(0);\nrequire('./a');\n" },
        ['added test/index.js whole file'],
      ],
    },
  },
  {
    like: 'vitest with aliases, coverage and a vite.config beside it',
    command: 'npx vitest run --coverage',
    base: {
      'package.json': json({ main: 'index.ts' }),
      'vite.config.ts': 'export default { server: { port: 1 } };',
      'vitest.config.ts':
        "export default { resolve: { alias: { me: './index.ts' } }, test: { setupFiles: ['./test/setup.ts'], include: ['test/one.ts'], coverage: { exclude: ['benchmark/index.js', 'scripts/release.mjs'] } } };",
      'index.ts': '',
      'test/setup.ts': "import '../index';\nimport './matchers';\n",
      'test/matchers.ts': '',
      'test/one.ts': '',
      'benchmark/index.js': '',
      'scripts/release.mjs': '',
    },
    honest: {
      'what the config leaves out, selects or points at': {
        'index.ts': '1',
        'benchmark/index.js': '1',
        'scripts/release.mjs': '1',
        'test/one.ts': '1',
        'vite.config.ts': 'export default { server: { port: 2 } };',
      },
    },
    harness: {
      'what the setup imports': [{ 'test/matchers.ts': '1' }, ['changed test/matchers.ts whole file']],
    },
  },
  {
    like: 'scripts whose names look like runners',
    command: ['npm run coverage', 'npm run tap', 'rm -rf coverage'],
    base: { 'package.json': json({ scripts: { coverage: 'vitest run --reporter tap', tap: 'vitest' } }) },
    honest: {
      'settings of runners that are not used': { '.taprc': 'x', '.coveragerc': 'y', 'Taskfile.yml': 'z' },
    },
  },
  {
    like: 'deepmerge: type tests that ts-node runs, a runner by its path',
    command: 'npm test',
    base: {
      'package.json': json({
        name: 'deepmerge',
        scripts: {
          pretest: 'browserify --outfile bundle.js --entry index.js',
          test: 'node_modules/.bin/mocha && ts-node test/typescript.ts && node test/all.js',
        },
        config: { commitizen: { path: 'cz-conventional-changelog' } },
      }),
      'test/typescript.ts':
        "import * as merge from '../';\nlet merged = merge({ a: 1 }, { b: 2 });\nmerged.a;\n",
      'test/all.js': "for (const name of require('fs').readdirSync(__dirname)) require('./' + name);\n",
      'karma.conf.js': '',
      'bundle.js': '(0)',
    },
    honest: {
      'what a build writes': { 'bundle.js': '(1)' },
      'the type tests': { 'test/typescript.ts': "import * as merge from '../';\nmerge.all([]);\n" },
      'settings of a runner that is not used': { 'karma.conf.js': 'x' },
    },
    harness: {
      'the script that finds tests': [
        { 'test/all.js': "require('./a');\nprocess.exit(0);\n" },
        ['changed test/all.js whole file'],
      ],
      'settings of the runner': [{ '.mocharc.json': '{"grep":"x"}' }, ['added .mocharc.json whole file']],
    },
  },
  {
    like: 'unified: a file that only imports the tests',
    command: 'npm test',
    base: {
      'package.json': json({
        name: 'unified',
        scripts: { test: 'c8 npm run test-api', 'test-api': 'node --conditions development test/index.js' },
      }),
      'test/index.js':
        "/* eslint-disable import/no-unassigned-import */\nimport './process.js'\nimport './use.js'\n/*\n * Done.\n */\n",
      'test/process.js': "import test from 'node:test'\ntest('a', () => {})\n",
      'test/use.js': "import test from 'node:test'\ntest('b', () => {})\n",
    },
    honest: {
      'tests and their list': {
        'test/index.js': "import './process.js'\nimport './use.js'\nimport './data.js'\n",
        'test/process.js': "import test from 'node:test'\ntest('c', () => {})\n",
        'test/data.js': '',
      },
    },
    harness: {},
  },
]);
