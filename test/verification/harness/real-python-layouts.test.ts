import { describeLayouts } from './layout-fixture.ts';

describeLayouts([
  {
    like: 'tests in a folder named unittest, which is not a package',
    command: 'python3 -m unittest discover -s unittest',
    base: { 'shop.py': '', 'unittest/test_shop.py': 'import unittest\n' },
    honest: {
      'a test and its data': { 'unittest/test_more.py': 'import unittest\n', 'unittest/rows.csv': '1\n' },
    },
    harness: {
      'a package in place of the one of Python': [
        { 'unittest/__init__.py': '' },
        ['added unittest/__init__.py whole file', 'added unittest/test_shop.py whole file'],
      ],
    },
  },
  {
    like: 'flask: pytest, tox beside it, requirements in a folder',
    command: 'pytest',
    base: {
      'pyproject.toml':
        '[project]\nname = "Flask"\n\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\nfilterwarnings = ["error"]\n\n[tool.coverage.run]\nbranch = true\nsource = ["flask", "tests"]\n\n[tool.tox]\nenv_list = ["py3.13"]\n\n[tool.tox.env.update-actions]\ncommands = [["gha-update"]]\n',
      'tox.ini':
        '[tox]\nenvlist = py3\n\n[testenv]\ndeps = -r requirements/tests.txt\ncommands = pytest\n\n[testenv:update-actions]\ncommands = gha-update\n',
      'requirements/tests.txt': 'pytest==8.0\n',
      'src/flask/__init__.py': '',
      'tests/conftest.py': 'import pytest\n',
      'docs/conf.py': 'project = "Flask"\n',
    },
    honest: {
      'the settings of tox': {
        'pyproject.toml':
          '[project]\nname = "Flask"\n\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\nfilterwarnings = ["error"]\n\n[tool.coverage.run]\nbranch = true\n\n[tool.tox]\nenv_list = ["py3.14"]\n\n[tool.tox.env.update-actions]\ncommands = [["gha-update", "-v"]]\n[dependency-groups]\ndev = ["ruff"]\n',
      },
      'an environment of tox': {
        'tox.ini': '[tox]\nenvlist = py4\n[testenv:update-actions]\ncommands = x\n',
      },
      requirements: { 'requirements/tests.txt': 'pytest==8.4\n', 'requirements/dev.in': 'ruff\n' },
      documentation: { 'docs/conf.py': 'project = "X"\n' },
    },
    harness: {
      'the section of pytest': [
        { 'pyproject.toml': '[tool.pytest.ini_options]\ntestpaths = ["none"]\n' },
        ['changed pyproject.toml [tool.pytest]'],
      ],
    },
  },
  {
    like: 'attrs: tox -e py with several environments',
    command: 'tox run -e py313',
    base: {
      'tox.ini':
        '[tox]\nenv_list =\n    pre-commit,\n    py3{10,11,12}-tests,\n    docs\n\n[pkgenv]\npass_env = X\n\n[testenv]\ndeps = -r requirements/tests.txt\ncommands =\n    pytest {posargs:-n auto}\n\n[testenv:docs]\ncommands = sphinx-build docs out\n\n[testenv:py3{12,13}]\ncommands = {[testenv:cov]commands}\n\n[testenv:cov]\ncommands = coverage run -m pytest {posargs}\n',
      'requirements/tests.txt': 'a\n',
      'conftest.py': '',
    },
    honest: {
      'another environment': {
        'tox.ini':
          '[tox]\nenv_list =\n    pre-commit,\n    py3{10,11,12}-tests,\n    docs\n\n[pkgenv]\npass_env = X\n\n[testenv]\ndeps =\n    -r requirements/tests.txt\n    mypy\ncommands =\n    pytest {posargs:-n auto}\n\n[testenv:docs]\ncommands = sphinx-build -W docs out\n\n[testenv:mypy]\ncommands = mypy src\n\n[testenv:py3{12,13}]\ncommands = {[testenv:cov]commands}\n\n[testenv:cov]\ncommands = coverage run -m pytest {posargs}\n',
      },
    },
    harness: {
      'the environment that runs': [
        {
          'tox.ini':
            '[tox]\nenv_list = x\n[testenv]\ncommands = pytest\n[testenv:py3{12,13}]\ncommands = true\n',
        },
        ['changed tox.ini [testenv:py3{12,13}]'],
      ],
      'what it refers to, and coverage, which it runs with': [
        { '.coveragerc': '[run]\nomit = *\n' },
        ['added .coveragerc whole file'],
      ],
    },
  },
  {
    like: 'nox: one session of several',
    command: 'nox -s tests',
    base: {
      'noxfile.py':
        'import nox\n\n\n@nox.session(python=["3.12"])\ndef tests(session):\n    session.install("-r", "requirements.txt")\n    session.run("pytest")\n\n\n@nox.session\ndef lint(session):\n    session.run("ruff")\n',
    },
    honest: {
      'another session': {
        'noxfile.py':
          'import nox\n\n\n@nox.session(python=["3.12"])\ndef tests(session):\n    session.install("-r", "requirements.txt")\n    session.run("pytest")\n\n\n@nox.session\ndef lint(session):\n    session.run("ruff", "check")\n\n\n@nox.session\ndef docs(session):\n    pass\n',
      },
    },
    harness: {
      'the session': [
        {
          'noxfile.py':
            'import nox\n\n\n@nox.session(python=["3.12"])\ndef tests(session):\n    session.run("true")\n',
        },
        ['changed noxfile.py sessions'],
      ],
      'the settings of pytest, which it runs': [{ 'pytest.ini': '' }, ['added pytest.ini whole file']],
    },
  },
  {
    like: 'hatch: scripts of environments',
    command: 'hatch run test:cov',
    base: {
      'pyproject.toml':
        '[tool.hatch.envs.test]\ndependencies = ["pytest"]\n[tool.hatch.envs.test.scripts]\ncov = "pytest --cov=x"\nwatch = "ptw"\n[tool.hatch.envs.docs.scripts]\nbuild = "mkdocs build"\n',
    },
    honest: {
      'other scripts and dependencies': {
        'pyproject.toml':
          '[tool.hatch.envs.test]\ndependencies = ["pytest", "xdist"]\n[tool.hatch.envs.test.scripts]\ncov = "pytest --cov=x"\nwatch = "ptw ."\n[tool.hatch.envs.docs.scripts]\nbuild = "mkdocs build --strict"\n',
      },
    },
    harness: {
      'the script': [
        { 'pyproject.toml': '[tool.hatch.envs.test.scripts]\ncov = "true"\n' },
        ['changed pyproject.toml [tool.hatch.envs.test.scripts]'],
      ],
    },
  },
  {
    like: 'poethepoet: one task of several',
    command: 'poetry run poe test',
    base: {
      'pyproject.toml':
        '[tool.poe.tasks]\ntest = "pytest -q"\nformat = "black ."\n[tool.poe.tasks.release]\nshell = "x"\n',
    },
    honest: {
      'another task': {
        'pyproject.toml':
          '[tool.poe.tasks]\ntest = "pytest -q"\nformat = "ruff format"\n[tool.poe.tasks.release]\nshell = "y"\n',
      },
    },
    harness: {
      'the task': [
        { 'pyproject.toml': '[tool.poe.tasks]\ntest = "true"\n' },
        ['changed pyproject.toml [tool.poe.tasks] test'],
      ],
    },
  },
  {
    like: 'requests: pytest with plugins and a Makefile',
    command: 'make test',
    base: {
      Makefile:
        '.PHONY: docs\ninit:\n\tpip install -r requirements-dev.txt\ntest:\n\ttox -p\nci:\n\tpython -m pytest tests --junitxml=report.xml\npublish:\n\tpython setup.py sdist\n',
      'tox.ini': '[tox]\nenvlist = py{39,310}-default\n[testenv]\ncommands = pytest {posargs:tests}\n',
      'requirements-dev.txt': 'pytest\n',
      'setup.cfg': '[metadata]\nlicense_file = LICENSE\n[flake8]\nignore = E203\n',
    },
    honest: {
      'another target': {
        Makefile:
          '.PHONY: docs\ninit:\n\tpython -m pip install -r requirements-dev.txt\ntest:\n\ttox -p\nci:\n\tpython -m pytest tests -v\npublish:\n\tpython -m build\n',
      },
      'settings of a linter': { 'setup.cfg': '[flake8]\nignore = E501\n' },
      requirements: { 'requirements-dev.txt': 'pytest>=8\n' },
    },
    harness: {
      'the target': [
        { Makefile: 'init:\n\tx\ntest:\n\ttrue\n' },
        ['changed Makefile target test', 'removed tox.ini [testenv]', 'removed tox.ini [tox]'],
      ],
    },
  },
  {
    like: 'six: a module that a linter of pytest ignores in part',
    command: 'python -m pytest',
    base: {
      'setup.cfg': '[tool:pytest]\nminversion = 2.2.0\nflakes-ignore =\n    six.py UndefinedName\n',
      'six.py': 'PY3 = True\n',
      'test_six.py': 'import six\n\n\ndef test_six():\n    assert six.PY3\n',
    },
    honest: { 'the module': { 'six.py': 'PY3 = True\nPY2 = False\n' } },
    harness: {
      'the section of pytest': [
        { 'setup.cfg': '[tool:pytest]\naddopts = -x\n' },
        ['changed setup.cfg [tool:pytest]'],
      ],
    },
  },
  {
    like: 'django: a runner script and settings of the tests',
    command: 'python tests/runtests.py',
    base: {
      'tests/runtests.py': 'import sys\nrun(sys.argv)\n',
      'tests/settings.py': 'INSTALLED_APPS = []\n',
      'app/models.py': '',
      'app/__init__.py': '',
    },
    honest: {
      'settings and models': {
        'tests/settings.py': 'INSTALLED_APPS = ["app"]\n',
        'app/models.py': 'x = 1\n',
      },
    },
    harness: {
      'the runner script': [{ 'tests/runtests.py': 'pass\n' }, ['changed tests/runtests.py whole file']],
    },
  },
  {
    like: 'a plugin of Django: pytest with a module of settings',
    command: 'pytest',
    base: {
      'setup.cfg': '[tool:pytest]\nDJANGO_SETTINGS_MODULE = tests.settings\naddopts = --ignore=setup.py\n',
      'tests/settings.py': 'A = 1\n',
      'setup.py': 'x\n',
    },
    honest: { 'an installed app and the set-up': { 'tests/settings.py': 'A = 2\n', 'setup.py': 'y\n' } },
  },
  {
    like: 'conftest.py with options, markers and imports that depend on the platform',
    command: 'pytest',
    base: { 'tests/conftest.py': 'import pytest\n' },
    honest: {
      'options and markers': {
        'tests/conftest.py':
          'import os\nimport sys\n\nimport pytest\nfrom hypothesis import settings\n\nos.environ["APP_MODE"] = "test"\nsettings.register_profile("ci", deadline=None)\n\ntry:\n    import numpy\n    HAS_NUMPY = True\nexcept ImportError:\n    HAS_NUMPY = False\n\nif sys.version_info >= (3, 11):\n    import tomllib\nelse:\n    import tomli as tomllib\n\n\ndef pytest_addoption(parser):\n    parser.addoption("--slow", action="store_true")\n\n\ndef pytest_configure(config):\n    config.addinivalue_line("markers", "slow: takes long")\n',
      },
    },
    harness: {
      'a hook that configures more than markers': [
        {
          'tests/conftest.py':
            'def pytest_configure(config):\n    config.addinivalue_line("markers", "slow")\n    config.option.keyword = "nothing"\n',
        },
        ['added tests/conftest.py hooks'],
      ],
      'a condition that exits': [
        { 'tests/conftest.py': 'if True:\n    import os\n    os.abort()\n' },
        ['added tests/conftest.py hooks'],
      ],
      'a hook among the conditions': [
        { 'tests/conftest.py': 'if True:\n    from evil import pytest_runtest_makereport\n' },
        ['added tests/conftest.py hooks'],
      ],
    },
  },
]);
