import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tryLock } from '../../../../src/platform/processes/process-lock.ts';
import { makeMachineKey } from '../../../../src/platform/signing/machine-key.ts';
import { expectFailure } from '../../../support/expect-failure.ts';
import { builtCalculator } from './calculator.ts';

const project = builtCalculator();
const BRANCH = 'guardkit/FEAT-CALC';
const worktree = project.sandbox.path('data', 'worktrees', 'calc-1234', 'FEAT-CALC');

function complete(input = 'y\nn\n', ...args: string[]) {
  return project.guardkit(['feature', 'complete', 'FEAT-CALC', ...args], { person: true, input });
}

function inWorktree(...args: string[]): string {
  return execFileSync('git', args, { cwd: worktree, env: project.sandbox.env, encoding: 'utf8' }).trim();
}

const recorded = () => project.entries().filter(({ kind }) => kind === 'feature_completed');

/** Nothing of the person's changed, and nothing is on record. */
async function expectRefused(expected: string, run = () => complete('y\nn\n', '--json')): Promise<void> {
  const before = project.checkout();
  const { stdout, exitCode } = await run();
  expectFailure({ exitCode, ...JSON.parse(stdout).error }, expected);
  expect(exitCode).toBe(1);
  expect(project.checkout()).toEqual(before);
  expect(recorded()).toEqual([]);
}

/** Every list agrees that it is done. */
async function expectCompleted(): Promise<void> {
  const json = async (...args: string[]) => JSON.parse((await project.guardkit([...args, '--json'])).stdout);
  expect(await json('feature', 'list')).toMatchObject({
    features: [{ id: 'FEAT-CALC', status: 'completed', tested: true }],
  });
  expect(await json('task', 'list')).toMatchObject({
    tasks: [{ status: 'completed' }, { status: 'completed' }],
  });
  expect(await json('task', 'show', 'TASK-001')).toMatchObject({ status: 'completed' });
}

