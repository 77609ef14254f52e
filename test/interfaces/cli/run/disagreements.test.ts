import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { turnOf } from '../../../support/run-project.ts';
import { file, ids, projectOf, run } from './file-features.ts';

it('a feature that was built by hand and disagrees with what the run has is built afresh on top of it', async () => {
  const writes = (id: string) =>
    turnOf({ [`${id}.txt`]: 'here\n', 'shared.txt': `${id}\n` }, `${id} is there`);
  const project = projectOf([file('F1', [], [writes('F1')]), file('F2', [], [writes('F2')])]);
  const args = ['--driver', 'script', '--scenario', project.scenarioFile, '--max-turns', '1'];
  const byHand = await project.guardkit(['feature-build', 'F2', ...args]);
  expect(byHand.exitCode, byHand.stderr).toBe(0);
  const { json, exitCode, stderr } = await run(project);
  expect(exitCode, stderr).toBe(0);
  expect(ids(json.done)).toEqual(['F1', 'F2']);
  const failed = project.entries().filter(({ kind }) => kind === 'attempt_failed');
  expect(failed.map(({ body }) => body)).toMatchObject([
    {
      feature_id: 'F2',
      failure: { gates: ['merge'], why: expect.stringContaining('disagree in shared.txt') },
    },
  ]);
  expect(project.git('show', `${json.branch}:shared.txt`)).toBe('F2');
});

it('a run that had nothing to do leaves no branch, and says how what is blocked is freed', async () => {
  const project = projectOf([file('F1', [], [turnOf({ 'F1.txt': '' }, 'F1 is there')])]);
  const first = await run(project);
  expect(ids(first.json.blocked)).toEqual(['F1']);
  const args = project.runArguments().filter((arg) => arg !== '--json');
  const { exitCode, stdout } = await project.guardkit(args);
  expect(exitCode).toBe(1);
  expect(stdout).toContain('F1: it was blocked before');
  expect(stdout).toContain('guardkit feature unblock');
  expect(project.git('branch', '--list', 'guardkit/run-*')).toBe('');
});

it('an initializer that breaks off twice lets the run rest, with what its agent said', async () => {
  const extra = { initializer: [{ fail: 'crash' }], turns: [turnOf({ 'a.txt': 'a' }, 'a')] };
  const project = projectOf(
    [],
    { '.guardkit/config.yaml': 'project: calc-1234\n', 'README.md': 'A text.\n' },
    extra,
  );
  const { exitCode, json, stderr } = await run(project);
  expect(exitCode).toBe(3);
  expect(json.error?.code).toBe('run.agent-silent');
  expect(stderr).toMatch(/initializer: crashed: \S/);
  const status = await project.guardkit(['session', 'status']);
  expect(status.stdout).toMatch(/paused[\s\S]*broke off/);
  const ended = await project.guardkit(['session', 'abandon'], { person: true });
  expect(ended.exitCode, ended.stderr).toBe(0);
  const worktree = join(project.sandbox.home, 'worktrees/calc-1234');
  const left = () => project.git('branch', '--list', 'guardkit/init-*');
  expect(left()).not.toBe('');
  await run(project);
  expect(left().split('\n')).toHaveLength(1);
  expect(existsSync(worktree)).toBe(true);
});

it.each([
  ['a name that is none', ['--features', 'F9'], 'run.unknown-feature'],
  ['a brief that is not there', ['--brief', 'nowhere.md'], 'file.unreadable'],
])('--dry-run refuses %s, as the run would', async (_name, args, code) => {
  const project = projectOf([file('F1')]);
  const { exitCode, json } = await run(project, ['--dry-run', ...args]);
  expect([exitCode, json.error?.code]).toEqual([2, code]);
});
