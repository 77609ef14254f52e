import { describe, expect, it } from 'vitest';
import { type Files, shortChanges } from './tree-fixture.ts';

const BASE: Files = {
  'pyproject.toml':
    '[project]\nname = "x"\ndependencies = [\n  "a",\n]\n\n[tool.pytest.ini_options]\naddopts = "-q" # quiet\n',
  'tests/conftest.py': 'import pytest\n\n@pytest.fixture\ndef client():\n    return 1\n',
  'tests/test_a.py': 'def test_a():\n    assert 1\n',
};

describe('the harness of pytest', () => {
  it('is found behind the activation of an environment', async () => {
    const changed = { 'pytest.ini': '' };
    expect(await shortChanges('. .venv/bin/activate && python -m pytest', BASE, changed)).toEqual([
      'added pytest.ini whole file',
    ]);
  });

  it.each<[string, Record<string, string>, string[]]>([
    [
      'its section of pyproject.toml',
      { 'pyproject.toml': '[tool.pytest.ini_options]\naddopts = "-k nothing"\n' },
      ['changed pyproject.toml [tool.pytest]'],
    ],
    [
      'an empty pytest.ini, which hides pyproject.toml',
      { 'pytest.ini': '' },
      ['added pytest.ini whole file'],
    ],
    [
      'a pytest.ini next to the tests',
      { 'tests/pytest.ini': '[pytest]\n' },
      ['added tests/pytest.ini whole file'],
    ],
    [
      'a section of setup.cfg',
      { 'setup.cfg': '[metadata]\nname = x\n[tool:pytest]\naddopts = -x\n' },
      ['added setup.cfg [tool:pytest]'],
    ],
    [
      'a hook in conftest.py',
      { 'tests/conftest.py': 'def pytest_collection_modifyitems(items):\n    items.clear()\n' },
      ['added tests/conftest.py hooks'],
    ],
    [
      'a hook of another name',
      {
        'conftest.py':
          'import pytest\n\n@pytest.hookimpl(specname="pytest_runtest_makereport")\ndef f():\n    pass\n',
      },
      ['added conftest.py hooks'],
    ],
    [
      'an imported hook',
      { 'conftest.py': 'from plugin import pytest_runtest_call\n' },
      ['added conftest.py hooks'],
    ],
    [
      'code that conftest.py runs on import',
      { 'conftest.py': 'import os\nos._exit(0)\n' },
      ['added conftest.py hooks'],
    ],
    [
      'files that are not collected',
      { 'conftest.py': 'collect_ignore = ["tests/test_a.py"]\n' },
      ['added conftest.py hooks'],
    ],
    [
      'a replaced function of pytest',
      { 'conftest.py': 'import pytest\npytest.fail = print\n' },
      ['added conftest.py hooks'],
    ],
    [
      'code that runs at the start of Python',
      { 'sitecustomize.py': 'x' },
      ['added sitecustomize.py whole file'],
    ],
    ['a module that shadows pytest', { 'pytest.py': 'x' }, ['added pytest.py whole file']],
    [
      'modules that shadow assertion libraries',
      { 'hamcrest.py': 'x', 'tests/unit/test_b.py': '', 'tests/unit/numpy/__init__.py': '' },
      [
        'added hamcrest.py in place of an installed package',
        'added tests/unit/numpy/__init__.py in place of an installed package',
      ],
    ],
    [
      'nothing but a module of a package that is named like an assertion library',
      { 'shop/backends/pandas/__init__.py': 'x', 'benchmarks/numpy.py': 'x' },
      [],
    ],
  ])('changes with %s', async (_, changed, expected) => {
    expect(await shortChanges('python -m pytest', BASE, changed)).toEqual(expected);
  });

  it.each<[string, Record<string, string>, string[]]>([
    [
      'a section written with dots',
      { 'pyproject.toml': `${BASE['pyproject.toml']}\n[tool]\ncoverage.run.omit = ["*"]\n` },
      ['added pyproject.toml [tool.coverage]'],
    ],
    [
      'a section with blanks and quotes in its name',
      { 'pyproject.toml': `${BASE['pyproject.toml']}\n[ tool . "coverage" . run ]\nomit = ["*"]\n` },
      ['added pyproject.toml [tool.coverage]'],
    ],
    ['a settings file', { '.coveragerc': '[run]\nomit = *\n' }, ['added .coveragerc whole file']],
    [
      'a section of setup.cfg',
      { 'setup.cfg': '[coverage:run]\nomit = *\n' },
      ['added setup.cfg [coverage:run]'],
    ],
  ])(
    'includes the settings of coverage.py only when coverage is measured: %s',
    async (_, changed, expected) => {
      expect(await shortChanges('python -m pytest --cov', BASE, changed)).toEqual(expected);
      expect(await shortChanges('coverage run -m pytest', BASE, changed)).toEqual(expected);
      expect(await shortChanges('python -m pytest', BASE, changed, { measuresCoverage: true })).toEqual(
        expected,
      );
      expect(await shortChanges('python -m pytest', BASE, changed)).toEqual([]);
    },
  );

  it.each<[string, Record<string, string>]>([
    [
      'a dependency and a comment',
      {
        'pyproject.toml':
          '[project]\nname = "x"\ndependencies = [\n  "a",\n  "b",\n]\n\n# how tests run\n[tool.pytest.ini_options]\naddopts = "-q" # quiet\n[tool.black]\nline-length = 100\n',
      },
    ],
    [
      'a fixture',
      {
        'tests/conftest.py':
          'import pytest\nimport pytest_asyncio\nfrom pytest_mock import MockerFixture\n\nURL = "x"\n\n@pytest_asyncio.fixture\nasync def client():\n    return 2\n\n@pytest.fixture(autouse=True)\ndef b(tmp_path):\n    yield\n',
      },
    ],
    ['a path for imports', { 'conftest.py': 'import sys\nsys.path.insert(0, "src")\n' }],
    [
      'other sections',
      { 'setup.cfg': '[metadata]\nname = x\n', 'tox.ini': '[flake8]\nmax-line-length = 100\n' },
    ],
    ['a test and its data', { 'tests/test_b.py': 'def test_b(): assert 1', 'tests/data.json': '{}' }],
  ])('does not change with %s', async (_, changed) => {
    expect(await shortChanges('pytest -q', BASE, changed)).toEqual([]);
  });

  it('is found through a tool that runs it', async () => {
    const changed = { 'tox.ini': '[tox]\nenvlist = py3\n[testenv]\ncommands = true\n' };
    expect(await shortChanges('poetry run tox', BASE, changed)).toEqual([
      'added tox.ini [testenv]',
      'added tox.ini [tox]',
    ]);
  });
});

