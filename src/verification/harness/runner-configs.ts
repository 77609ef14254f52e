/** How a runner is recognized and configured. */
export interface Runner {
  /** Programs, packages and modules that a command may name. */
  words: string[];
  /** Names of files in its start folder; `*` matches anything. Compared as a whole. */
  files?: string[];
  /** The same, read only if none of `files` exists. */
  otherwise?: string[];
  /** Globs of paths below that folder that Python takes before the installed package of that name. */
  below?: string[];
  /** Names of files in its start folder or below it. */
  nested?: string[];
  /** Names of files anywhere in the tree. */
  anywhere?: string[];
  packageKeys?: string[];
  /** Paths in pyproject.toml, anywhere in the tree. */
  pyproject?: string[];
  /** Prefixes of section names by file name, anywhere in the tree. */
  iniSections?: Readonly<Record<string, readonly string[]>>;
}

/** Python runs these before anything else. */
const PYTHON_STARTUP = ['sitecustomize.py', 'usercustomize.py', '*.pth'];
/** They apply to the files around them. */
const BABEL_BELOW = ['.babelrc', '.babelrc.*'];

export const RUNNERS: Readonly<Record<string, Runner>> = {
  vitest: {
    words: ['vitest'],
    files: ['vitest.config.*', 'vitest.workspace.*', 'vitest.projects.*'],
    // vitest.config takes precedence over vite.config.
    otherwise: ['vite.config.*'],
    packageKeys: ['vitest'],
  },
  jest: {
    words: ['jest', 'jest-cli', 'react-scripts', 'ts-jest', 'craco'],
    files: ['jest.config.*', 'jest-preset.*', 'babel.config.*'],
    nested: [...BABEL_BELOW, '.swcrc'],
    packageKeys: ['jest', 'babel'],
  },
  /** Compilers, if tests are loaded through them; see `compiler-settings.ts`. */
  babel: { words: [], files: ['babel.config.*'], nested: BABEL_BELOW, packageKeys: ['babel'] },
  swc: { words: [], nested: ['.swcrc'] },
  mocha: {
    words: ['mocha', '_mocha', 'ts-mocha', 'electron-mocha'],
    files: ['.mocharc', '.mocharc.*', 'mocha.opts'],
    anywhere: ['mocha.opts'],
    packageKeys: ['mocha'],
  },
  ava: { words: ['ava'], files: ['ava.config.*'], packageKeys: ['ava'] },
  tap: { words: ['tap'], files: ['.taprc'], packageKeys: ['tap'] },
  tape: { words: ['tape', 'uvu', 'zora', 'best-test', 'lab', 'borp', 'brittle'], files: ['.labrc.js'] },
  jasmine: {
    words: ['jasmine', 'jasmine-ts'],
    files: ['jasmine.json'],
    anywhere: ['jasmine.json', 'jasmine.mjs'],
  },
  karma: { words: ['karma'], files: ['karma.conf.*'] },
  wtr: { words: ['wtr', 'web-test-runner'], files: ['web-test-runner.config.*'] },
  c8: { words: ['c8'], files: ['.c8rc', '.c8rc.*', '.nycrc', '.nycrc.*'], packageKeys: ['c8'] },
  nyc: { words: ['nyc'], files: ['.nycrc', '.nycrc.*', 'nyc.config.*'], packageKeys: ['nyc'] },
  /** Node's own test runner, recognized by `--test`. */
  'node-test': { words: [], files: ['node.config.json'] },
  /** They judge, but without configuration that matters here. */
  plain: { words: ['tsc', 'vue-tsc', 'svelte-check', 'prettier', 'curl'] },
  node: { words: ['node', 'tsx', 'ts-node'], files: ['node.config.json'] },
  playwright: { words: ['playwright'], files: ['playwright.config.*', 'playwright-ct.config.*'] },
  cypress: { words: ['cypress'], files: ['cypress.config.*', 'cypress.json'] },
  angular: { words: ['ng'], files: ['angular.json', 'karma.conf.*', 'jest.config.*'] },
  bun: { words: ['bun', 'bunx'], files: ['bunfig.toml'] },
  deno: { words: ['deno'], files: ['deno.json', 'deno.jsonc'] },
  pytest: {
    words: ['pytest', 'py.test', 'pytest-xdist'],
    anywhere: ['pytest.ini', '.pytest.ini', 'pytest.toml', '.pytest.toml'],
    files: [...PYTHON_STARTUP, 'pytest.py', '_pytest.py', 'unittest.py', 'pluggy.py'],
    below: [
      'pytest/**',
      '_pytest/**',
      'unittest/**',
      'pluggy/**',
      '*.egg-info/entry_points.txt',
      '*.dist-info/entry_points.txt',
    ],
    pyproject: ['tool.pytest'],
    // Each file has its own section name for pytest.
    iniSections: { 'tox.ini': ['pytest'], 'setup.cfg': ['tool:pytest', 'pytest'] },
  },
  unittest: {
    words: ['unittest', 'trial', 'nose2', 'nosetests', 'stestr', 'manage.py'],
    anywhere: ['unittest.cfg', 'nose2.cfg', '.stestr.conf', '.noserc'],
    files: [...PYTHON_STARTUP, 'unittest.py'],
    below: ['unittest/**'],
    pyproject: ['tool.nose', 'tool.nose2'],
    iniSections: { 'setup.cfg': ['nosetests'], 'tox.ini': ['nosetests'] },
  },
  coverage: {
    words: ['coverage', 'pytest-cov'],
    files: ['.coveragerc', '.coveragerc.toml', 'coverage.toml', 'coverage.py', 'pytest_cov.py'],
    below: ['coverage/*.py', 'pytest_cov/**'],
    pyproject: ['tool.coverage'],
    iniSections: { 'setup.cfg': ['coverage:'], 'tox.ini': ['coverage:'] },
  },
  cargo: {
    words: ['cargo', 'cargo-nextest', 'cross'],
    anywhere: ['rust-toolchain', 'rust-toolchain.toml', 'nextest.toml'],
  },
  /** Of go.work, the modules count; see `build-files.ts`. */
  go: { words: ['go', 'gotestsum', 'ginkgo'] },
  maven: { words: ['mvn', 'mvnw', 'mvnd'], files: ['mvnw'] },
  gradle: {
    words: ['gradle', 'gradlew'],
    files: ['gradlew'],
    anywhere: ['init.gradle'],
  },
  /** Of their build files, only lines about tests count; see `native-builds.ts`. */
  ctest: { words: ['ctest'] },
  meson: { words: ['meson'] },
  prove: { words: ['prove'], files: ['.proverc'] },
  phpunit: { words: ['phpunit', 'pest'], files: ['phpunit.xml', 'phpunit.xml.dist', 'phpunit.dist.xml'] },
  mix: { words: ['mix'], anywhere: ['test_helper.exs'] },
  dotnet: { words: ['dotnet'], anywhere: ['.runsettings', 'xunit.runner.json'] },
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
    iniSections: {
      'setup.cfg': ['flake8', 'mypy', 'pylint'],
      'tox.ini': ['flake8', 'mypy', 'pylint'],
    },
  },
  golangci: { words: ['golangci-lint'], files: ['.golangci.*'] },
};

