import { rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { gate, VerifiedProject } from '../../support/verified-project.ts';
import { task } from '../honest/honest-change.ts';

const pack = (name: string, dependencies: Record<string, string> = {}) =>
  JSON.stringify({
    name,
    version: '1.0.0',
    main: 'index.js',
    dependencies,
    scripts: { test: 'node --test' },
  });
const test = (name: string, expression: string) =>
  `const test = require('node:test');\ntest('${name}', () => require('node:assert').ok(${expression}));\n`;

const BASE: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({ name: 'root', private: true, workspaces: ['packages/*'] }),
  '.gitignore': 'node_modules\n',
  'packages/core/package.json': pack('core'),
  'packages/core/index.js': 'exports.add = (a, b) => a + b;\n',
  'packages/core/core.test.js': test('core adds', "require('./index.js').add(1, 2) === 3"),
  'packages/api/package.json': pack('api', { core: '1.0.0' }),
  'packages/api/index.js': "exports.sum = (list) => list.reduce(require('core').add, 0);\n",
  'packages/api/api.test.js': test('api sums', "require('./index.js').sum([1, 2]) === 3"),
  'packages/site/package.json': pack('site'),
  'packages/site/index.js': "exports.title = () => 'Shop';\n",
  'packages/site/site.test.js': test('site has a title', "require('./index.js').title() === 'Shop'"),
  'tasks/TASK-001.md': task('feature'),
  '.guardkit/config/quality-gates.yaml':
    'quality_gate_configs:\n  - {task_type: feature, complexity_range: [1, 10], coverage_required: false}\n',
  '.guardkit/config.yaml': `project: shop-1234
verify:
  setup: npm install --no-package-lock --offline --no-audit --no-fund
  tests:
    command: npm test --workspaces --if-present
    packages: affected
`,
};

it('a change to one package runs only its tests', async ({ onTestFinished }) => {
  const project = new VerifiedProject(BASE);
  onTestFinished(() => project.cleanup());
  project.write({
    'packages/site/footer.js': "exports.footer = () => 'Bye';\n",
    'packages/site/footer.test.js': test('site has a footer', "require('./footer.js').footer() === 'Bye'"),
  });
  const { exitCode, json, stderr } = await project.verify();
  expect(exitCode, stderr).toBe(0);
  expect(gate(json, 'tests').reason).toMatch(/^2\b/);
  expect(stderr).toContain('npm test --workspace site --if-present');
});

it('a package that uses the changed one is tested too', async ({ onTestFinished }) => {
  const project = new VerifiedProject(BASE);
  onTestFinished(() => project.cleanup());
  project.write({
    'packages/core/index.js': 'exports.add = (a, b) => (a === 0 ? 0 : a + b);\n',
    'packages/core/zero.test.js': test('core takes zero', "require('./index.js').add(0, 2) === 0"),
  });
  const { json } = await project.verify();
  expect(json.outcome).toBe('fail');
  expect(gate(json, 'tests')).toMatchObject({ result: 'fail', reason: expect.stringContaining('api sums') });
});

it('a package that reaches the changed one by the parts of a path is tested too', async ({
  onTestFinished,
}) => {
  const project = new VerifiedProject({
    ...BASE,
    'packages/site/index.js':
      "const core = require(require('node:path').join(__dirname, '..', 'core', 'index.js'));\nexports.title = () => (core.add(0, 1) === 1 ? 'Shop' : 'Closed');\n",
  });
  onTestFinished(() => project.cleanup());
  project.write({
    'packages/core/index.js': 'exports.add = (a, b) => (b === 1 ? 7 : a + b);\n',
    'packages/core/seven.test.js': test('core likes seven', "require('./index.js').add(0, 1) === 7"),
  });
  const { json } = await project.verify();
  expect(gate(json, 'tests')).toMatchObject({
    result: 'fail',
    reason: expect.stringContaining('site has a title'),
  });
});

