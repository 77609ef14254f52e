import { mentions, type ProjectView } from './project-view.ts';

/** How to install the packages of a Python project, and the interpreter to use. */
export interface PythonEnvironment {
  setup: string | undefined;
  python: string;
  notes: string[];
}

const VENV = '.venv/bin/python';
const MAKE_VENV = 'python3 -m venv .venv';
/** Requirements files for tests, best first. */
const REQUIREMENTS = [
  'requirements-dev.txt',
  'requirements-test.txt',
  'requirements-tests.txt',
  'requirements_dev.txt',
  'requirements_test.txt',
  'dev-requirements.txt',
  'test-requirements.txt',
  'requirements/dev.txt',
  'requirements/development.txt',
  'requirements/test.txt',
  'requirements/tests.txt',
  'requirements/testing.txt',
  'requirements.txt',
];
const GROUPS = ['test', 'tests', 'testing', 'dev', 'all'];

/** Uses the packages of this machine's Python, for projects without dependencies. */
export const PRESENT_PYTHON: PythonEnvironment = { setup: undefined, python: 'python3', notes: [] };

interface Locked {
  tool: string;
  files: readonly string[];
  /** A section of pyproject.toml that names the tool. */
  section: RegExp;
  setup: string;
  python: string;
}

const LOCKED: readonly Locked[] = [
  {
    tool: 'uv',
    files: ['uv.lock'],
    section: /^\[tool\.uv[\].]/m,
    setup: 'uv sync --frozen',
    // Otherwise uv would resolve packages again, and tests have no network.
    python: 'uv run --no-sync python',
  },
  {
    tool: 'poetry',
    files: ['poetry.lock'],
    section: /^\[tool\.poetry[\].]/m,
    setup: 'POETRY_VIRTUALENVS_IN_PROJECT=true poetry install --no-interaction',
    python: VENV,
  },
  {
    tool: 'pdm',
    files: ['pdm.lock'],
    section: /^\[tool\.pdm[\].]/m,
    setup: 'pdm install --frozen-lockfile',
    python: VENV,
  },
  {
    tool: 'pipenv',
    files: ['Pipfile.lock', 'Pipfile'],
    section: /(?!)/,
    setup: 'PIPENV_VENV_IN_PROJECT=1 pipenv sync --dev',
    python: VENV,
  },
];

/** The project's tool if installed on this machine, otherwise pip. */
export function findPythonEnvironment(view: ProjectView, runner: string | undefined): PythonEnvironment {
  const tool = LOCKED.find(
    ({ files, section }) => files.some(view.has) || mentions(view, ['pyproject.toml'], section),
  );
  if (tool && view.hasProgram(tool.tool)) {
    const setup = tool.tool === 'uv' && !view.has('uv.lock') ? 'uv sync' : tool.setup;
    return { setup, python: tool.python, notes: [] };
  }
  const notes = tool ? [`${tool.tool} is not installed here; the commands use pip instead.`] : [];
  const installs = pipInstalls(view, runner);
  if (installs.length === 0)
    return { ...PRESENT_PYTHON, notes: tool ? [`${tool.tool} is not installed here.`] : [] };
  return {
    setup: [MAKE_VENV, ...installs.map((what) => `.venv/bin/pip install ${what}`)].join(' && '),
    python: VENV,
    notes,
  };
}

