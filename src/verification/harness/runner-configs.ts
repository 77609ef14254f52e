/** How a runner is known and what configures it. */
export interface Runner {
  /** Programs, packages and modules that a command may name. */
  words: string[];
  /** Names of files in the folder where it starts; `*` stands for anything. Taken as a whole. */
  files?: string[];
  /** Globs of paths below that folder: what Python takes before the installed package of that name. */
  below?: string[];
  /** Names of files wherever in the tree. */
  anywhere?: string[];
  packageKeys?: string[];
  /** Paths in pyproject.toml, wherever in the tree. */
  pyproject?: string[];
  /** Beginnings of section names in setup.cfg and tox.ini, wherever in the tree. */
  iniSections?: string[];
}

const BABEL = ['babel.config.*', '.babelrc', '.babelrc.*', '.swcrc'];

export const RUNNERS: Readonly<Record<string, Runner>> = {
  vitest: {
    words: ['vitest'],
    files: ['vitest.config.*', 'vite.config.*', 'vitest.workspace.*', 'vitest.projects.*'],
    packageKeys: ['vitest'],
  },
  jest: {
    words: ['jest', 'jest-cli', 'react-scripts', 'ts-jest', 'craco'],
    files: ['jest.config.*', 'jest-preset.*', ...BABEL],
    packageKeys: ['jest', 'babel'],
  },
  mocha: {
    words: ['mocha', '_mocha', 'ts-mocha', 'electron-mocha'],
    files: ['.mocharc', '.mocharc.*', 'mocha.opts'],
    anywhere: ['mocha.opts'],
    packageKeys: ['mocha'],
  },
  ava: { words: ['ava'], files: ['ava.config.*'], packageKeys: ['ava'] },
  tap: {
    words: ['tap', 'tape', 'uvu', 'jasmine', 'karma', 'wtr', 'web-test-runner'],
    files: ['.taprc', 'karma.conf.*', 'web-test-runner.config.*', 'jasmine.json'],
    anywhere: ['jasmine.json'],
    packageKeys: ['tap'],
  },
  c8: { words: ['c8'], files: ['.c8rc', '.c8rc.*', '.nycrc', '.nycrc.*'], packageKeys: ['c8'] },
  nyc: { words: ['nyc'], files: ['.nycrc', '.nycrc.*', 'nyc.config.*'], packageKeys: ['nyc'] },
  /** Its own test runner, as met by `--test`. */
  'node-test': { words: [], files: ['node.config.json'] },
  /** They judge, but by nothing that is looked at here. */
  plain: { words: ['tsc', 'vue-tsc', 'svelte-check', 'prettier', 'curl'] },
  node: { words: ['node', 'tsx', 'ts-node'], files: ['node.config.json'] },
  playwright: { words: ['playwright'], files: ['playwright.config.*', 'playwright-ct.config.*'] },
  cypress: { words: ['cypress'], files: ['cypress.config.*', 'cypress.json'] },
  angular: { words: ['ng'], files: ['angular.json', 'karma.conf.*', 'jest.config.*'] },
  bun: { words: ['bun', 'bunx'], files: ['bunfig.toml'] },
  deno: { words: ['deno'], files: ['deno.json', 'deno.jsonc'] },
  pytest: {
    words: [
      'pytest',
      'py.test',
      'coverage',
      'tox',
      'nox',
      'trial',
      'nose2',
      'unittest',
      'hatch',
      'poe',
      'pdm',
      'manage.py',
    ],
    anywhere: ['pytest.ini', '.pytest.ini', 'pytest.toml', '.pytest.toml', '.coveragerc', 'coverage.toml'],
    files: [
      'noxfile.py',
      'hatch.toml',
      'sitecustomize.py',
      'usercustomize.py',
      '*.pth',
      'pytest.py',
      '_pytest.py',
      'unittest.py',
      'coverage.py',
      'pytest_cov.py',
      'pluggy.py',
    ],
    below: [
      'pytest/**',
      '_pytest/**',
      'unittest/**',
      'coverage/*.py',
      'pytest_cov/**',
      'pluggy/**',
      '*.egg-info/entry_points.txt',
      '*.dist-info/entry_points.txt',
    ],
    pyproject: [
      'tool.pytest',
      'tool.coverage',
      'tool.tox',
      'tool.hatch.envs',
      'tool.pdm.scripts',
      'tool.poe',
    ],
    iniSections: ['pytest', 'tool:pytest', 'coverage:', 'tox', 'testenv', 'nosetests'],
  },
  cargo: {
    words: ['cargo', 'cargo-nextest', 'cross'],
    anywhere: ['rust-toolchain', 'rust-toolchain.toml', 'nextest.toml'],
  },
  go: { words: ['go', 'gotestsum', 'ginkgo'], files: ['go.work'] },
  maven: { words: ['mvn', 'mvnw', 'mvnd'], files: ['mvnw'] },
  gradle: {
    words: ['gradle', 'gradlew'],
    files: ['gradlew'],
    anywhere: ['gradle.properties', 'gradle-wrapper.properties'],
  },
  just: { words: ['just'], files: ['justfile', 'Justfile', '.justfile'] },
  task: { words: ['task', 'go-task'], files: ['Taskfile.*', 'taskfile.*'] },
  rake: { words: ['rake', 'rspec'], files: ['Rakefile', '.rspec'] },
  invoke: { words: ['invoke', 'inv', 'doit', 'fab'], files: ['tasks.py', 'dodo.py', 'fabfile.py'] },
  eslint: {
    words: ['eslint'],
    files: ['eslint.config.*', '.eslintrc', '.eslintrc.*', '.eslintignore'],
    packageKeys: ['eslintConfig'],
  },
  biome: { words: ['biome'], files: ['biome.json', 'biome.jsonc'] },
  ruff: {
    words: ['ruff', 'flake8', 'pylint', 'mypy', 'pyright'],
    files: ['ruff.toml', '.ruff.toml', '.flake8', '.pylintrc', 'mypy.ini', '.mypy.ini', 'pyrightconfig.json'],
    pyproject: ['tool.ruff', 'tool.pylint', 'tool.mypy', 'tool.pyright'],
    iniSections: ['flake8', 'mypy', 'pylint'],
  },
  golangci: { words: ['golangci-lint'], files: ['.golangci.*'] },
};