it('a change of what prepares the checkout runs all tests', async ({ onTestFinished }) => {
  const project = new VerifiedProject({
    ...BASE,
    '.gitignore': 'node_modules\nwords.json\n',
    'package.json': JSON.stringify({
      name: 'root',
      private: true,
      workspaces: ['packages/*'],
      scripts: { prepare: 'node packages/core/write-words.js' },
    }),
    'packages/core/write-words.js': "require('node:fs').writeFileSync('words.json', '[\"Shop\"]');\n",
    'packages/site/index.js':
      'exports.title = () => load()[0];\nconst load = () => JSON.parse(text());\n'.concat(
        "const text = () => require('node:fs').readFileSync(process.env.INIT_CWD + '/words.json', 'utf8');\n",
      ),
  });
  onTestFinished(() => project.cleanup());
  project.write({
    'packages/core/write-words.js': "require('node:fs').writeFileSync('words.json', '[\"Store\"]');\n",
    'packages/core/new.test.js': test('core adds more', "require('./index.js').add(2, 2) === 4"),
  });
  const { json } = await project.verify();
  expect(gate(json, 'tests')).toMatchObject({
    result: 'fail',
    reason: expect.stringContaining('site has a title'),
  });
});

const SITE = ['package.json', 'index.js', 'site.test.js'];
const movedSite = (changed: Readonly<Record<string, string>> = {}) => ({
  ...Object.fromEntries(SITE.map((name) => [`packages/page/${name}`, BASE[`packages/site/${name}`] ?? ''])),
  ...changed,
});

it.each([
  ['passes', {}, []],
  [
    'does not hide a weakened test',
    {
      'packages/page/index.js': "exports.title = () => 'Store';\n",
      'packages/page/site.test.js': test('site has a title', "require('./index.js').title() !== ''"),
    },
    ['no-test-weakened'],
  ],
  [
    'does not hide another test script',
    {
      'packages/page/package.json': pack('site').replace(
        'node --test',
        'node --test --test-name-pattern title',
      ),
    },
    ['harness'],
  ],
] as const)('a package with a new folder name %s', async (_name, changed, refused) => {
  const project = new VerifiedProject({ ...BASE, 'tasks/TASK-001.md': task('refactor') });
  try {
    for (const name of SITE) rmSync(project.path(`packages/site/${name}`));
    project.write(movedSite(changed));
    const { json } = await project.verify();
    for (const one of refused) expect(gate(json, one)).toMatchObject({ result: 'fail' });
    if (refused.length === 0) expect(json).toMatchObject({ outcome: 'pass' });
  } finally {
    project.cleanup();
  }
});

const BUILT: Readonly<Record<string, string>> = {
  ...BASE,
  'package.json': JSON.stringify({
    name: 'root',
    private: true,
    workspaces: ['packages/words', 'packages/*'],
  }),
  '.gitignore': 'node_modules\ndist\n',
  'packages/words/package.json': JSON.stringify({
    name: 'words',
    version: '1.0.0',
    main: 'dist/index.js',
    scripts: {
      build: "node -e \"fs.cpSync('src', 'dist', { recursive: true })\"",
      pretest: 'npm run build',
      test: 'node --test',
    },
  }),
  'packages/words/src/index.js': "exports.shop = 'Shop';\n",
  'packages/words/words.test.js': test('words have a shop', "typeof require('words').shop === 'string'"),
  'packages/site/package.json': pack('site', { words: '1.0.0' }),
  'packages/site/index.js': "exports.title = () => require('words').shop;\n",
};

it('a package that only its own tests build is there for the tests that use it', async ({
  onTestFinished,
}) => {
  const project = new VerifiedProject(BUILT);
  onTestFinished(() => project.cleanup());
  project.write({
    'packages/site/footer.js': "exports.footer = () => `${require('words').shop}!`;\n",
    'packages/site/footer.test.js': test('site has a footer', "require('./footer.js').footer() === 'Shop!'"),
  });
  const { exitCode, stderr } = await project.verify();
  expect(exitCode, stderr).toBe(0);
  expect(stderr).toContain('npm test --workspace words --workspace site --if-present');
});