describe('guardkit feature complete', () => {
  it('[ATTEST-2] with --require-attestation merges only a result that a trusted key signed', async () => {
    await expectRefused('complete.not-attested FEAT-CALC', () =>
      complete('y\nn\n', '--require-attestation', '--json'),
    );
    makeMachineKey(project.sandbox.home);
    const attested = await project.guardkit(['attest', 'FEAT-CALC', '--commit', BRANCH, '--note', '--json']);
    expect(JSON.parse(attested.stdout)).toMatchObject({
      signed: true,
      statement: { predicate: { approved: true } },
    });
    expect((await complete('y\nn\n', '--require-attestation')).exitCode).toBe(0);
    await expectCompleted();
  });

  it('merges on a person’s word, in their name, and runs no hook', async () => {
    const head = project.git('rev-parse', 'main');
    const tip = project.git('rev-parse', BRANCH);
    project.write({
      'src/add.js': 'export const add = (a, b) => b + a; // mine\n',
      '.git/hooks/post-merge': '#!/bin/sh\ntouch hooked\n',
      '.git/hooks/reference-transaction': '#!/bin/sh\ntouch hooked\n',
    });
    for (const name of ['post-merge', 'reference-transaction'])
      chmodSync(project.path('.git/hooks', name), 0o755);
    expect(project.git('ls-tree', '-r', '--name-only', BRANCH, '.claude/task-plans')).not.toBe('');
    const { stdout, stderr, exitCode } = await complete('y\ny\n');
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringContaining('main') });
    expect(stderr).toMatch(/added +src\/sub\.js/);
    expect(stderr).toMatch(/FEAT-CALC.*main.*\[y\/N\]/);
    expect(project.git('log', '-1', '--format=%P|%an|%cn|%s')).toBe(
      `${head} ${tip}|test|test|Merge ${BRANCH}`,
    );
    expect(existsSync(project.path('src/mul.js'))).toBe(true);
    expect(project.git('status', '--porcelain', '--untracked-files=no')).toBe('M src/add.js');
    expect(existsSync(project.path('hooked'))).toBe(false);
    expect(existsSync(worktree)).toBe(false);
    expect(project.git('branch', '--list', 'guardkit/*')).toBe('');
    expect(project.refs()).toContain('refs/guardkit/FEAT-CALC/TASK-002/T1');
    expect(recorded().map(({ body }) => body)).toEqual([
      { feature_id: 'FEAT-CALC', tip, commit: project.git('rev-parse', 'HEAD'), into: 'main', by: 'test' },
    ]);
    const again = await complete('y\nn\n', '--json');
    expect(JSON.parse(again.stdout)).toMatchObject({ error: { code: 'complete.done' } });
    expect(project.git('ls-tree', '-r', '--name-only', 'HEAD', '.claude/task-plans')).toBe('');
    await expectCompleted();
  });

  it('shows with --dry-run what it would merge, asks nobody, and changes nothing', async () => {
    const before = project.checkout();
    const { stdout, exitCode } = await project.guardkit([
      'feature',
      'complete',
      'FEAT-CALC',
      '--dry-run',
      '--json',
    ]);
    expect(JSON.parse(stdout)).toMatchObject({
      into: 'main',
      completed: false,
      moved_on: false,
      commits: [{ subject: 'TASK-001 turn 1: Subtract' }, { subject: 'TASK-002 turn 1: Multiply' }],
      files: expect.arrayContaining([{ path: 'src/mul.js', change: 'added' }]),
    });
    expect(exitCode).toBe(0);
    expect(project.checkout()).toEqual(before);
    expect(recorded()).toEqual([]);
  });

  it('takes no program’s word, and no for an answer', async () => {
    await expectRefused('person.needed', () =>
      project.guardkit(['feature', 'complete', 'FEAT-CALC', '--json'], { input: 'y\ny\n' }),
    );
    await expectRefused('person.needed', () =>
      project.guardkit(['feature', 'complete', 'FEAT-CALC', '--yes', '--json'], { input: '' }),
    );
    await expectRefused('complete.declined', () => complete('\n', '--json'));
  });

  it('asks nothing with --yes, and removes the worktree', async () => {
    const { stdout, exitCode } = await complete('', '--yes', '--json');
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ completed: true, worktree_removed: true });
    expect(existsSync(worktree)).toBe(false);
    expect(recorded()).toHaveLength(1);
  });

  it('refuses while a task is not approved, and says which', async () => {
    project.write({
      'tasks/TASK-003.md':
        '---\nid: TASK-003\ntitle: Divide\ntask_type: feature\ncomplexity: 2\nfeature_id: FEAT-CALC\n---\n## Acceptance Criteria\n- AC-001: divides\n',
    });
    const feature = 'id: FEAT-CALC\nname: Calculator\ntasks: [TASK-001, TASK-002, TASK-003]\n';
    project.write({ '.guardkit/features/FEAT-CALC.yaml': feature });
    project.commit('Another task');
    await expectRefused('complete.not-approved TASK-003:');
  });

  it.each([
    ['an untracked file', 'src/sub.js', undefined],
    ['an ignored file', 'src/sub.js', 'src/sub.js\n'],
  ])('refuses to write over %s of the person’s', async (_case, path, ignored) => {
    project.write({ [path]: 'mine\n' });
    if (ignored) project.write({ '.git/info/exclude': ignored });
    await expectRefused(`complete.dirty ${path}`);
  });

  it('refuses on a conflict, changes nothing, and says where; a merge by hand is then put on record', async () => {
    project.write({ 'src/sub.js': 'export const sub = () => 42;\n' });
    project.commit('My own sub');
    await expectRefused('complete.conflicts src/sub.js');
    project.git('merge', '--quiet', '--no-ff', '-X', 'theirs', '-m', 'By hand', BRANCH);
    const { stdout } = await complete('y\nn\n', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ into: 'main', completed: true });
    expect(recorded()[0]?.body).toMatchObject({ commit: project.git('rev-parse', 'HEAD') });
    await expectCompleted();
    expect(project.git('log', '-1', '--format=%s')).toBe('By hand');
  });

  it('merges into a branch that has moved on, and says that the two together were not verified', async () => {
    project.write({ 'README.md': 'hello\n' });
    project.commit('Words');
    const { stdout, exitCode } = await complete('y\nn\n', '--json');
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ completed: true, moved_on: true });
    expect(project.git('ls-files', 'README.md', 'src/mul.js').split('\n')).toHaveLength(2);
    expect(existsSync(worktree)).toBe(true);
  });

  it('tells a person who signs commits how to sign the merge', async () => {
    const sign = '`git commit --amend --no-edit`';
    project.git('config', 'commit.gpgSign', 'yes');
    const { exitCode, stderr } = await complete('y\nn\n');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringContaining(sign) });
  });

  it('refuses a branch that is not what was approved, until it is verified as it is', async () => {
    project.sandbox.write(
      'data/worktrees/calc-1234/FEAT-CALC/src/sub.js',
      'export const sub = (a, b) => a - b; // neater\n',
    );
    inWorktree('commit', '--quiet', '--all', '--message', 'By hand');
    await expectRefused('complete.stale');
    const verified = await project.guardkit(['verify', 'FEAT-CALC'], {
      in: 'data/worktrees/calc-1234/FEAT-CALC',
    });
    expect(verified.exitCode).toBe(0);
    expect((await complete()).exitCode).toBe(0);
    expect(readFileSync(project.path('src/sub.js'), 'utf8')).toContain('neater');
  });

  it('refuses a branch that changes rules which no gate looks at', async () => {
    project.sandbox.write(
      'data/worktrees/calc-1234/FEAT-CALC/.guardkit/config.yaml',
      'project: calc-1234\nverify: {tests: {command: "true"}}\n',
    );
    inWorktree('commit', '--quiet', '--all', '--message', 'Easier');
    await expectRefused('complete.stale .guardkit/config.yaml');
  });

  it('refuses a branch that lost approved work', async () => {
    inWorktree('reset', '--quiet', '--hard', 'HEAD~1');
    await expectRefused('complete.stale TASK-002');
  });

  it('leaves files to the person that git hands to a program', async () => {
    project.write({ '.gitattributes': '*.js filter=shout\n' });
    project.commit('Attributes');
    project.git('config', 'filter.shout.smudge', 'tr a-z A-Z');
    await expectRefused('complete.needs-programs src/sub.js');
  });

  it('merges files that are in Git LFS', async () => {
    project.write({ '.gitattributes': '*.js filter=lfs\n' });
    project.commit('Attributes');
    project.git('config', 'filter.lfs.process', 'false');
    expect((await complete('', '--yes', '--json')).exitCode).toBe(0);
    expect(recorded()).toHaveLength(1);
  });

  it.each([
    ['on no branch', () => project.git('checkout', '--quiet', '--detach'), 'complete.no-branch'],
    [
      'in the middle of a merge',
      () => project.write({ '.git/MERGE_HEAD': `${project.git('rev-parse', 'HEAD')}\n` }),
      'complete.unfinished',
    ],
  ])('refuses %s', async (_case, prepare, code) => {
    prepare();
    await expectRefused(code);
  });

  it('refuses while the feature is being built', async () => {
    const lock = tryLock(join(project.sandbox.home, 'locks', 'calc-1234', 'FEAT-CALC.lock'));
    try {
      await expectRefused('build.taken FEAT-CALC');
    } finally {
      lock?.release();
    }
  });

  it('keeps what lies uncommitted in the worktree on a ref before it is removed', async () => {
    project.sandbox.write('data/worktrees/calc-1234/FEAT-CALC/notes.txt', 'half a thought\n');
    const { stdout } = await complete('y\ny\n');
    const ref = /(refs\/guardkit\/FEAT-CALC\/worktree\/kept-\d+)/.exec(stdout)?.[1];
    expect(project.git('show', `${ref}:notes.txt`)).toBe('half a thought');
    expect(project.git('ls-files', 'notes.txt')).toBe('');
  });
});
