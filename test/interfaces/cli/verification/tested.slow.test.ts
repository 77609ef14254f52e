import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { HONEST_CHANGE, MEASURED_FILES, VerifiedProject } from '../../../support/verified-project.ts';

const LIST = '.claude/progress/feature-list.json';

let project: VerifiedProject;
beforeEach(() => {
  project = new VerifiedProject(MEASURED_FILES);
});
afterEach(() => project.cleanup());

function listed(id: string): Record<string, unknown> {
  const { features } = JSON.parse(readFileSync(project.path(LIST), 'utf8'));
  return features.find((one: { id: string }) => one.id === id);
}

async function shown(id: string) {
  const { stdout } = await project.guardkit(['feature', 'show', id, '--json']);
  return JSON.parse(stdout);
}

it('a feature that only the list has is tested by verify, and no longer when its files change', async () => {
  project.write({
    [LIST]: JSON.stringify({
      features: [
        { id: 'F1', description: 'Subtract', complexity: 2, acceptance_criteria: ['AC-001: subtracts'] },
      ],
    }),
    ...HONEST_CHANGE,
  });
  const verified = await project.verify(['F1']);
  expect(verified.json).toMatchObject({
    feature: 'F1',
    task: null,
    outcome: 'pass',
    tested: true,
    criteria: [{ task: 'F1', id: 'AC-001', tests: ['AC-001 subtracts'] }],
  });
  expect(listed('F1')).toMatchObject({ tested: true });
  expect(await shown('F1')).toMatchObject({ id: 'F1', tested: true, evidence: listed('F1').evidence });
  const list = JSON.parse((await project.guardkit(['feature', 'list', '--json'])).stdout);
  expect(list.features).toContainEqual(
    expect.objectContaining({ id: 'F1', status: 'pending', tested: true }),
  );

  project.write({ 'src/sub.js': 'export const sub = (a, b) => b - a;\n' });
  const { stdout, stderr } = await project.guardkit(['feature', 'show', 'F1', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ tested: false, evidence: [] });
  expect(stderr).toMatch(/\bF1\b/);
  expect(listed('F1')).toMatchObject({ tested: false });
  expect((await project.verify(['F1'])).json).toMatchObject({ outcome: 'fail', tested: false });
});

it('a feature of files is tested in the ledger, and a list is not made for it', async () => {
  project.write(HONEST_CHANGE);
  const { json } = await project.verify(['TASK-001']);
  expect(json).toMatchObject({ outcome: 'pass', tested: true });
  expect(() => readFileSync(project.path(LIST))).toThrow();
  expect(await shown('TASK-001')).toMatchObject({ tested: true, status: 'pending' });
});

it('work that a person did without a build is completed once it is committed, and stays so', async () => {
  const complete = async () => {
    const args = ['feature', 'complete', 'TASK-001', '--yes', '--json'];
    return JSON.parse((await project.guardkit(args, { person: true })).stdout);
  };
  expect(await complete()).toMatchObject({ error: { code: 'complete.nothing' } });
  project.write(HONEST_CHANGE);
  expect((await project.verify(['TASK-001'])).json).toMatchObject({ tested: true });
  const message = expect.stringContaining('src/sub.js');
  expect(await complete()).toMatchObject({ error: { code: 'complete.not-committed', message } });
  project.commit('Subtract');
  expect(await complete()).toMatchObject({ completed: true, branch: null, worktree_removed: false });
  project.write({ 'src/sub.js': 'export const sub = (a, b) => b - a;\n' });
  expect(await shown('TASK-001')).toMatchObject({ tested: true, status: 'completed' });
  const { tasks } = JSON.parse((await project.guardkit(['task', 'list', '--json'])).stdout);
  expect(tasks).toMatchObject([{ id: 'TASK-001', status: 'completed' }]);
  const next = JSON.parse((await project.guardkit(['feature', 'next', '--json'])).stdout);
  expect(next).toMatchObject({ next: null, done: 1 });
  expect(await complete()).toMatchObject({ error: { code: 'complete.done' } });
});

it('a feature that is defined here and not on the base is not taken from the list', async () => {
  project.write({
    '.guardkit/features/FEAT-X.yaml': 'id: FEAT-X\nname: X\nacceptance_criteria: [it works]\n',
  });
  const { exitCode, stdout } = await project.guardkit(['verify', 'FEAT-X', '--json']);
  expect(exitCode).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'work.unknown' } });
});
