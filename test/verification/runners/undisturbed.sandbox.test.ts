import { afterEach, describe, expect, it } from 'vitest';
import { further, rows } from '../../support/thorough.ts';
import { outcomes } from '../test-reports/recorded.ts';
import { packageJson, TestProject } from './test-project.ts';
import { expectUndisturbed, WRITE_SEEN } from './undisturbed.ts';

let project: TestProject | undefined;
afterEach(() => project?.remove());

function open(files: Record<string, string>, select?: readonly string[]): TestProject {
  project = new TestProject(files, select ? { select } : {});
  return project;
}

const VITEST = `import { expect, it, vi } from 'vitest';\nvi.mock('node:fs');\nit('sees', () => ${WRITE_SEEN});\n`;
const NODE = `import { it } from 'node:test';\nit('sees', () => ${WRITE_SEEN});\n`;

describe('code under test sees the same with and without the taps', () => {
  further.each([
    ['in processes of vitest', 'vitest run --pool=forks'],
    ['in threads of vitest', 'vitest run --pool=threads'],
  ])('%s', async (_where, test) => {
    await expectUndisturbed(open({ 'package.json': packageJson({ test }), 'a.test.js': VITEST }), 'npm test');
  });

  it.each(
    rows(1, [
      ['in files of node:test', 'node --test'],
      ['in a file of node:test that is run by itself', 'node a.test.js'],
    ]),
  )('%s', async (_where, test) => {
    await expectUndisturbed(open({ 'package.json': packageJson({ test }), 'a.test.js': NODE }), 'npm test');
  });
});

further('a runner started by a test is not confused with the outer one', async () => {
  const inner = `import { it } from 'node:test'; it('fails inside', () => { throw new Error('on purpose'); });`;
  const of = open({
    'package.json': packageJson({ test: 'node --test a.test.js' }),
    'fixtures/inner.test.js': inner,
    'a.test.js': `import { spawnSync } from 'node:child_process';
      import assert from 'node:assert';
      import { it } from 'node:test';
      it('starts another', () => {
        const env = { ...process.env };
        delete env.NODE_TEST_CONTEXT;
        const { status } = spawnSync('node', ['--test', 'fixtures/inner.test.js'], { env });
        assert.equal(status, 1);
      });`,
  });
  expect((await of.run('npm test')).exitCode).toBe(0);
  const { reports, unreadable } = await of.collect();
  expect(unreadable).toEqual([]);
  expect(reports.flatMap(outcomes)).toEqual(['passed starts another']);
});

describe('a selection limits the run to some files', () => {
  it.each(
    rows(1, [
      ['of node:test', 'node --test', "import { it } from 'node:test';"],
      ['of vitest', 'vitest run', "import { it } from 'vitest';"],
      ['of vitest that would watch', 'vitest', "import { it } from 'vitest';"],
      ['of node:test in a folder that is named', 'node --test test/', "import { it } from 'node:test';"],
    ]),
  )('%s', async (_which, test, start) => {
    const of = open(
      {
        'package.json': packageJson({ test }),
        'test/a.test.js': `${start} it('a', () => {});`,
        'test/b.test.js': `${start} it('b', () => {});`,
      },
      ['test/b.test.js'],
    );
    await of.run('npm test');
    const { reports, unreadable } = await of.collect();
    expect(unreadable).toEqual([]);
    expect(reports.flatMap(outcomes)).toEqual(['passed b']);
  });
});

describe('a missing snapshot', () => {
  further('fails in vitest, as in CI', async () => {
    const of = open({
      'package.json': packageJson({ test: 'vitest run' }),
      'a.test.js':
        "import { expect, it } from 'vitest'; it('a', () => { expect(1).toMatchSnapshot(); expect(process.env.CI).toBe(undefined); });",
    });
    await of.run('npm test');
    expect((await of.collect()).reports.flatMap(outcomes)).toEqual(['failed a']);
  });
});
