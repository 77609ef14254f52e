import type { VerifyConfig } from '../verify-config.ts';
import { type DetectedVerify, detected } from './detected-verify.ts';
import { mentions, type ProjectView } from './project-view.ts';
import { findPythonEnvironment, PRESENT_PYTHON, type PythonEnvironment } from './python-environment.ts';

/** Files that name the packages and tools of a Python project. */
const TEST_FILE = /(?:^|\/)(?:test_[^/]*|[^/]*_test|tests)\.py$/;
const NOT_PRODUCT =
  /^(?:tests?|testing|docs?|examples?|scripts?|tools?|benchmarks?|bench|build|dist|site|\..*)$/;

type Runner = 'pytest' | 'unittest' | 'django';

export function detectPython(view: ProjectView): DetectedVerify | undefined {
  const runner = findRunner(view);
  if (!runner) return undefined;
  const environment = findPythonEnvironment(view, runner === 'pytest' ? 'pytest' : undefined);
  const tools = coverageTools(view, environment);
  const verify = commands(view, runner, environment, tools.tool);
  return detected(runner, verify, {
    notes: [...environment.notes, ...(tools.tool === undefined ? [NO_COVERAGE] : [])],
    alternatives: others(view, runner, environment, tools.tool),
  });
}

const NO_COVERAGE =
  'Coverage is not measured: neither pytest-cov nor coverage is named by this project. Add one to its development packages, then coverage: under verify:.';

function findRunner(view: ProjectView): Runner | undefined {
  const isConfigured =
    view.files.some((path) => /(?:^|\/)(?:conftest\.py|pytest\.ini|\.pytest\.ini)$/.test(path)) ||
    mentions(
      view,
      ['pyproject.toml', 'setup.py', 'setup.cfg', 'tox.ini', 'noxfile.py', 'Pipfile'],
      'pytest',
    ) ||
    mentions(
      view,
      view.files.filter((path) =>
        /^(?:[\w-]*requirements[\w-]*\.(?:txt|in)|requirements\/[\w.-]+)$/.test(path),
      ),
      'pytest',
    );
  if (isConfigured) return 'pytest';
  if (view.has('manage.py') && mentions(view, ['manage.py'], 'django')) return 'django';
  const tests = view.files.filter((path) => TEST_FILE.test(path));
  if (tests.length === 0) return undefined;
  return mentions(view, tests.slice(0, 50), /^\s*(?:import|from) unittest\b/m) ? 'unittest' : 'pytest';
}

/** The tool that measures: named by the project's files, or found by looking into this machine's Python. */
function coverageTools(
  view: ProjectView,
  { setup, python }: PythonEnvironment,
): { tool: 'pytest-cov' | 'coverage' | undefined } {
  const files = view.files.filter((path) =>
    /^(?:pyproject\.toml|setup\.(?:py|cfg)|tox\.ini|noxfile\.py|Pipfile(?:\.lock)?|(?:uv|poetry|pdm)\.lock|[\w-]*requirements[\w-]*\.(?:txt|in)|requirements\/[\w.-]+|\.coveragerc)$/.test(
      path,
    ),
  );
  if (mentions(view, files, /pytest[-_]cov|--cov\b/)) return { tool: 'pytest-cov' };
  const has = (name: string) => setup === undefined && view.hasPythonModule(python, name);
  if (has('pytest_cov')) return { tool: 'pytest-cov' };
  if (mentions(view, files, /(?:^|["'\s])coverage(?:\[toml\])?(?:["'\s=<>~!,;]|$)/m) || has('coverage'))
    return { tool: 'coverage' };
  return { tool: undefined };
}

function commands(
  view: ProjectView,
  runner: Runner,
  environment: PythonEnvironment,
  tool: 'pytest-cov' | 'coverage' | undefined,
): VerifyConfig {
  const { setup, python } = environment;
  const path = setup === undefined && needsPath(view) ? 'PYTHONPATH=src ' : '';
  const call = { pytest: '-m pytest', unittest: unittestCall(view), django: 'manage.py test' }[runner];
  const coverage =
    tool === undefined
      ? undefined
      : runner === 'pytest' && tool === 'pytest-cov'
        ? `${path}${python} -m pytest ${covered(view)} --cov-report=xml`
        : `${path}${python} -m coverage run${measured(view)} ${call} && ${python} -m coverage xml`;
  return {
    ...(setup === undefined ? {} : { setup }),
    tests: { command: `${path}${python} ${call}` },
    ...(coverage === undefined ? {} : { coverage: { command: coverage, report: 'coverage.xml' } }),
  };
}

/** The packages may be on this machine already, with nothing to install or nowhere to install it from. */
function others(
  view: ProjectView,
  runner: Runner,
  environment: PythonEnvironment,
  tool: 'pytest-cov' | 'coverage' | undefined,
): VerifyConfig[] {
  const module = runner === 'pytest' ? 'pytest' : undefined;
  const pythons = ['python3', '/usr/bin/python3'].filter(
    (python) =>
      !(environment.setup === undefined && environment.python === python) &&
      (module === undefined || view.hasPythonModule(python, module)),
  );
  return pythons.map((python) => {
    const found = view.hasPythonModule(python, 'pytest_cov')
      ? 'pytest-cov'
      : view.hasPythonModule(python, 'coverage')
        ? 'coverage'
        : undefined;
    const usable = tool === found ? tool : found;
    return commands(view, runner, { ...PRESENT_PYTHON, python }, usable);
  });
}

/** Packages below src/ are found only where they are installed, or named. */
function needsPath(view: ProjectView): boolean {
  return (
    view.files.some((path) => /^src\/[^/]+(?:\/__init__)?\.py$/.test(path)) &&
    !mentions(view, ['pyproject.toml', 'pytest.ini', 'setup.cfg', 'tox.ini'], /^\s*pythonpath\s*=/m)
  );
}

function unittestCall(view: ProjectView): string {
  const folder = ['tests', 'test'].find((name) =>
    view.files.some((path) => path.startsWith(`${name}/`) && TEST_FILE.test(path)),
  );
  // Only what can be imported is found from the root.
  if (folder === undefined || view.has(`${folder}/__init__.py`)) return '-m unittest discover';
  return `-m unittest discover -s ${folder}`;
}

/** `--cov` alone where the project's own configuration names the sources. */
function covered(view: ProjectView): string {
  if (namesSources(view)) return '--cov';
  return sources(view)
    .map((source) => `--cov=${source}`)
    .join(' ');
}

function measured(view: ProjectView): string {
  return namesSources(view) ? '' : ` --source=${sources(view).join(',')}`;
}

function namesSources(view: ProjectView): boolean {
  return (
    mentions(
      view,
      ['.coveragerc', 'setup.cfg', 'tox.ini'],
      /^\[(?:coverage:)?run\][^[]*?^\s*source(?:_pkgs)?\s*=/ms,
    ) || mentions(view, ['pyproject.toml'], /^\[tool\.coverage\.run\][^[]*?^\s*source(?:_pkgs)?\s*=/ms)
  );
}

function sources(view: ProjectView): string[] {
  if (view.files.some((path) => /^src\/.+\.py$/.test(path))) return ['src'];
  const packages = view.files.flatMap((path) => /^([\w-]+)\/__init__\.py$/.exec(path)?.[1] ?? []);
  const product = packages.filter((name) => !NOT_PRODUCT.test(name));
  return product.length > 0 ? product : ['.'];
}