/** Files of a nested project if the runner's config lists several. */
export const JS_RUNNERS: ReadonlySet<string> = new Set([
  'vitest',
  'jest',
  'mocha',
  'ava',
  'tap',
  'jasmine',
  'karma',
  'wtr',
  'c8',
  'nyc',
  'playwright',
  'cypress',
  'angular',
]);

export const PYTHON_RUNNERS: ReadonlySet<string> = new Set(['pytest', 'unittest']);

/** These only run other programs; finding one does not show what judges. */
export const MERE_LAUNCHERS: ReadonlySet<string> = new Set([
  'node',
  'bun',
  'deno',
  'just',
  'task',
  'invoke',
  'rake',
  'babel',
  'swc',
]);

export const LINTERS: ReadonlySet<string> = new Set(['eslint', 'biome', 'ruff', 'golangci']);

export const TEST_RUNNERS: readonly string[] = Object.keys(RUNNERS).filter((name) => !LINTERS.has(name));

const BY_WORD = new Map(
  Object.entries(RUNNERS).flatMap(([name, { words }]) => words.map((word) => [word, name] as const)),
);

const NAMED_IN_SCRIPTS =
  /\b(?:vitest|jest|mocha|ava|jasmine|karma|nyc|c8|playwright|cypress|pytest|unittest|cargo|gradlew?|mvnw?|gotestsum)\b/g;

/** Runners that a script names, however it starts them. */
export function runnersIn(text: string): string[] {
  const found = text.match(NAMED_IN_SCRIPTS) ?? [];
  return [...new Set(found.flatMap((word) => BY_WORD.get(word) ?? []))];
}

/** The runner that a word of a command means, whatever its folder or version. */
export function runnerOf(word: string): string | undefined {
  if (word.length > 200) return undefined;
  const installed = /(?:^|\/)node_modules\/(?:\.bin\/)?((?:@[\w.-]+\/)?[\w.-]+)/.exec(word)?.[1] ?? word;
  const name = installed
    .slice(installed.lastIndexOf('/') + 1)
    .replace(/(?:\.cmd|\.exe|\.bat|-?\d[\d.]*)$/, '')
    .replace(/@[\w.^~-]*$/, '');
  return BY_WORD.get(name);
}

/** Whether a file's name matches a pattern with at most one `*`. */
export function fitsName(name: string, pattern: string): boolean {
  const star = pattern.indexOf('*');
  if (star === -1) return name === pattern;
  const end = pattern.slice(star + 1);
  return name.length >= pattern.length - 1 && name.startsWith(pattern.slice(0, star)) && name.endsWith(end);
}
