import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectView } from '../../../src/config/detection/project-view.ts';
import { detectIn } from '../../../src/config/project/detect-verify.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

type Files = Record<string, string | object>;

interface Machine {
  programs?: string[];
  modules?: Record<string, string[]>;
}

function detect(files: Files, { programs = ['npm', 'python3'], modules = {} }: Machine = {}) {
  const root = temporaryFolder();
  const write = (path: string, content: string | object) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  };
  for (const [name, content] of Object.entries(files)) write(join(root, name), content);
  const bin = temporaryFolder();
  for (const program of programs) {
    write(join(bin, program), '');
    chmodSync(join(bin, program), 0o755);
  }
  const pythonModules = new Map(Object.entries(modules).map(([python, names]) => [python, new Set(names)]));
  return detectIn(projectView({ root, path: bin, pythonModules }));
}

const node = (
  scripts: Record<string, string>,
  dev: Record<string, string> = { x: '1' },
  more: object = {},
) => ({
  scripts,
  devDependencies: dev,
  ...more,
});
const VITEST = '--coverage.enabled --coverage.reporter=lcovonly --coverage.reportsDirectory=coverage';
const JEST = '--coverage --coverageReporters=lcovonly --coverageDirectory=coverage';
const LCOV = 'coverage/lcov.info';

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
    ['bun', { 'bun.lock': '' }, ['bun'], 'bun install --frozen-lockfile', 'bun run test'],
  ])('%s', (_name, files, programs, setup, tests) => {
    const found = detect({ 'package.json': node({ test: 'mocha' }), ...files }, { programs });
    expect(found?.verify).toMatchObject({ setup, tests: { command: tests } });
  });

  it('a pinned packageManager wins over lock files, and is run through npx where nothing else has it', () => {
    const pinned = node(
      { test: 'mocha' },
      {},
      { packageManager: 'pnpm@9.1.0+sha512.abc', dependencies: { a: '1' } },
    );
    const files = { 'package.json': pinned, 'package-lock.json': '{}', 'pnpm-lock.yaml': '' };
    const found = detect(files, { programs: [] });
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

describe('coverage of JavaScript', () => {
  it.each<[string, Files, object | undefined]>([
    [
      'the project’s own script',
      { 'package.json': node({ test: 'x', 'test:cov': 'jest --coverage' }) },
      { command: 'npm run test:cov' },
    ],
    [
      'its own c8 script, which writes no report that can be read',
      { 'package.json': node({ test: 'mocha', coverage: 'c8 npm test' }) },
      {
        command: 'npm run coverage && npx --no-install c8 report --reporter=lcovonly --report-dir=coverage',
        report: LCOV,
      },
    ],
    [
      'its own nyc script, which does',
      { 'package.json': node({ test: 'mocha', cover: 'nyc mocha' }), '.nycrc': '{"reporter": ["lcov"]}' },
      { command: 'npm run cover', report: LCOV },
    ],
    [
      'vitest, whatever its version',
      {
        'package.json': node({ test: 'vitest run' }, { vitest: '^0.34.0', '@vitest/coverage-v8': '^0.34.0' }),
      },
      { command: `npm test -- ${VITEST}`, report: LCOV },
    ],
    [
      'nothing, where vitest cannot measure',
      { 'package.json': node({ test: 'vitest' }, { vitest: '3' }) },
      undefined,
    ],
    [
      'nothing, where a script of vitest lacks the package that measures',
      { 'package.json': node({ test: 'vitest', 'test:cov': 'vitest run --coverage' }, { vitest: '3' }) },
      undefined,
    ],
    [
      'vitest behind a build',
      {
        'package.json': node(
          { test: 'tsc && vitest run' },
          { vitest: '3', '@vitest/coverage-istanbul': '3' },
        ),
      },
      { command: `npm test -- ${VITEST}`, report: LCOV },
    ],
    [
      'vitest where a script of coverage is limited to text',
      {
        'package.json': node(
          { test: 'vitest', coverage: 'vitest run --coverage' },
          { vitest: '3', '@vitest/coverage-v8': '3' },
        ),
        'vitest.config.ts': 'export default { test: { coverage: { reporter: ["text"] } } }',
      },
      { command: `npm run coverage -- ${VITEST.replace('--coverage.enabled ', '')}`, report: LCOV },
    ],
    [
      'jest',
      { 'package.json': node({ test: 'jest' }, { jest: '29' }) },
      { command: `npm test -- ${JEST}`, report: LCOV },
    ],
    [
      'c8 around mocha',
      { 'package.json': node({ test: 'mocha' }, { mocha: '10', c8: '9' }) },
      { command: 'npx --no-install c8 --reporter=lcovonly --report-dir=coverage npm test', report: LCOV },
    ],
    [
      'nothing, where mocha has neither c8 nor nyc',
      { 'package.json': node({ test: 'mocha' }, { mocha: '10' }) },
      undefined,
    ],
    [
      'tap itself',
      { 'package.json': node({ test: 'tap' }, { tap: '^18.0.0' }) },
      { command: 'npm test -- --coverage-report=lcovonly', report: '.tap/report/lcov.info' },
    ],
    [
      'tap before 18, which reports in a second step',
      { 'package.json': node({ test: 'tap' }, { tap: '^16.0.1' }) },
      { command: 'npm test && npx --no-install tap --coverage-report=lcovonly', report: LCOV },
    ],
    [
      'node itself',
      { 'package.json': node({ test: 'node --import tsx --test test/*.ts' }) },
      {
        command:
          'node --import tsx --test --experimental-test-coverage --test-reporter=spec --test-reporter-destination=stdout --test-reporter=lcov --test-reporter-destination=lcov.info test/*.ts',
        report: 'lcov.info',
      },
    ],
    [
      'vitest as pnpm starts it, at the end of a chain',
      {
        'pnpm-lock.yaml': '',
        'package.json': node(
          { lint: 'eslint .', test: 'pnpm lint && pnpm vitest run' },
          { vitest: '4', '@vitest/coverage-v8': '4' },
        ),
      },
      {
        command:
          'npx --yes pnpm test --coverage.enabled --coverage.reporter=lcovonly --coverage.reportsDirectory=coverage',
        report: 'coverage/lcov.info',
      },
    ],
    [
      'node itself, though an example of the project has jest',
      { 'package.json': node({ test: 'node --test test/*.js' }, { jest: '30' }) },
      {
        command:
          'node --test --experimental-test-coverage --test-reporter=spec --test-reporter-destination=stdout --test-reporter=lcov --test-reporter-destination=lcov.info test/*.js',
        report: 'lcov.info',
      },
    ],
    [
      'node itself, out of a chain of commands',
      {
        'package.json': node({
          test: 'xo && npm run test:a && npm run test:b && tsd',
          'test:a': 'node --test --test-reporter=spec a.js',
          'test:b': 'node --test b.js',
        }),
      },
      {
        command:
          'node --test --experimental-test-coverage --test-reporter=spec --test-reporter-destination=stdout --test-reporter=lcov --test-reporter-destination=lcov-1.info a.js && node --test --experimental-test-coverage --test-reporter=spec --test-reporter-destination=stdout --test-reporter=lcov --test-reporter-destination=lcov-2.info b.js && cat lcov-1.info lcov-2.info > lcov.info',
        report: 'lcov.info',
      },
    ],
    [
      'nothing of a script that calls one that is gone',
      { 'package.json': node({ test: 'c8 --100 mocha', coverage: 'npm run unit -- --cov' }, { c8: '9' }) },
      { report: LCOV },
    ],
    [
      'no script that only sends a report',
      { 'package.json': node({ test: 'jest', coverage: 'codecov' }, { jest: '29' }) },
      { command: `npm test -- ${JEST}`, report: LCOV },
    ],
  ])('is measured by %s', (_what, files, coverage) => {
    const found = detect(files);
    expect(found?.verify.coverage).toEqual(coverage);
    if (coverage === undefined) expect(found?.notes).toHaveLength(1);
  });

  it('comes from the tests’ own run where they are run under nyc', () => {
    const found = detect({ 'package.json': node({ test: 'nyc mocha' }, { mocha: '10', nyc: '15' }) });
    expect(found?.verify).toMatchObject({
      tests: {
        command: 'npm test && npx --no-install nyc report --reporter=lcovonly --report-dir=coverage',
      },
      coverage: { report: LCOV },
    });
  });

  it('pnpm and yarn hand arguments on without dashes of their own', () => {
    const files = { 'package.json': node({ test: 'jest' }, { jest: '29' }), 'pnpm-lock.yaml': '' };
    expect(detect(files, { programs: ['pnpm'] })?.verify.coverage?.command).toBe(`pnpm test ${JEST}`);
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
  });

  it('pnpm workspaces are read from their own file', () => {
    const files = {
      'package.json': {},
      'pnpm-workspace.yaml': 'packages:\n  - libs/**\n  - "!libs/old"\n',
      'libs/x/a/package.json': { name: 'a', scripts: { test: 'vitest' } },
    };
    expect(detect(files, { programs: ['pnpm'] })?.verify.tests?.command).toBe('pnpm -r test');
  });
});

describe('Python', () => {
  it.each<[string, Files, Machine, object]>([
    [
      'pytest with nothing to install',
      { 'pytest.ini': '', 'shop/__init__.py': '' },
      {},
      { tests: { command: 'python3 -m pytest' } },
    ],
    [
      'pytest-cov that this machine has',
      { 'pytest.ini': '', 'shop/__init__.py': '', 'tests/__init__.py': '' },
      { modules: { python3: ['pytest', 'pytest_cov'] } },
      {
        tests: { command: 'python3 -m pytest' },
        coverage: { command: 'python3 -m pytest --cov=shop --cov-report=xml', report: 'coverage.xml' },
      },
    ],
    [
      'uv, where it is installed',
      { 'pyproject.toml': '[project]\n[tool.pytest.ini_options]\n', 'uv.lock': '' },
      { programs: ['uv'] },
      { setup: 'uv sync --frozen', tests: { command: 'uv run --no-sync python -m pytest' } },
    ],
    [
      'uv, where it is missing',
      { 'pyproject.toml': '[project]\n[dependency-groups]\ndev = ["pytest"]\n', 'uv.lock': '' },
      {},
      {
        setup: 'python3 -m venv .venv && .venv/bin/pip install -e .',
        tests: { command: '.venv/bin/python -m pytest' },
      },
    ],
    [
      'poetry',
      {
        'pyproject.toml':
          '[tool.poetry]\n[tool.poetry.group.dev.dependencies]\npytest = "*"\npytest-cov = "*"\n',
        'src/a/__init__.py': '',
      },
      { programs: ['poetry'] },
      {
        setup: 'POETRY_VIRTUALENVS_IN_PROJECT=true poetry install --no-interaction',
        tests: { command: '.venv/bin/python -m pytest' },
        coverage: {
          command: '.venv/bin/python -m pytest --cov=src --cov-report=xml',
          report: 'coverage.xml',
        },
      },
    ],
    [
      'requirements and an extra for tests',
      {
        'requirements-dev.txt': 'pytest\ncoverage\n',
        'pyproject.toml':
          '[project]\nname = "x"\n[project.optional-dependencies]\ndocs = []\ntest = ["pytest"]\n[tool.coverage.run]\nsource = ["x"]\n',
      },
      {},
      {
        setup: "python3 -m venv .venv && .venv/bin/pip install -r requirements-dev.txt -e '.[test]'",
        tests: { command: '.venv/bin/python -m pytest' },
        coverage: {
          command: '.venv/bin/python -m coverage run -m pytest && .venv/bin/python -m coverage xml',
          report: 'coverage.xml',
        },
      },
    ],
    [
      'unittest',
      { 'shop.py': '', 'tests/test_shop.py': 'import unittest\n' },
      { modules: { python3: ['coverage'] } },
      {
        tests: { command: 'python3 -m unittest discover -s tests' },
        coverage: {
          command:
            'python3 -m coverage run --source=. -m unittest discover -s tests && python3 -m coverage xml',
          report: 'coverage.xml',
        },
      },
    ],
    ['Django', { 'manage.py': 'import django' }, {}, { tests: { command: 'python3 manage.py test' } }],
    [
      'tox, whose tests are pytest’s',
      { 'tox.ini': '[testenv]\ndeps = pytest\ncommands = pytest\n', 'setup.py': 'setup()' },
      {},
      {
        setup: 'python3 -m venv .venv && .venv/bin/pip install -e . pytest',
        tests: { command: '.venv/bin/python -m pytest' },
      },
    ],
  ])('%s', (_what, files, machine, verify) => {
    expect(detect(files, machine)?.verify).toEqual(verify);
  });

  const modules = { python3: ['pytest'], '/usr/bin/python3': ['pytest', 'pytest_cov'] };
  const present = [
    {
      tests: { command: 'PYTHONPATH=src /usr/bin/python3 -m pytest' },
      coverage: {
        command: 'PYTHONPATH=src /usr/bin/python3 -m pytest --cov=src --cov-report=xml',
        report: 'coverage.xml',
      },
    },
    { tests: { command: 'PYTHONPATH=src python3 -m pytest' } },
  ];

  it('packages that this machine has are the alternative to those that would be installed', () => {
    const found = detect(
      {
        'pyproject.toml': '[project]\ndependencies = ["flask"]\n[tool.pytest.ini_options]\n',
        'src/a/__init__.py': '',
      },
      { modules },
    );
    expect(found?.verify.setup).toContain('pip install');
    expect(found?.alternatives).toEqual(present);
  });

  it('nothing is installed where the runner is there and the project needs nothing else', () => {
    const found = detect(
      { 'pyproject.toml': '[project]\n[tool.pytest.ini_options]\n', 'src/a/__init__.py': '' },
      { modules },
    );
    expect([found?.verify, ...(found?.alternatives ?? [])].slice(0, 2)).toEqual(present);
    expect(found?.alternatives.at(-1)?.setup).toContain('pip install');
  });
});

describe('other languages', () => {
  it.each<[string, Files, Machine, object]>([
    [
      'Go without modules of others',
      { 'go.mod': 'module x\n' },
      {},
      { tests: { command: 'go test -coverprofile=cover.out ./...' }, coverage: { report: 'cover.out' } },
    ],
    [
      'Go with them',
      { 'go.mod': 'module x\nrequire y v1.0.0\n' },
      {},
      {
        setup: 'go mod download',
        tests: { command: 'go test -coverprofile=cover.out ./...' },
        coverage: { report: 'cover.out' },
      },
    ],
    [
      'a workspace of Go',
      { 'go.work': 'go 1.21\nuse (\n\t./a\n\t./b\n)\n', 'a/go.mod': '', 'b/go.mod': '' },
      {},
      {
        tests: { command: 'go test -coverprofile=cover.out ./a/... ./b/...' },
        coverage: { report: 'cover.out' },
      },
    ],
    ['cargo', { 'Cargo.toml': '[package]\n' }, {}, { tests: { command: 'cargo test' } }],
    [
      'a workspace of cargo',
      { 'Cargo.toml': '[workspace]\n', 'Cargo.lock': '', 'a/Cargo.toml': '[dependencies]\nb = "1"\n' },
      { programs: ['cargo-llvm-cov'] },
      {
        setup: 'cargo fetch --locked',
        tests: { command: 'cargo test --workspace' },
        coverage: {
          command: 'cargo llvm-cov --workspace --lcov --output-path lcov.info',
          report: 'lcov.info',
        },
      },
    ],
    [
      'Maven',
      { 'pom.xml': '', mvnw: '' },
      {},
      { tests: { command: './mvnw -B test', report: 'target/surefire-reports' } },
    ],
    [
      'Gradle',
      { 'build.gradle.kts': '', gradlew: '' },
      {},
      {
        setup: './gradlew --no-daemon testClasses',
        tests: { command: './gradlew --no-daemon test', report: 'build/test-results/test' },
      },
    ],
    [
      'a Makefile',
      { Makefile: '.PHONY: test\nCC := cc\ntest: all\n\t./run\n' },
      {},
      { tests: { command: 'make test' } },
    ],
    [
      'a package.json that only holds tools',
      { 'package.json': {}, 'go.mod': 'module x\n' },
      {},
      { coverage: { report: 'cover.out' } },
    ],
  ])('%s', (_what, files, machine, verify) => {
    expect(detect(files, machine)?.verify).toMatchObject(verify);
  });
});