function pipInstalls(view: ProjectView, runner: string | undefined): string[] {
  const lists = REQUIREMENTS.filter(view.has);
  const [list] = lists;
  const more =
    list !== undefined && list !== 'requirements.txt' && view.has('requirements.txt')
      ? ['requirements.txt']
      : [];
  const included = list === undefined ? '' : (view.text(list) ?? '');
  const files = [...more.filter((name) => !included.includes(name)), ...(list === undefined ? [] : [list])];
  const project = view.text('pyproject.toml') ?? '';
  const isPackage =
    /^\[(?:project|build-system|tool\.poetry|tool\.flit\.metadata)\]/m.test(project) || view.has('setup.py');
  const parts = [
    ...files.map((name) => `-r ${name}`),
    ...(isPackage ? [`-e ${editable(view, project)}`] : []),
  ];
  if (parts.length === 0) return [];
  const names = [
    ...files.map((name) => view.text(name) ?? ''),
    project,
    view.text('setup.py') ?? '',
    view.text('setup.cfg') ?? '',
  ];
  const namesRunner =
    runner === undefined || names.some((text) => new RegExp(`\\b${runner}\\b(?!\\.)`).test(text));
  return [[...parts, ...groupPackages(project), ...(namesRunner ? [] : [runner])].join(' ')];
}

/** The rest of a section of pyproject.toml, after its name. */
const SECTION = String.raw`\]\s*$([\s\S]*?)(?=^\[|(?![\s\S]))`;
const POETRY_GROUPS = new RegExp(
  String.raw`^\[tool\.poetry\.(?:group\.(?:${GROUPS.join('|')})\.dependencies|dev-dependencies)${SECTION}`,
  'gm',
);
const STANDARD_GROUPS = new RegExp(String.raw`^\[dependency-groups${SECTION}`, 'm');

/** Packages of the groups for tests, which pip does not install with the package itself. */
function groupPackages(project: string): string[] {
  const poetry = [...project.matchAll(POETRY_GROUPS)].flatMap(([, lines = '']) =>
    [...lines.matchAll(/^["']?([\w.-]+)["']?\s*=/gm)].map((match) => match[1] ?? ''),
  );
  const lists = (STANDARD_GROUPS.exec(project)?.[1] ?? '').split(/^(?=["']?[\w-]+["']?\s*=)/m);
  const standard = lists
    .filter((list) => GROUPS.includes(/^["']?([\w-]+)/.exec(list)?.[1] ?? ''))
    // A table includes another group, which may be one of the others.
    .flatMap((list) => [
      ...list
        .slice(list.indexOf('=') + 1)
        .replace(/\{[^}]*\}|#.*/g, '')
        .matchAll(/"([^"\n]*)"|'([^'\n]*)'/g),
    ])
    .map(([, one, other]) => requirement(one ?? other ?? ''));
  const names = [...new Set([...poetry, ...standard])].filter((name) => name !== '' && name !== 'python');
  return names.map((name) => (/[^\w.-]/.test(name) ? `'${name}'` : name));
}

/** The package's name with extras and with the condition for installing it, which may exclude this machine. */
function requirement(text: string): string {
  const name = /^\s*([\w.-]+(?:\[[\w,-]+\])?)/.exec(text)?.[1];
  const condition = /;\s*([\w\s.'"<>=!~(),]+)$/.exec(text)?.[1];
  if (name === undefined || condition === undefined) return name ?? '';
  return `${name}; ${condition.trim().replaceAll("'", '"')}`;
}

/** The package with the extra that its tests need. */
function editable(view: ProjectView, project: string): string {
  const extras = [
    ...(/^\[project\.optional-dependencies\]\s*$([\s\S]*?)(?=^\[|(?![\s\S]))/m
      .exec(project)?.[1]
      ?.matchAll(/^["']?([\w-]+)["']?\s*=/gm) ?? []),
    ...(/extras_require\s*=\s*\{([\s\S]*?)\}/
      .exec(view.text('setup.py') ?? '')?.[1]
      ?.matchAll(/["']([\w-]+)["']\s*:/g) ?? []),
    ...(/^\[options\.extras_require\]\s*$([\s\S]*?)(?=^\[|(?![\s\S]))/m
      .exec(view.text('setup.cfg') ?? '')?.[1]
      ?.matchAll(/^([\w-]+)\s*=/gm) ?? []),
  ].map((match) => match[1]);
  const extra = GROUPS.find((name) => extras.includes(name));
  return extra === undefined ? '.' : `'.[${extra}]'`;
}
