import { expect, it } from 'vitest';
import { turnOf } from '../../../support/run-project.ts';
import { file, ids, projectOf, run } from './file-features.ts';

it('a run that had nothing to do leaves no branch, and says how what is blocked is freed', async () => {
  const project = projectOf([file('F1', [], [turnOf({ 'F1.txt': '' }, 'F1 is there')])]);
  const first = await run(project);
  expect(ids(first.json.blocked)).toEqual(['F1']);
  const args = project.runArguments().filter((arg) => arg !== '--json');
  const { exitCode, stdout } = await project.guardkit(args);
  expect(exitCode).toBe(1);
  expect(stdout).toContain('F1: ');
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
  expect(stderr).toContain('initializer');
  const status = await project.guardkit(['session', 'status', '--json']);
  expect(JSON.parse(status.stdout)).toMatchObject({ open: [{ state: 'paused' }] });
  const left = (kind: string) =>
    project.git('branch', '--list', '--format=%(refname:short)', `guardkit/${kind}-*`);
  expect(left('init')).not.toBe('');
  const branch = left('run');
  const ended = await project.guardkit(['session', 'abandon'], { person: true });
  expect(ended.exitCode, ended.stderr).toBe(0);
  expect([left('init'), left('run')]).toEqual(['', '']);
  // Where it could not be cleared away then, the next run does it, and rests with its own.
  project.git('branch', branch, 'HEAD');
  await run(project);
  expect(left('run')).toMatch(/^guardkit\/run-\S+$/);
  expect(left('run')).not.toBe(branch);
});

it.each([
  ['a name that is none', ['--features', 'F9'], 'run.unknown-feature'],
  ['a brief that is not there', ['--brief', 'nowhere.md'], 'file.unreadable'],
])('--dry-run refuses %s, as the run would', async (_name, args, code) => {
  const project = projectOf([file('F1')]);
  const { exitCode, json } = await run(project, ['--dry-run', ...args]);
  expect([exitCode, json.error?.code]).toEqual([2, code]);
});