/** A project of its own has these below it when the runner's config speaks of several. */
export const JS_RUNNERS: ReadonlySet<string> = new Set([
  'vitest',
  'jest',
  'mocha',
  'ava',
  'tap',
  'c8',
  'nyc',
  'playwright',
  'cypress',
  'angular',
]);

/** These only run other programs; having met one says nothing about what judges. */
export const MERE_LAUNCHERS: ReadonlySet<string> = new Set([
  'node',
  'bun',
  'deno',
  'just',
  'task',
  'invoke',
  'rake',
]);

const LINTERS: ReadonlySet<string> = new Set(['eslint', 'biome', 'ruff', 'golangci']);

export const TEST_RUNNERS: readonly string[] = Object.keys(RUNNERS).filter((name) => !LINTERS.has(name));

const BY_WORD = new Map(
  Object.entries(RUNNERS).flatMap(([name, { words }]) => words.map((word) => [word, name] as const)),
);

export const JUDGING_PACKAGES: ReadonlySet<string> = new Set([
  ...['vitest', 'jest', 'mocha', 'ava', 'tap', 'c8', 'nyc', 'playwright', 'cypress'].flatMap(
    (name) => RUNNERS[name]?.words ?? [],
  ),
  '@playwright/test',
  '@vitest/runner',
  '@vitest/expect',
  '@vitest/coverage-v8',
  '@vitest/coverage-istanbul',
  '@jest/core',
  '@jest/globals',
  'expect',
  'chai',
]);

/** The runner that a word of a command stands for, whatever its folder or version. */
export function runnerOf(word: string): string | undefined {
  if (word.length > 200) return undefined;
  const name = word
    .slice(word.lastIndexOf('/') + 1)
    .replace(/(?:\.cmd|\.exe|\.bat|-?\d[\d.]*)$/, '')
    .replace(/@[\w.^~-]*$/, '');
  return BY_WORD.get(name);
}

/** Whether a file's name fits a pattern with at most one `*`. */
export function fitsName(name: string, pattern: string): boolean {
  const star = pattern.indexOf('*');
  if (star === -1) return name === pattern;
  const end = pattern.slice(star + 1);
  return name.length >= pattern.length - 1 && name.startsWith(pattern.slice(0, star)) && name.endsWith(end);
}
