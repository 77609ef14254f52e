import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe } from 'vitest';
import { HONEST_CHANGE, MEASURE_TESTS, testFile } from '../../support/verified-project.ts';
import { whyMissing } from '../../support/why-missing.ts';
import { CALC, config, type HonestChange, passEach, task } from './honest-change.ts';

const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url));

/** A package that npm can install without a network: it is in the tree. */
function vendored(name: string, says: string): Record<string, string> {
  return {
    [`vendor/${name}/package.json`]: `{"name":"${name}","version":"1.0.0","type":"module","exports":"./index.js"}\n`,
    [`vendor/${name}/index.js`]: `export default '${says}';\n`,
  };
}

function manifest(more: object): Record<string, string> {
  const own = { name: 'calc', version: '1.0.0', ...pick(more) };
  const locked = Object.entries({ ...own.dependencies, ...own.devDependencies }).flatMap(([name, from]) => {
    const folder = from.replace('file:', '');
    const dev = own.dependencies?.[name] === undefined ? { dev: true } : {};
    return [
      [`node_modules/${name}`, { resolved: folder, link: true }],
      [folder, { version: '1.0.0', ...dev }],
    ] as const;
  });
  const { scripts: _scripts, ...root } = own;
  return {
    'package.json': `${JSON.stringify({ private: true, type: 'module', ...own }, null, 2)}\n`,
    'package-lock.json': `${JSON.stringify(
      {
        name: 'calc',
        version: '1.0.0',
        lockfileVersion: 3,
        requires: true,
        packages: { '': root, ...Object.fromEntries(locked) },
      },
      null,
      2,
    )}\n`,
  };
}

type Dependencies = Record<string, string>;
function pick(more: object) {
  return more as { scripts?: Dependencies; dependencies?: Dependencies; devDependencies?: Dependencies };
}

const NPM_CI = '  setup: npm ci --offline --no-audit --no-fund\n';
const SCRIPTS = { test: MEASURE_TESTS, lint: 'true' };
const GREETING = {
  'src/greeting.js': "import greet from 'greet';\n\nexport const greeting = (name) => greet + ', ' + name;\n",
  'test/greeting.test.js': testFile('greets', 'greeting', "greeting('Ann')", "'hello, Ann'"),
};

const MAKEFILE = `test:\n\t${MEASURE_TESTS}\n`;

