import { describe, expect, it } from 'vitest';
import { detect, type Files, hint, type Machine } from './detect-fixture.ts';

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
      {
        'pyproject.toml':
          '[project]\n[dependency-groups]\ndocs = ["sphinx"]\ndev = [\n  {include-group = "docs"},\n  "pytest>=7", # "not this"\n  "coverage[toml]",\n  "tomli; python_version<\'3.11\'",\n]\n[tool.x]\n',
        'uv.lock': '',
      },
      {},
      {
        setup:
          "python3 -m venv .venv && .venv/bin/pip install -e . pytest 'coverage[toml]' 'tomli; python_version<\"3.11\"'",
        tests: { command: '.venv/bin/python -m pytest' },
        coverage: {
          command:
            '.venv/bin/python -m coverage run --source=. -m pytest && .venv/bin/python -m coverage xml',
          report: 'coverage.xml',
        },
      },
    ],
    [
      'poetry, where it is missing',
      {
        'pyproject.toml':
          '[tool.poetry]\n[tool.poetry.dependencies]\npython = "^3.9"\n[tool.poetry.group.docs.dependencies]\nsphinx = "*"\n[tool.poetry.group.test.dependencies]\npytest = "^7"\nfreezegun = {version = "*"}\n',
        'poetry.lock': '',
      },
      {},
      {
        setup: 'python3 -m venv .venv && .venv/bin/pip install -e . pytest freezegun',
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
    [
      'pytest, whose tests use mocks of unittest',
      {
        'shop.py': '',
        'tests/test_shop.py': 'from unittest import mock\n\n\ndef test_shop():\n    assert mock\n',
        'tests/test_more.py': 'import unittest\n\n\nclass More(unittest.TestCase): ...\n',
      },
      { modules: { python3: ['pytest'] } },
      { tests: { command: 'python3 -m pytest' } },
    ],
    [
      'pytest for a file that it would not look at',
      {
        'tox.ini': '[testenv]\ndeps = pytest\ncommands = pytest test.py\n',
        'test.py': '',
        'shop/__init__.py': '',
      },
      { modules: { python3: ['pytest', 'pytest_cov'] } },
      {
        tests: { command: "python3 -m pytest -o 'python_files=test*.py'" },
        coverage: {
          command: "python3 -m pytest -o 'python_files=test*.py' --cov=shop --cov-report=xml",
          report: 'coverage.xml',
        },
      },
    ],
    [
      'pytest with its own names of test files',
      { 'pytest.ini': '[pytest]\npython_files = tests.py\n', 'shop/tests.py': '' },
      {},
      { tests: { command: 'python3 -m pytest' } },
    ],
    [
      'unittest in a single file',
      { 'test.py': 'import unittest\n', 'shop.py': '' },
      {},
      { tests: { command: 'python3 -m unittest discover' } },
    ],
    [
      'a script of the project that runs its tests',
      {
        'runtests.py': 'import sys, unittest\n',
        'tests/models.py': '',
        'tests/test_utils.py': 'def test_a(): ...\n',
      },
      { modules: { python3: ['pytest'] } },
      { tests: { command: 'python3 runtests.py' } },
    ],
    [
      'pytest that is configured, not a script',
      { 'runtests.py': 'import unittest\n', 'pytest.ini': '' },
      {},
      { tests: { command: 'python3 -m pytest' } },
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

  it.each([
    ['tests/__init__.py, tests/unit/__init__.py, tests/unit/test_a.py', ''],
    ['tests/test_a.py', ' -s tests'],
    ['src/shop.py, src/test_shop.py', ' -s src'],
    ['tests/unit/test_a.py, tests/unit/test_b.py, tests/more/test_c.py', ' -s tests/unit'],
    ['shop/__init__.py, shop/tests/__init__.py, shop/tests/test_a.py, docs/test_x.py, shop/test_b.py', ''],
    ['shop/__init__.py, shop/shop_test.py', " -p '*_test.py'"],
    ['$(touch x)/test_a.py', ''],
  ])('unittest finds %s', (paths, options) => {
    const found = detect(Object.fromEntries(paths.split(', ').map((path) => [path, 'import unittest\n'])));
    expect(found?.verify.tests?.command.replace('PYTHONPATH=src ', '')).toBe(
      `python3 -m unittest discover${options}`,
    );
  });

  it.each([
    ['make testone', ['make testone', 'make test']],
    ['pytest test.py {posargs}', ['python3 -m pytest test.py', 'make test']],
    [
      '\n    # first\n    python setup.py build\n    py.test {posargs:tests}\n',
      ['python3 setup.py build && python3 -m pytest', 'make test'],
    ],
    ['{envpython} -m pytest', ['make test']],
    ['pytest $(touch x)', ['make test']],
    ['other-runner', ['make test']],
  ])('ends with the commands of tox and make: %j', (commands, expected) => {
    const files = {
      'tox.ini': `[tox]\nenvlist = py\n\n[testenv]\ndeps = x\ncommands = ${commands}\n\n[testenv:lint]\ncommands = flake8\n`,
      Makefile: 'test:\n\tcd test && python testall.py\n',
      'test/test_a.py': 'import unittest\n',
    };
    const alternatives = detect(files)?.alternatives.map(({ tests }) => tests?.command);
    expect(alternatives?.slice(-expected.length)).toEqual(expected);
    expect(alternatives?.at(-expected.length - 1) ?? '').not.toMatch(/^make|touch/);
  });

  it('tries the usual runners if the project’s script does not work', () => {
    const files = { 'tests/all_tests.py': 'import unittest\n', 'tests/test_a.py': 'import unittest\n' };
    expect(detect(files)).toMatchObject({
      verify: { tests: { command: 'python3 tests/all_tests.py' } },
      alternatives: [{ tests: { command: 'python3 -m unittest discover -s tests' } }],
    });
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

  it.each<[string, Files]>([
    ['pyproject.toml', { 'pyproject.toml': '[project]\n[project.scripts]\nshop = "shop:main"\n' }],
    ['setup.py', { 'setup.py': 'setup(entry_points={"console_scripts": ["shop=shop:main"]})' }],
  ])('the tests of a program in %s may need an active environment', (_name, files) => {
    const found = detect({ 'conftest.py': '', 'requirements.txt': 'pytest-cov\n', ...files });
    expect(found?.verify.tests?.command).toBe('.venv/bin/python -m pytest');
    expect(found?.alternatives[0]).toEqual({
      setup: found?.verify.setup,
      tests: { command: '. .venv/bin/activate && python -m pytest' },
      coverage: {
        command: '. .venv/bin/activate && python -m pytest --cov=. --cov-report=xml',
        report: 'coverage.xml',
      },
    });
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
      'Go packages that the tests of another one cover',
      { 'go.mod': 'module x\n', 'x.go': '', 'x_test.go': '', 'parser/p.go': '', 'testdata/y.go': '' },
      {},
      {
        tests: { command: 'go test -coverprofile=cover.out -coverpkg=./... ./...' },
        coverage: { report: 'cover.out' },
      },
    ],
    [
      'Go packages with their own tests',
      { 'go.mod': 'module x\n', 'x.go': '', 'x_test.go': '', 'parser/p.go': '', 'parser/p_test.go': '' },
      {},
      { tests: { command: 'go test -coverprofile=cover.out ./...' } },
    ],
    [
      'a workspace of Go',
      { 'go.work': 'go 1.21\nuse (\n\t./a // first\n\t./b\n)\n', 'a/go.mod': '', 'b/go.mod': '' },
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
      'Maven with modules',
      { 'pom.xml': '<project><modules><module>a</module></modules></project>', 'a/pom.xml': '' },
      {},
      { tests: { command: 'mvn -B test', report: '**/target/surefire-reports' } },
    ],
    [
      'Gradle with settings only',
      { 'settings.gradle.kts': 'rootProject.name = "x"\ninclude(":a", ":b")\n', 'a/build.gradle.kts': '' },
      {},
      {
        setup: 'gradle --no-daemon testClasses',
        tests: { command: 'gradle --no-daemon test', report: '**/build/test-results/test' },
      },
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
      'CMake, with an option for the tests',
      {
        'CMakeLists.txt': 'option(SHOP_BUILD_TESTS "Build the tests" OFF)\nadd_subdirectory(tests)\n',
        'tests/CMakeLists.txt': 'add_test(NAME shop COMMAND shop)\n',
        Makefile: 'test:\n\t./run\n',
      },
      {},
      {
        tests: {
          command:
            'cmake -S . -B build -DSHOP_BUILD_TESTS=ON && cmake --build build && ctest --test-dir build --output-on-failure --no-tests=error',
        },
      },
    ],
    [
      'CMake without tests, beside a Makefile that has some',
      { 'CMakeLists.txt': 'project(shop)\n', Makefile: 'test:\n\t./run\n' },
      {},
      { tests: { command: 'make test' } },
    ],
    [
      'Meson',
      { 'meson.build': "subdir('tests')\n", 'tests/meson.build': "test('shop', shop)\n" },
      {},
      { tests: { command: 'meson setup build && meson test -C build --print-errorlogs' } },
    ],
    [
      'bats',
      { 'test/shop.bats': '', 'test/run': '', 'test/libs/bats-assert/test/assert.bats': '' },
      {},
      { tests: { command: 'bats --formatter junit test > bats-junit.xml', report: 'bats-junit.xml' } },
    ],
    [
      'bats in several folders, with its own copy, behind a Makefile',
      {
        'test/a/shop.bats': '',
        'test/b/shop.bats': '',
        'test/bats/bin/bats': '',
        'test/bats/test/bats.bats': '',
        Makefile: 'test:\n\ttest/bats/bin/bats -r test\n',
      },
      {},
      {
        tests: {
          command: 'test/bats/bin/bats --formatter junit -r test > bats-junit.xml',
          report: 'bats-junit.xml',
        },
      },
    ],
    [
      'a Makefile whose tests are more than those of bats',
      { 'test/shop.bats': '', Makefile: 'test:\n\t./run\n' },
      {},
      { tests: { command: 'make test' } },
    ],
    [
      'Perl',
      { 'lib/Shop.pm': '', 't/00-load.t': '', 'Makefile.PL': '' },
      {},
      { tests: { command: 'prove -lr t' } },
    ],
    [
      'PHP',
      { 'composer.json': '{}', 'phpunit.xml.dist': '' },
      {},
      {
        setup: 'composer install --no-interaction --no-progress',
        tests: { command: 'vendor/bin/phpunit --log-junit phpunit-junit.xml', report: 'phpunit-junit.xml' },
      },
    ],
    [
      'Ruby with a Gemfile',
      { Gemfile: '', 'spec/shop_spec.rb': '' },
      {},
      {
        setup: 'bundle config set --local path vendor/bundle && bundle install',
        tests: { command: 'bundle exec rspec' },
      },
    ],
    ['Ruby without one', { Rakefile: '', 'test/shop_test.rb': '' }, {}, { tests: { command: 'rake test' } }],
    ['Elixir', { 'mix.exs': '' }, {}, { tests: { command: 'mix test' } }],
    ['.NET', { 'Shop.sln': '' }, {}, { setup: 'dotnet restore', tests: { command: 'dotnet test' } }],
    [
      'a package.json that only holds tools',
      { 'package.json': {}, 'go.mod': 'module x\n' },
      {},
      { coverage: { report: 'cover.out' } },
    ],
  ])('%s', (_what, files, machine, verify) => {
    expect(detect(files, machine)?.verify).toMatchObject(verify);
  });

  it.each<[Files, string[], string | undefined]>([
    [{ 'build.gradle': '' }, [], 'gradle'],
    [{ 'build.gradle': '' }, ['gradle'], undefined],
    [{ 'build.gradle': '', gradlew: '' }, [], undefined],
    [{ 'pom.xml': '' }, [], 'mvn'],
    [{ 'composer.json': '{}', 'phpunit.xml': '' }, [], 'composer'],
    [{ 'go.mod': 'module x\n' }, [], 'go'],
    [{ 'sub/Cargo.toml': '[package]\n' }, [], 'cargo'],
    [{ 'src/shop/__init__.py': '', 'tests/test_shop.py': '' }, [], 'python3'],
    [{ 'src/shop/__init__.py': '', 'tests/test_shop.py': '' }, ['python3'], undefined],
  ])('%j with %j: a note names a missing program', (files, programs, missing) => {
    const notes = detect(files, { programs })?.notes.filter((note) => note.includes('commands need it'));
    expect(notes?.map((note) => note.split(' ')[0])).toEqual(missing === undefined ? [] : [missing]);
  });

  it('Go files without a module: the hint names the command that creates it', () => {
    const files = { 'x.go': '', 'x_test.go': '' };
    expect(detect(files)).toBeUndefined();
    expect(hint(files)).toContain('go mod init');
    expect(hint({ 'x.txt': '' })).toContain('verify:');
  });
});

const MODULES: Files = {
  'go.mod': 'module x\n',
  'x_test.go': '',
  'tools/go.mod': 'module x/tools\n\nrequire x v0.0.0\n',
  'tools/gen/gen_test.go': '',
  'examples/go.mod': 'module x/examples\n',
  'examples/main.go': '',
  'testdata/m/go.mod': 'module m\n',
  'testdata/m/m_test.go': '',
};

describe('several modules or crates', () => {
  const GO = { programs: ['go', 'cargo'] };

  it('of Go run one after the other, each with its coverage, and even if the first fails', () => {
    const found = detect(MODULES, GO);
    expect(found?.verify).toEqual({
      setup: '(cd tools && go mod download)',
      tests: {
        command:
          'failed=0; go test -coverprofile=cover.out ./... || failed=1; (cd tools && go test -coverprofile=cover.out ./...) || failed=1; exit $failed',
      },
      coverage: { report: '**/cover.out' },
    });
    expect(found?.notes).toEqual([expect.stringMatching(/tools(?!.*(?:examples|testdata))/)]);
  });

  it('of Go fall back to all of them without coverage, then to the root alone', () => {
    const commands = detect(MODULES, GO)?.alternatives.map(({ tests }) => tests?.command ?? '');
    expect(commands?.[0]).toMatch(/^failed=0; go test \.\/\.\.\. .*\(cd tools && go test \.\/\.\.\.\)/);
    expect(commands?.at(-1)).toBe('go test ./...');
  });

  it('of Go that a workspace lists run in one command; others are named', () => {
    const listed = { ...MODULES, 'go.work': 'go 1.21\nuse (\n\t.\n\t./tools\n)\n' };
    expect(detect(listed, GO)?.notes).toEqual([]);
    const [note] = detect({ ...MODULES, 'go.work': 'go 1.21\nuse .\n' }, GO)?.notes ?? [];
    expect(note).toContain('tools');
  });

  it.each<[string, Files, string]>([
    [
      'Go',
      { 'a/go.mod': 'module a\n', 'a/a_test.go': '', 'deep/b/go.mod': 'module b\n', 'deep/b/b_test.go': '' },
      '(cd a && go test -coverprofile=cover.out ./...) || failed=1; (cd deep/b && go test -coverprofile=cover.out ./...) || failed=1',
    ],
    [
      'Rust',
      { 'a/Cargo.toml': '[workspace]\n', 'a/inner/Cargo.toml': '[package]\n', 'b/Cargo.toml': '[package]\n' },
      '(cd a && cargo test --workspace) || failed=1; (cd b && cargo test) || failed=1',
    ],
  ])('of %s in subfolders only are found', (_, files, command) => {
    expect(detect(files, GO)?.verify.tests?.command).toBe(`failed=0; ${command}; exit $failed`);
  });

  it('beside a project of another kind without tests run without it', () => {
    const files = { 'a/go.mod': 'module a\n', 'b/go.mod': 'module b\n', 'web/package.json': '{}' };
    expect(detect(files, GO)?.verify.tests?.command).toMatch(/^failed=0; \(cd a && .*\(cd b && /);
  });
});

it('long runs of empty lines and spaces in a repository do not delay detection', () => {
  const lines = '\n'.repeat(200_000);
  const files = {
    'pyproject.toml': `[tool.poetry.dependencies]${lines}!`,
    'setup.py': `install_requires =${lines}!`,
    'requirements.txt': lines,
    'tox.ini': `[run]${lines}!\n[testenv]\ncommands${' '.repeat(200_000)}`,
    'test_x.py': `${lines}!`,
    'run_tests.py': lines,
    Makefile: `a${' '.repeat(200_000)}\n${lines}test :\n\ttrue\n`,
  };
  const startedAt = performance.now();
  const found = detect(files, { modules: { python3: ['pytest', 'coverage'] } });
  expect(performance.now() - startedAt).toBeLessThan(20_000);
  expect(found?.alternatives).toContainEqual({ tests: { command: 'make test' } });
});

it.each(['constructor', 'toString -q', '__proto__', 'pytest $(id)', 'pytest; id', 'pytest \\\n  id'])(
  'a line of tox.ini that is not a plain command of a known program proposes nothing: %s',
  (line) => {
    const files = { 'test_x.py': 'def test_x():\n    pass\n' };
    const found = detect({ ...files, 'tox.ini': `[testenv]\ncommands = ${line}\n` });
    expect(found).toEqual(detect(files));
  },
);
