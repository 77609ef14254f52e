import { type VerifyConfig, withCommands } from '../project/verify-config.ts';
import { type DetectedVerify, detected } from './detected-verify.ts';
import { mentions, type ProjectView } from './project-view.ts';
import { findPythonEnvironment, PRESENT_PYTHON, type PythonEnvironment } from './python-environment.ts';
import { ownPythonCommands } from './python-own-commands.ts';

/** Files that name the packages and tools of a Python project. */
const TEST_FILE = /(?:^|\/)(?:test_[^/]*|[^/]*_test|tests?)\.py$/;
const NOT_PRODUCT =
  /^(?:tests?|testing|docs?|examples?|scripts?|tools?|benchmarks?|bench|build|dist|site|\..*)$/;

type Runner = 'pytest' | 'unittest' | 'django';

export function detectPython(view: ProjectView): DetectedVerify | undefined {
  const found = findRunner(view);
  const script = found === 'configured pytest' ? undefined : findScript(view);
  const runner = found === 'configured pytest' ? 'pytest' : found;
  const [first, ...others] = [
    ...(script === undefined ? [] : [proposals(view, 'unittest', script)]),
    ...(runner ? [proposals(view, runner)] : []),
  ];
  if (!first) return undefined;
  const further = others.flatMap(({ verify, alternatives }) => [verify, ...alternatives]);
  const all = unique([first.verify, ...first.alternatives, ...further, ...ownPythonCommands(view)]);
  return { ...first, alternatives: all.slice(1) };
}

/** A script of the project that runs its tests; the usual runners may find only some of them. */
function findScript(view: ProjectView): string | undefined {
  return view.files.find(
    (path) =>
      /^(?:tests?\/)?(?:run_?tests?|all_?tests?)\.py$/.test(path) &&
      mentions(view, [path], /^[ \t]*(?:import|from)\b.*\bunittest\b/m),
  );
}

/** With the runner, or with a script that uses it. */
function proposals(view: ProjectView, runner: Runner, script?: string): DetectedVerify {
  const environment = findPythonEnvironment(view, runner === 'pytest' ? 'pytest' : undefined);
  const call = script ?? callOf(view, runner);
  const installed = commands(view, { runner, call }, environment, coverageTool(view, environment));
  const active = activated(view, installed, environment);
  const present = withPresentPython(view, { runner, call });
  // A project that needs only an installed runner needs no set-up.
  const first = environment.setup === undefined || (present.length > 0 && needsNothing(view));
  const [verify = installed, ...alternatives] = first
    ? unique([...present, installed, ...active])
    : unique([installed, ...active, ...present]);
  return detected(runner, verify, {
    notes: [
      ...(verify.setup === undefined ? [] : environment.notes),
      ...(verify.coverage ? [] : [NO_COVERAGE]),
    ],
    alternatives,
  });
}

/** Tests may start the project's own programs by name, which are on the PATH of an active environment only. */
function activated(view: ProjectView, verify: VerifyConfig, { python }: PythonEnvironment): VerifyConfig[] {
  const folder = /^(.*\/bin)\/python$/.exec(python)?.[1];
  if (folder === undefined || !declaresPrograms(view)) return [];
  return [
    withCommands(verify, (command) => `. ${folder}/activate && ${command.replaceAll(python, 'python')}`),
  ];
}

function declaresPrograms(view: ProjectView): boolean {
  return (
    mentions(view, ['pyproject.toml'], /^\[(?:project|tool\.poetry)\.scripts\]/m) ||
    mentions(view, ['setup.py', 'setup.cfg'], 'console_scripts')
  );
}

/** The interpreter's arguments. */
function callOf(view: ProjectView, runner: Runner): string {
  return { pytest: pytestCall(view), unittest: unittestCall(view), django: 'manage.py test' }[runner];
}

