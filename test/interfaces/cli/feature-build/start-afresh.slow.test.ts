import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { builtCalculator, MULTIPLY, STRAIGHT } from './calculator.ts';

const project = builtCalculator();
const BRANCH = 'guardkit/FEAT-CALC';
const IN_WORKTREE = 'data/worktrees/calc-1234/FEAT-CALC';
const worktree = project.sandbox.path(IN_WORKTREE);

const AS_PERSON = { person: true, input: 'y\n' };
const discard = (...args: string[]) =>
  project.guardkit(['feature', 'discard', 'FEAT-CALC', ...args], AS_PERSON);
const reset = (task: string, ...args: string[]) =>
  project.guardkit(['task', 'reset', task, '--reason', 'the wrong way', ...args], AS_PERSON);
const errorOf = ({ stdout }: { stdout: string }): { code: string } => JSON.parse(stdout).error;
const of = (kind: string) => project.entries().filter((entry) => entry.kind === kind);

describe('guardkit feature discard', () => {
  it('takes worktree and branch away, keeps every turn and what was in no commit, and says so in the ledger', async () => {
    project.sandbox.write(`${IN_WORKTREE}/notes.txt`, 'half a thought\n');
    const tip = project.git('rev-parse', BRANCH);
    const before = project.checkout();
    const { stdout, stderr, exitCode } = await discard('--reason', 'not wanted');
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/FEAT-CALC.* \[y\/N\]/);
    expect(existsSync(worktree)).toBe(false);
    expect(project.git('branch', '--list', 'guardkit/*')).toBe('');
    expect(project.git('worktree', 'list')).not.toContain('FEAT-CALC');
    expect(project.checkout()).toEqual(before);
    const kept = /(refs\/guardkit\/FEAT-CALC\/worktree\/kept-\d+)/.exec(stdout)?.[1];
    expect(project.git('show', `${kept}:notes.txt`)).toBe('half a thought');
    expect(project.refs()).toContain('refs/guardkit/FEAT-CALC/TASK-001/T1');
    expect(of('feature_discarded').map(({ body }) => body)).toEqual([
      { feature_id: 'FEAT-CALC', tip, kept, reason: 'not wanted', by: 'test' },
    ]);
    expect(errorOf(await discard('--json')).code).toBe('discard.nothing');
    expect((await project.guardkit(['turns', 'FEAT-CALC'])).stdout).toContain('TASK-002');
  });

  it('keeps commits that were made by hand, and files of a repository that was made within', async () => {
    project.sandbox.write(`${IN_WORKTREE}/by-hand.txt`, 'mine\n');
    project.sandbox.git(IN_WORKTREE, 'add', 'by-hand.txt');
    project.sandbox.git(IN_WORKTREE, 'commit', '--quiet', '--message', 'By hand');
    project.sandbox.write(`${IN_WORKTREE}/within/file.txt`, 'deep\n');
    project.sandbox.git(`${IN_WORKTREE}/within`, 'init', '--quiet');
    project.sandbox.git(`${IN_WORKTREE}/within`, 'add', '--all');
    project.sandbox.commit(`${IN_WORKTREE}/within`, 'Within');
    const { kept } = JSON.parse((await discard('--json')).stdout);
    expect(project.git('show', `${kept}:by-hand.txt`)).toBe('mine');
    expect(project.git('show', `${kept}:within/file.txt`)).toBe('deep');
  });

  it('lets a later build start afresh, from where the person is now', async () => {
    await discard();
    project.write({ 'README.md': 'hello\n' });
    project.commit('Words');
    const { json } = await project.build(STRAIGHT, ['FEAT-CALC']);
    expect(json.outcome).toBe('approved');
    expect(json.tasks.map(({ turns }) => turns.map(({ turn_number, mode }) => [turn_number, mode]))).toEqual([
      [[2, 'fresh_start']],
      [[2, 'fresh_start']],
    ]);
    expect(project.git('merge-base', 'main', BRANCH)).toBe(project.git('rev-parse', 'main'));
  });

  it('does nothing without a yes of a person, or when only asked what it would do', async () => {
    const before = project.refs();
    const args = ['feature', 'discard', 'FEAT-CALC'];
    const byProgram = await project.guardkit([...args, '--json'], { input: 'y\n' });
    expect(errorOf(byProgram).code).toBe('person.needed');
    expect((await project.guardkit(args, { person: true, input: 'n\n' })).exitCode).toBe(1);
    const dry = await project.guardkit([...args, '--dry-run', '--json']);
    expect(JSON.parse(dry.stdout)).toMatchObject({ discarded: false, tasks: ['TASK-001', 'TASK-002'] });
    expect(existsSync(worktree)).toBe(true);
    expect(project.refs()).toEqual(before);
    expect(of('feature_discarded')).toEqual([]);
  });

  it('finishes what was cut off half way', async () => {
    execFileSync('rm', ['-rf', worktree]);
    project.git('worktree', 'prune');
    project.git('branch', '--quiet', '-D', BRANCH);
    expect((await discard()).exitCode).toBe(0);
    expect(of('feature_discarded')[0]?.body).toMatchObject({ tip: null, kept: null });
  });

  it('refuses from within the worktree', async () => {
    const refused = await project.guardkit(['feature', 'discard', 'FEAT-CALC', '--json'], {
      ...AS_PERSON,
      in: IN_WORKTREE,
    });
    const { exitCode } = refused;
    expect(errorOf(refused).code).toBe('worktree.in-use');
    expect({ exitCode, there: existsSync(worktree) }).toEqual({ exitCode: 1, there: true });
  });
});

