import { expect, it } from 'vitest';
import { testKey } from '../../../src/domain/entities/test-report.ts';
import { Repository } from '../../../src/platform/git/repository.ts';
import { compareTrees } from '../../../src/verification/compare-trees.ts';
import type { TestRun } from '../../../src/verification/facts.ts';
import { findTestSide } from '../../../src/verification/test-side/find-test-side.ts';
import { findUnusedImports } from '../../../src/verification/test-side/find-unused-imports.ts';
import { VerifiedProject } from '../../support/verified-project.ts';
import { testRun } from '../gates/facts-fixture.ts';

const BASE = {
  'src/a.js': 'export const old = 1;\n',
  'pkg/a.py': 'old = 1\n',
  'test/help.js': 'export {};\n',
};
const CHANGED = {
  'src/a.js': 'export const old = 1;\nexport const fresh = 2;\n',
  'pkg/a.py': 'old = 1\nfresh = 2\n',
};
const IMPORT = "import { fresh, old } from '../src/a.js';\n";
const IDLE = "test('idle', () => expect(old).toBe(1));\n";

const FILES: Record<string, string> = {
  'test/unused.test.js': `${IMPORT}${IDLE}test('uses', () => expect(fresh).toBe(2));\n`,
  'test/before.test.js': `${IMPORT}beforeEach(() => fresh);\n${IDLE}`,
  'test/shared.test.js': `${IMPORT}const shared = [fresh];\n${IDLE}`,
  'test/helped.test.js': `${IMPORT}import '../test/help.js';\n${IDLE}`,
  'test/known.test.js': `import { old } from '../src/a.js';\n${IDLE}`,
  'test/loads.test.js': `${IMPORT}${IDLE}`,
  'tests/test_unused.py':
    'from pkg.a import fresh, old\n\n\ndef test_idle():\n    assert old\n\n\ndef test_uses():\n    assert fresh\n',
};

async function changedProject(finished: (remove: () => void) => void) {
  const project = new VerifiedProject(BASE);
  finished(() => project.cleanup());
  project.write({ ...CHANGED, ...FILES, 'test/help.js': 'export const help = 1;\n' });
  project.commit('Change');
  const repository = await Repository.open(project.path());
  const comparison = await compareTrees(repository, 'HEAD~1', 'HEAD');
  const { entries, baseEntries, changes } = comparison;
  const side = await findTestSide(
    repository,
    { tree: 'HEAD~1', entries: baseEntries },
    { tree: 'HEAD', entries },
    changes,
  );
  return { ...comparison, repository, side };
}

function passing(files: readonly string[]): TestRun {
  const names = (file: string) => (file.endsWith('.py') ? ['test_idle', 'test_uses'] : ['idle', 'uses']);
  const all = files.flatMap((file) => names(file).map((name) => [`${file}: ${name}`, 'passed']));
  return testRun(Object.fromEntries(all));
}

it('tests that use nothing of what keeps their file from loading on the base are found', async ({
  onTestFinished,
}) => {
  const request = await changedProject(onTestFinished);
  const loads = 'test/loads.test.js';
  const broken = Object.keys(FILES).filter((file) => file !== loads);
  const onBase = testRun(
    { [`${loads}: idle`]: 'passed' },
    { exit: 1, faults: broken.map((file) => ({ file, message: 'fresh is missing' })) },
  );
  const found = await findUnusedImports({ ...request, onBase, candidate: passing(Object.keys(FILES)) });
  expect([...found].sort()).toEqual(
    [
      { file: 'test/unused.test.js', name: 'idle' },
      { file: 'tests/test_unused.py', name: 'test_idle' },
    ].map(testKey),
  );
});

it('if the run stops without naming a file, so are tests of files that import nothing from the change', async ({
  onTestFinished,
}) => {
  const request = await changedProject(onTestFinished);
  const onBase = testRun({ 'test/other.test.js: old': 'failed' }, { exit: 1 });
  const find = (...files: string[]) => findUnusedImports({ ...request, onBase, candidate: passing(files) });
  expect([...(await find('test/unused.test.js', 'test/known.test.js'))].sort()).toEqual(
    [
      { file: 'test/known.test.js', name: 'idle' },
      { file: 'test/known.test.js', name: 'uses' },
      { file: 'test/unused.test.js', name: 'idle' },
    ].map(testKey),
  );
  // Then something else is missing, such as a fixture.
  expect((await find('test/known.test.js', 'test/helped.test.js')).size).toBe(0);
});
