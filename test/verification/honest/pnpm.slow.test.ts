import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { npmPackages } from '../../support/npm-packages.ts';
import { CheatBase, config, type Files } from '../cheats/cheat-project.ts';
import { CORE_DOUBLES, coreAndApi, pack, testOf, WITHOUT_COVERAGE } from './package-projects.ts';

// Version 9 is the last that runs on every supported Node.
const modules = npmPackages('pnpm@9');
const because = modules === undefined ? ' (SKIPPED: npm does not bring pnpm)' : '';
const pnpm = `node "${join(modules ?? '', 'pnpm', 'bin', 'pnpm.cjs')}"`;

const LOCK =
  "lockfileVersion: '9.0'\n\nsettings:\n  autoInstallPeers: true\n  excludeLinksFromLockfile: false\n\nimporters:\n";
const SINGLE: Files = {
  ...WITHOUT_COVERAGE,
  'pnpm-lock.yaml': `${LOCK}\n  .: {}\n`,
  'package.json': pack('calc', { test: 'node --test && node lint.js' }),
  'lint.js': "if (/\\bvar\\b/.test(require('node:fs').readFileSync('index.js', 'utf8'))) process.exit(1);\n",
  'index.js': 'exports.add = (a, b) => a + b;\n',
  'test/add.test.js': testOf('adds', "require('../index.js').add(1, 2) === 3"),
  '.guardkit/config.yaml': config(
    `setup: ${pnpm} install --frozen-lockfile --offline\ntests:\n  command: ${pnpm} test\n`,
  ),
};
const WORKSPACE: Files = {
  ...WITHOUT_COVERAGE,
  'pnpm-lock.yaml': `${LOCK}\n  .: {}\n\n  packages/api:\n    dependencies:\n      core:\n        specifier: workspace:*\n        version: link:../core\n\n  packages/core: {}\n`,
  'pnpm-workspace.yaml': "packages:\n  - 'packages/*'\n",
  'package.json': JSON.stringify({ name: 'root', private: true }),
  ...coreAndApi('workspace:*'),
  '.guardkit/config.yaml': config(
    `setup: ${pnpm} install --frozen-lockfile --offline\ntests:\n  command: ${pnpm} -r --no-bail test\n`,
  ),
};
/** Written over a single project: an honest change. */
const DOUBLE: Files = {
  'index.js': `${SINGLE['index.js']}exports.double = (a) => 2 * a;\n`,
  'test/double.test.js': testOf('doubles', "require('../index.js').double(2) === 4"),
};

describe.skipIf(!modules)(`pnpm${because}`, () => {
  const single = new CheatBase(SINGLE);
  const workspace = new CheatBase(WORKSPACE);
  afterAll(() => {
    single.cleanup();
    workspace.cleanup();
  });

  it('an honest change passes', async () => {
    const answer = await single.project().write(DOUBLE).verify();
    expect(answer.exitCode, answer.stdout + answer.stderr).toBe(0);
    for (const gate of ['tests', 'new-tests-bite', 'no-test-lost'])
      expect(answer.gates.get(gate), gate).toMatchObject({ result: 'pass' });
  });

  it('a linter that fails after all tests passed is refused', async () => {
    const answer = await single
      .project()
      .write({ ...DOUBLE, 'index.js': `${DOUBLE['index.js']}var unused = 1;\n` })
      .verify();
    expect(answer.exitCode, answer.stdout).toBe(1);
    expect(answer.gates.get('tests')).toMatchObject({ result: 'fail' });
  });

  it('the tests of every package of a workspace run, also if those of one fail', async () => {
    const project = workspace.project();
    const honest = await project.write(CORE_DOUBLES).verify();
    expect(honest.exitCode, honest.stdout + honest.stderr).toBe(0);
    const broken = await project
      .write({ 'packages/core/index.js': 'exports.add = (a, b) => a - b;\n' })
      .verify();
    expect(broken.exitCode).toBe(1);
    const { reason } = broken.gates.get('tests') ?? {};
    expect(reason).toContain('core adds');
    expect(reason).toContain('api sums');
  });
});