it('a change of a built package that breaks a test of its user is refused', async ({ onTestFinished }) => {
  const project = new VerifiedProject(BUILT);
  onTestFinished(() => project.cleanup());
  project.write({
    'packages/words/src/index.js': "exports.shop = 'Store';\nexports.bye = 'Bye';\n",
    'packages/words/bye.test.js': test('words have a bye', "require('words').bye === 'Bye'"),
  });
  const { json } = await project.verify();
  expect(json.outcome).toBe('fail');
  expect(gate(json, 'tests')).toMatchObject({
    result: 'fail',
    reason: expect.stringContaining('site has a title'),
  });
});

const MEASURE =
  'node --test --experimental-test-coverage --test-reporter=lcov --test-reporter-destination=lcov.info';
const MEASURED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(BASE).map(([path, text]) => [
      path,
      text.replace('"test":"node --test"', `"test":"${MEASURE}"`),
    ]),
  ),
  '.gitignore': 'node_modules\nlcov.info\n',
  '.guardkit/config/quality-gates.yaml':
    'quality_gate_configs:\n  - {task_type: feature, complexity_range: [1, 10], coverage_required: true, coverage_threshold: 0.9}\n',
  '.guardkit/config.yaml': `${BASE['.guardkit/config.yaml']}  coverage:\n    report: packages/*/lcov.info\n`,
};
const FOOTER = {
  'packages/site/footer.js':
    "exports.footer = (name) => {\n  if (name === '') {\n    return 'Bye';\n  }\n  return name;\n};\n",
  'packages/site/footer.test.js': test('site has a footer', "require('./footer.js').footer('') === 'Bye'"),
};

it('coverage is read from the reports of all packages', async ({ onTestFinished }) => {
  const project = new VerifiedProject(MEASURED);
  onTestFinished(() => project.cleanup());
  project.write({
    ...FOOTER,
    'packages/site/more.test.js': test('a footer is a name', "require('./footer.js').footer('me') === 'me'"),
    'packages/core/index.js': 'exports.add = (a, b) => (a === 0 ? b : a + b);\n',
    'packages/core/zero.test.js': test('core takes zero', "require('./index.js').add(0, 2) === 2"),
  });
  const { exitCode, json, stderr } = await project.verify();
  expect(exitCode, stderr + JSON.stringify(json.gates)).toBe(0);
  expect(gate(json, 'coverage')).toMatchObject({ result: 'pass' });
});

it('a report that the change brings does not count', async ({ onTestFinished }) => {
  const project = new VerifiedProject(MEASURED);
  onTestFinished(() => project.cleanup());
  const lines = [1, 2, 3, 4, 5, 6].map((line) => `DA:${line},1\n`);
  project.write({
    ...FOOTER,
    '.gitignore': 'node_modules\n',
    'packages/notes/lcov.info': `TN:\nSF:../site/footer.js\n${lines.join('')}end_of_record\n`,
  });
  const { json } = await project.verify();
  expect(json.outcome).toBe('fail');
  expect(gate(json, 'coverage')).toMatchObject({ result: 'fail' });
});

it('a new package whose script copies a report counts only for itself', { timeout: 180_000 }, async ({
  onTestFinished,
}) => {
  const project = new VerifiedProject(MEASURED);
  onTestFinished(() => project.cleanup());
  const lines = [1, 2, 3, 4, 5, 6].map((line) => `DA:${line},1\n`);
  project.write({
    ...FOOTER,
    'packages/notes/package.json':
      '{"name":"notes","version":"1.0.0","scripts":{"test":"cp notes.txt lcov.info"}}\n',
    'packages/notes/notes.txt': `TN:\nSF:../site/footer.js\n${lines.join('')}end_of_record\n`,
  });
  const { json } = await project.verify();
  expect(gate(json, 'harness')).toMatchObject({ result: 'pass' });
  expect(gate(json, 'coverage')).toMatchObject({ result: 'fail' });
});