describe('a module of the tests that conftest.py loads as a plugin', () => {
  const base: Files = {
    ...BASE,
    'conftest.py': 'pytest_plugins = ["tests.fixtures", "tools.plugin"]\n',
    'tests/fixtures.py': 'import pytest\n\n@pytest.fixture\ndef three():\n    return 3\n',
    'tools/plugin.py': 'NAME = 1\n',
  };

  it('may get other fixtures, but no hook', async () => {
    const more = '\n@pytest.fixture\ndef four():\n    return 4\n';
    const files = { 'tests/fixtures.py': `${base['tests/fixtures.py']}${more}` };
    expect(await shortChanges('pytest', base, files)).toEqual([]);
    const hook = { 'tests/fixtures.py': 'def pytest_runtest_call(item):\n    pass\n' };
    expect(await shortChanges('pytest', base, hook)).toEqual(['added tests/fixtures.py hooks']);
  });

  it('is followed to the modules that it loads itself', async () => {
    const nested = { ...base, 'tests/fixtures.py': 'pytest_plugins = ["tests.more"]\n', 'tests/more.py': '' };
    const hook = { 'tests/more.py': 'def pytest_runtest_call(item):\n    pass\n' };
    expect(await shortChanges('pytest', nested, hook)).toEqual(['added tests/more.py hooks']);
  });

  it('counts as a whole outside of the tests', async () => {
    expect(await shortChanges('pytest', base, { 'tools/plugin.py': 'NAME = 2\n' })).toEqual([
      'changed tools/plugin.py whole file',
    ]);
  });
});