/** By default pytest looks only at files with an underscore, not at test.py. */
function pytestCall(view: ProjectView): string {
  const tests = view.files.filter((path) => TEST_FILE.test(path));
  const isFound =
    tests.length === 0 ||
    tests.some((path) => !/(?:^|\/)tests?\.py$/.test(path)) ||
    mentions(view, ['pyproject.toml', 'pytest.ini', '.pytest.ini', 'setup.cfg', 'tox.ini'], 'python_files');
  return isFound ? '-m pytest' : "-m pytest -o 'python_files=test*.py'";
}

function unique(proposals: readonly VerifyConfig[]): VerifyConfig[] {
  const texts = proposals.map((one) => JSON.stringify(one));
  return proposals.filter((_one, at) => texts.indexOf(texts[at] ?? '') === at);
}

/** The program has no dependencies, and no tool manages an environment for it. */
function needsNothing(view: ProjectView): boolean {
  const tools = { 'uv.lock': 'uv', 'poetry.lock': 'poetry', 'pdm.lock': 'pdm', Pipfile: 'pipenv' };
  if (Object.entries(tools).some(([file, tool]) => view.has(file) && view.hasProgram(tool))) return false;
  const project = view.text('pyproject.toml') ?? '';
  const named =
    /^[ \t]*dependencies[ \t]*=[ \t]*\[\s*["']/m.test(project) ||
    /^\[tool\.poetry\.dependencies\][ \t\r]*\n\s*(?:python[ \t]*=.*\n\s*)?[\w-]+[ \t]*=/m.test(project) ||
    /install_requires\s*=(?:\s*\[\s*["']|[ \t\r]*\n\s+\w)/.test(
      `${view.text('setup.py') ?? ''}\n${view.text('setup.cfg') ?? ''}`,
    ) ||
    /^[ \t]*[A-Za-z]/m.test(view.text('requirements.txt') ?? '');
  return !named;
}

const NO_COVERAGE =
  'Coverage is not measured: neither pytest-cov nor coverage is installed. Install pytest-cov where the tests run.';

function findRunner(view: ProjectView): Runner | 'configured pytest' | undefined {
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
  if (isConfigured) return 'configured pytest';
  if (view.has('manage.py') && mentions(view, ['manage.py'], 'django')) return 'django';
  const tests = view.files.filter((path) => TEST_FILE.test(path));
  if (tests.length === 0) return undefined;
  // Tests of pytest may use unittest.mock, and pytest runs tests of unittest too.
  const read = tests.slice(0, 50);
  const isPytest = mentions(view, read, /^(?:async )?def test|^[ \t]*(?:import|from) pytest\b/m);
  return !isPytest && mentions(view, read, /^[ \t]*(?:import|from) unittest\b/m) ? 'unittest' : 'pytest';
}

type CoverageTool = 'pytest-cov' | 'coverage';

/** The coverage tool: a dependency, or installed on this machine. */
function coverageTool(view: ProjectView, { setup, python }: PythonEnvironment): CoverageTool | undefined {
  if (setup === undefined) return presentTool(view, python);
  const files = view.files.filter((path) => PACKAGE_LIST.test(path));
  if (mentions(view, files, /pytest[-_]cov|--cov\b/)) return 'pytest-cov';
  return mentions(view, files, /(?:^|["'\s])coverage(?:\[toml\])?(?:["'\s=<>~!,;]|$)/m)
    ? 'coverage'
    : undefined;
}

const PACKAGE_LIST =
  /^(?:pyproject\.toml|setup\.(?:py|cfg)|tox\.ini|noxfile\.py|Pipfile(?:\.lock)?|(?:uv|poetry|pdm)\.lock|[\w-]*requirements[\w-]*\.(?:txt|in)|requirements\/[\w.-]+)$/;

function presentTool(view: ProjectView, python: string): CoverageTool | undefined {
  if (view.hasPythonModule(python, 'pytest_cov')) return 'pytest-cov';
  return view.hasPythonModule(python, 'coverage') ? 'coverage' : undefined;
}

interface RunnerCall {
  runner: Runner;
  call: string;
}

function commands(
  view: ProjectView,
  { runner, call }: RunnerCall,
  environment: PythonEnvironment,
  tool: CoverageTool | undefined,
): VerifyConfig {
  const { setup, python } = environment;
  const path = setup === undefined && needsPath(view) ? 'PYTHONPATH=src ' : '';
  const coverage =
    tool === undefined
      ? undefined
      : runner === 'pytest' && tool === 'pytest-cov'
        ? `${path}${python} ${call} ${covered(view)} --cov-report=xml`
        : `${path}${python} -m coverage run${measured(view)} ${call} && ${python} -m coverage xml`;
  return {
    ...(setup === undefined ? {} : { setup }),
    tests: { command: `${path}${python} ${call}` },
    ...(coverage === undefined ? {} : { coverage: { command: coverage, report: 'coverage.xml' } }),
  };
}

/** With the interpreters of this machine; those that can measure coverage first. */
function withPresentPython(view: ProjectView, run: RunnerCall): VerifyConfig[] {
  const needed = { pytest: 'pytest', unittest: undefined, django: 'django' }[run.runner];
  const has = (python: string) => needed === undefined || view.hasPythonModule(python, needed);
  const pythons = ['python3', '/usr/bin/python3'].filter(has);
  // The system's interpreter counts only if it has modules that the first lacks.
  const other = '/usr/bin/python3';
  const isOther =
    !has('python3') || (presentTool(view, other) !== undefined && presentTool(view, 'python3') === undefined);
  return pythons
    .filter((python) => python !== other || isOther)
    .map((python) => commands(view, run, { ...PRESENT_PYTHON, python }, presentTool(view, python)))
    .sort((a, b) => Number(b.coverage !== undefined) - Number(a.coverage !== undefined));
}

/** Packages below src/ are found only if installed or named. */
function needsPath(view: ProjectView): boolean {
  return (
    view.files.some((path) => /^src\/[^/]+(?:\/__init__)?\.py$/.test(path)) &&
    !mentions(view, ['pyproject.toml', 'pytest.ini', 'setup.cfg', 'tox.ini'], /^[ \t]*pythonpath[ \t]*=/m)
  );
}

/** Discovery looks only into importable packages, and at files that start with `test`. */
function unittestCall(view: ProjectView): string {
  // The folder becomes part of a shell command.
  const tests = view.files.filter((path) => TEST_FILE.test(path) && /^[\w./-]+$/.test(path));
  const usual = tests.filter((path) => /(?:^|\/)test[^/]*\.py$/.test(path));
  const count = new Map<string, number>();
  for (const path of usual.length > 0 ? usual : tests) {
    const start = startFolder(view, path);
    count.set(start, (count.get(start) ?? 0) + 1);
  }
  const [[folder] = ['']] = [...count].sort(([a, n], [b, m]) => m - n || a.length - b.length);
  return [
    '-m unittest discover',
    ...(folder === '' ? [] : [`-s ${folder}`]),
    ...(usual.length > 0 || tests.length === 0 ? [] : ["-p '*_test.py'"]),
  ].join(' ');
}

/** The folder from which a test can be imported: the one above its packages. */
function startFolder(view: ProjectView, path: string): string {
  const folders = path.split('/').slice(0, -1);
  while (folders.length > 0 && view.has(`${folders.join('/')}/__init__.py`)) folders.pop();
  return folders.join('/');
}

/** Plain `--cov` if the project's configuration names the sources. */
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
      /^\[(?:coverage:)?run\][^[]*?^[ \t]*source(?:_pkgs)?[ \t]*=/ms,
    ) || mentions(view, ['pyproject.toml'], /^\[tool\.coverage\.run\][^[]*?^[ \t]*source(?:_pkgs)?[ \t]*=/ms)
  );
}

function sources(view: ProjectView): string[] {
  if (view.files.some((path) => /^src\/.+\.py$/.test(path))) return ['src'];
  const packages = view.files.flatMap((path) => /^([\w-]+)\/__init__\.py$/.exec(path)?.[1] ?? []);
  const product = packages.filter((name) => !NOT_PRODUCT.test(name));
  return product.length > 0 ? product : ['.'];
}