describe('guardkit task reset', () => {
  it('takes the branch back to where the task started, and its next turn starts afresh', async () => {
    const first = project.git('rev-parse', 'refs/guardkit/FEAT-CALC/TASK-001/T1');
    const { stdout, exitCode } = await reset('TASK-002');
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringContaining('TASK-002') });
    expect(project.git('rev-parse', BRANCH)).toBe(first);
    expect(existsSync(`${worktree}/src/mul.js`)).toBe(false);
    expect(existsSync(`${worktree}/src/sub.js`)).toBe(true);
    expect(of('task_reset').map(({ body }) => body)).toEqual([
      { task_id: 'TASK-002', by: 'test', reason: 'the wrong way' },
    ]);
    const { json } = await project.build([MULTIPLY], ['FEAT-CALC']);
    expect(json.tasks.find(({ task }) => task === 'TASK-002')).toMatchObject({
      outcome: 'approved',
      turns: [{ turn_number: 2, mode: 'fresh_start' }],
    });
    const shown = (await project.guardkit(['turns', 'TASK-002'])).stdout;
    expect(shown).toMatch(/T1 [\s\S]*—.*—\n {2}T2 /);
    const explained = JSON.parse((await project.guardkit(['explain', 'TASK-002', '--json'])).stdout);
    expect(explained).toMatchObject({ turns: 1, turns_before_reset: 1, approved_in: 2, last_failure: null });
  });

  it('resets with a task those that were built on top of it', async () => {
    const { stderr } = await reset('TASK-001');
    expect(stderr).toMatch(/TASK-002.*TASK-001/);
    expect(of('task_reset').map(({ body }) => body.task_id)).toEqual(['TASK-001', 'TASK-002']);
    expect(existsSync(worktree)).toBe(false);
    expect(errorOf(await reset('TASK-001', '--json')).code).toBe('reset.nothing');
    const complete = await project.guardkit(['feature', 'complete', 'FEAT-CALC', '--json'], AS_PERSON);
    expect(errorOf(complete).code).toBe('complete.not-approved');
  });

  it.each([
    ['without a reason', ['TASK-002'], AS_PERSON, 2, 'usage'],
    ['of a feature', ['FEAT-CALC', '--reason', 'x'], AS_PERSON, 2, 'reset.feature'],
    ['by a program', ['TASK-002', '--reason', 'x'], { input: 'y\n' }, 1, 'person.needed'],
    ['without a yes', ['TASK-002', '--reason', 'x'], { person: true, input: '\n' }, 1, 'reset.declined'],
  ])('is refused %s', async (_case, args, options, exit, code) => {
    const refused = await project.guardkit(['task', 'reset', ...args, '--json'], options);
    expect(errorOf(refused).code).toBe(code);
    expect(refused.exitCode).toBe(exit);
    expect(of('task_reset')).toEqual([]);
  });
});
