import { copyFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { file, ids, projectOf, run } from './file-features.ts';

it('an agent that nobody is logged in to lets the run rest; nothing counts as failed, and it goes on afterwards', async () => {
  const project = projectOf([file('F1', [], [{ player: { fail: 'locked_out' } }]), file('F2')]);
  const resting = await run(project);
  expect(resting.exitCode).toBe(3);
  expect(resting.json.error).toMatchObject({ code: 'driver.locked-out' });
  expect(resting.stderr).toContain('`guardkit run`');
  const kinds = project.entries().map(({ kind }) => kind);
  expect(kinds).not.toContain('attempt_failed');
  expect(kinds).not.toContain('feature_blocked');
  const loggedIn = projectOf([file('F1'), file('F2')]);
  copyFileSync(loggedIn.scenarioFile, project.scenarioFile);
  const { json, exitCode, stderr } = await run(project);
  expect(exitCode, stderr).toBe(0);
  expect(ids(json.done)).toEqual(['F1', 'F2']);
});
