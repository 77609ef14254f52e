import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { readToolchainRecord } from '../../../../src/verification/environment/toolchain-record.ts';
import { bubblewrap } from '../../../support/bubblewrap.ts';
import { CI_FILES, CiProject } from '../../../support/ci-project.ts';
import { HONEST_CHANGE, RUN_TESTS } from '../../../support/verified-project.ts';

/** Where the person, or a step of the job, has installed the program of the test command. */
const tools = join(mkdtempSync(join(homedir(), '.guardkit-test-')), 'bin');
afterAll(() => rmSync(join(tools, '..'), { recursive: true, force: true }));
beforeEach(async (context) => {
  await bubblewrap(context);
  mkdirSync(tools, { recursive: true });
  chmodSync(tools, 0o755);
  writeFileSync(join(tools, 'run-calc-tests'), `#!/bin/sh\nexec ${RUN_TESTS}\n`, { mode: 0o755 });
});

function begun(): { project: CiProject; path: string } {
  const project = new CiProject({
    ...CI_FILES,
    '.guardkit/config.yaml': 'project: calc-1234\nverify:\n  tests:\n    command: run-calc-tests\n',
  });
  onTestFinished(() => project.cleanup());
  project.write(HONEST_CHANGE);
  project.commit('Subtract\n\nGuardkit-Task: TASK-001');
  return { project, path: [project.sandbox.env.PATH, tools].join(delimiter) };
}

it('verify finds the programs on a person’s PATH where nobody has run init', async () => {
  const { project, path } = begun();
  const verify = async (env: Record<string, string>) => {
    const { stdout } = await project.sandbox.guardkit(['verify', 'TASK-001', '--json'], { in: 'calc', env });
    return JSON.parse(stdout).outcome;
  };
  expect(await verify({ PATH: path, CLAUDECODE: '1' })).toBe('fail');
  expect(readToolchainRecord(project.sandbox.home, 'calc-1234')).toBeUndefined();
  expect(await verify({ PATH: path })).toBe('pass');
  // Recorded: whoever verifies next does not need it on the PATH.
  expect(await verify({})).toBe('pass');
  // As an upgrade by a version manager.
  const upgraded = join(tools, '../upgraded');
  renameSync(tools, upgraded);
  expect(await verify({ PATH: path.replace(tools, upgraded) })).toBe('pass');
});

it('ci finds the programs of earlier steps, also in folders that everybody may write to as on GitHub', async () => {
  const { project, path } = begun();
  chmodSync(tools, 0o777);
  const env = project.pullRequest({ PATH: path });
  expect(await project.json([], { env })).toMatchObject({ outcome: 'pass', exitCode: 0 });
  expect(await project.json([], { env: project.pullRequest() })).toMatchObject({ outcome: 'fail' });
});