const CHANGES: HonestChange[] = [
  {
    name: 'a project whose tests need a package from the set-up',
    base: {
      ...manifest({ scripts: SCRIPTS, dependencies: { greet: 'file:vendor/greet' } }),
      ...vendored('greet', 'hello'),
      ...GREETING,
      '.gitignore': 'node_modules/\n',
      '.guardkit/config.yaml': config('npm test', NPM_CI),
    },
    files: HONEST_CHANGE,
  },
  {
    name: 'a new dependency with its lock, other scripts and another version, with the same test script',
    base: {
      ...manifest({ scripts: SCRIPTS }),
      '.gitignore': 'node_modules/\n',
      '.guardkit/config.yaml': config('npm test', NPM_CI),
    },
    files: {
      ...manifest({
        version: '1.1.0',
        scripts: {
          start: 'node src/greeting.js',
          'test:watch': 'node --test --watch',
          ...SCRIPTS,
          lint: 'node --check src/add.js',
        },
        dependencies: { greet: 'file:vendor/greet' },
        devDependencies: { shout: 'file:vendor/shout' },
      }),
      ...vendored('greet', 'hello'),
      ...vendored('shout', 'HELLO'),
      ...GREETING,
    },
    says: { 'new-tests-bite': /\b1\b.*\b1\b/ },
  },
  {
    name: 'a reformatted and sorted package.json',
    base: {
      'package.json': `{"type":"module","scripts":{"test":${JSON.stringify(MEASURE_TESTS)}},"private":true,"name":"calc"}`,
      '.guardkit/config.yaml': config('npm test'),
    },
    files: {
      ...HONEST_CHANGE,
      'package.json': `{\n\t"name": "calc",\n\t"private": true,\n\t"type": "module",\n\t"scripts": {\n\t\t"test": ${JSON.stringify(MEASURE_TESTS)}\n\t}\n}\n`,
    },
  },
  {
    name: 'a new Makefile target next to the test target',
    base: { Makefile: `.PHONY: test\n\n${MAKEFILE}`, '.guardkit/config.yaml': config('make test') },
    files: {
      ...HONEST_CHANGE,
      Makefile: `.PHONY: test lint\n\n${MAKEFILE}\nlint:\n\tnode --check src/add.js\n`,
    },
  },
  {
    name: 'settings of tools unrelated to the tests',
    files: {
      ...HONEST_CHANGE,
      '.prettierrc': '{"semi":true}\n',
      'eslint.config.js': 'export default [];\n',
      'tsconfig.json': '{"compilerOptions":{"checkJs":true}}\n',
      '.gitignore': 'node_modules/\n',
      'jsconfig.json': '{}\n',
    },
  },
  {
    name: 'a monorepo of two packages with separate tests',
    base: {
      'package.json': '{"name":"mono","private":true,"workspaces":["packages/*"]}\n',
      'src/add.js': null,
      'test/add.test.js': null,
      ...workspace('one'),
      ...workspace('two'),
      '.guardkit/config.yaml': config('npm test --workspaces').replace(
        'report:',
        `command: ${MEASURE_TESTS}\n    report:`,
      ),
    },
    files: {
      'packages/two/src/sub.js': HONEST_CHANGE['src/sub.js'] ?? '',
      'packages/two/test/sub.test.js': HONEST_CHANGE['test/sub.test.js'] ?? '',
    },
    says: { tests: /^3\b/ },
  },
  {
    name: 'tests of two packages in one command line, the second package new',
    base: {
      ...workspace('packages/one', ''),
      'src/add.js': null,
      'test/add.test.js': null,
      '.guardkit/config.yaml': config(
        'for package in packages/*; do (cd "$package" && node --test) || exit 1; done',
      ).replace('report:', `command: ${MEASURE_TESTS}\n    report:`),
    },
    files: workspace('packages/two', ''),
    says: { tests: /^2\b/ },
  },
  {
    name: 'a vitest project that gets a table of tests',
    skip: existsSync(`${MODULES}/vitest`) ? undefined : 'vitest is not installed here',
    base: {
      'test/add.test.js': vitestFile(
        "it('adds', () => expect(add(1, 2)).toBe(3));\nit('adds more', () => expect(add(2, 2)).toBe(4));",
      ),
      'tasks/TASK-001.md': task('testing'),
      '.gitignore': 'node_modules/\n',
      '.guardkit/config.yaml': `project: honest-1234\nverify:\n  setup: mkdir node_modules && ln -s ${MODULES}/* node_modules/\n  tests:\n    command: node node_modules/vitest/vitest.mjs run\n  checks: [{name: types, command: node --check src/add.js}]\n`,
      '.guardkit/config/quality-gates.yaml':
        'quality_gate_configs:\n  - {task_type: testing, complexity_range: [1, 10], coverage_required: false}\n',
    },
    files: {
      'test/add.test.js': vitestFile(
        "it.each([[1, 2, 3], [2, 2, 4], [3, 4, 7]])('adds %i and %i', (a, b, sum) => expect(add(a, b)).toBe(sum));",
      ),
    },
    says: { tests: /^3\b/ },
  },
  {
    name: 'a pytest project',
    skip: whyMissing('python3', '-m', 'pytest', '--version'),
    base: {
      'package.json': null,
      'src/add.js': null,
      'test/add.test.js': null,
      'calc/__init__.py': '',
      'calc/add.py': 'def add(a, b):\n    return a + b\n',
      'tests/conftest.py': 'import pytest\n\n\n@pytest.fixture\ndef one():\n    return 1\n',
      'tests/test_add.py': 'from calc.add import add\n\n\ndef test_adds(one):\n    assert add(one, 2) == 3\n',
      '.gitignore': '__pycache__/\n.pytest_cache/\n',
      '.guardkit/config.yaml': 'project: honest-1234\nverify:\n  tests:\n    command: python3 -m pytest -q\n',
      '.guardkit/config/quality-gates.yaml':
        'quality_gate_configs:\n  - {task_type: feature, complexity_range: [1, 3], coverage_required: false}\n',
    },
    files: {
      'calc/sub.py': 'def sub(a, b):\n    return a - b\n',
      'tests/test_sub.py':
        'import pytest\n\nfrom calc.sub import sub\n\n\n@pytest.mark.parametrize("a, b, rest", [(3, 2, 1), (2, 2, 0)])\ndef test_subtracts(a, b, rest):\n    assert sub(a, b) == rest\n',
    },
    says: { tests: /^3\b/, 'new-tests-bite': /\b2\b.*\b2\b/ },
  },
];

function workspace(name: string, above = 'packages/'): Record<string, string> {
  const folder = `${above}${name}`;
  return {
    [`${folder}/package.json`]: `{"name":"${name.replace('packages/', '')}","version":"1.0.0","type":"module","scripts":{"test":"node --test"}}\n`,
    [`${folder}/src/add.js`]: CALC['src/add.js'] ?? '',
    [`${folder}/test/add.test.js`]: (CALC['test/add.test.js'] ?? '').replace("'adds'", `'adds in ${name}'`),
  };
}

function vitestFile(tests: string): string {
  return `import { expect, it } from 'vitest';\nimport { add } from '../src/add.js';\n\n${tests}\n`;
}

describe.concurrent('an honest change passes with its harness and dependencies:', () => passEach(CHANGES));
