import { afterEach, describe, expect, it } from 'vitest';
import { changedPaths } from '../../../src/platform/git/git-tree.ts';
import { Repository } from '../../../src/platform/git/repository.ts';
import { judgeBranch } from '../../../src/verification/ci/branch-gates.ts';
import { type Branch, findBranch } from '../../../src/verification/ci/find-branch.ts';
import { findClaims } from '../../../src/verification/ci/find-claims.ts';
import { findBranchChanges, Waivers } from '../../../src/verification/ci/find-rule-changes.ts';
import { workOfCommit } from '../../../src/verification/ci/work-of-commit.ts';
import { CiProject } from '../../support/ci-project.ts';
import { further, rows } from '../../support/thorough.ts';

const opened: CiProject[] = [];
afterEach(() => {
  for (const project of opened.splice(0)) project.cleanup();
});
function project(): CiProject {
  const made = new CiProject();
  opened.push(made);
  return made;
}

const MAIN = { revisions: ['refs/remotes/origin/main'], why: 'main' };

async function branchOf(calc: CiProject): Promise<{ repository: Repository; branch: Branch }> {
  const repository = await Repository.open(calc.sandbox.path(calc.clone()));
  return { repository, branch: await findBranch(repository, undefined, MAIN) };
}

async function claimsOf(calc: CiProject, asked: readonly string[] = []) {
  const { repository, branch } = await branchOf(calc);
  const work = {
    base: workOfCommit(repository, branch.base.commit, undefined),
    head: workOfCommit(repository, branch.head, undefined),
    hasChanges: true,
    changed: new Set(
      (await changedPaths(repository, branch.base.commit, branch.head)).map(({ path }) => path),
    ),
  };
  return findClaims(repository, branch, work, asked);
}

async function rulesGate(calc: CiProject) {
  const { repository, branch } = await branchOf(calc);
  const waivers = await Waivers.read(repository, branch.base.commit, Date.now());
  const changes = await findBranchChanges(repository, { ...branch, base: branch.base.commit }, waivers);
  const gates = judgeBranch({ faulty: [], changes, waivers, secrets: { found: [], skipped: [] } });
  return { changes, gate: gates.find(({ gate }) => gate === 'rules') };
}

const task = (id: string) => `---\nid: ${id}\ntitle: A task\n---\n## Acceptance Criteria\n- AC-001: works\n`;

describe('the base of a branch', () => {
  it('is where it left its target, whatever was merged there since', async () => {
    const calc = project();
    const left = calc.git('rev-parse', 'main');
    calc.write({ 'a.txt': 'a' });
    calc.commit('Work');
    calc.git('checkout', '--quiet', 'main');
    calc.write({ 'b.txt': 'b' });
    calc.commit('Other');
    const { branch } = await branchOf(calc);
    expect(branch).toMatchObject({
      head: calc.git('rev-parse', 'work'),
      base: { commit: left },
      target: calc.git('rev-parse', 'main'),
    });
  });

  it('is not guessed in a shallow clone, without a base, or with another history', async () => {
    const calc = project();
    calc.write({ 'a.txt': 'a' });
    calc.commit('Work');
    calc.git('checkout', '--quiet', '--orphan', 'other');
    calc.commit('Other');
    const shallow = await Repository.open(calc.sandbox.path(calc.clone('--depth', '1')));
    await expect(findBranch(shallow, undefined, MAIN)).rejects.toMatchObject({
      code: 'ci.shallow-clone',
      exitCode: 2,
    });
    const whole = await Repository.open(calc.sandbox.path(calc.clone()));
    const gone = { revisions: ['refs/remotes/origin/gone'], why: '' };
    await expect(findBranch(whole, undefined, gone)).rejects.toMatchObject({
      code: 'ci.no-base',
      exitCode: 2,
    });
    await expect(findBranch(whole, '--output=/tmp/x', undefined)).rejects.toMatchObject({
      code: 'ci.no-base',
      exitCode: 2,
    });
    await expect(findBranch(whole, 'origin/other', undefined)).rejects.toMatchObject({
      code: 'ci.unrelated-base',
      exitCode: 2,
    });
  });
});

describe('claims', () => {
  it('come from trailers of every commit, from options, and from tasks that the branch adds', async () => {
    const calc = project();
    calc.write({ 'tasks/TASK-002.md': task('TASK-002'), 'tasks/deep/TASK-003.md': task('TASK-003') });
    calc.commit('One\n\nGuardkit-Task: TASK-001\nSigned-off-by: x <x@example.invalid>');
    calc.sandbox.commit('calc', 'Two\n\nguardkit-task: TASK-003, TASK-001');
    const { claims, faulty } = await claimsOf(calc, ['TASK-002']);
    expect(claims.map(({ id, type }) => [id, type])).toEqual([
      ['TASK-002', 'added'],
      ['TASK-003', 'added'],
      ['TASK-001', 'on-base'],
    ]);
    expect(faulty).toEqual([]);
  });

  further('do not come from text that only looks like a trailer', async () => {
    const calc = project();
    calc.sandbox.commit(
      'calc',
      'Guardkit-Task: TASK-001\n\nGuardkit-Task: TASK-001 is what I mean.\n\nMore text.',
    );
    expect((await claimsOf(calc)).claims).toMatchObject([{ type: 'project' }]);
  });

  it.each(
    rows(3, [
      ['an unknown task', 'TASK-999', 'unknown'],
      ['an option of git', '--output=/tmp/x', 'not-an-id'],
      ['a name of every object', '__proto__', 'not-an-id'],
      ['a path', '../../etc/passwd', 'not-an-id'],
      ['a command of the log', '::error::x', 'not-an-id'],
      ['markup', '<img src=x>', 'not-an-id'],
      ['a very long text', 'T'.repeat(5000), 'not-an-id'],
    ]),
  )('with %s are refused, and named', async (_, value, code) => {
    const calc = project();
    calc.sandbox.commit('calc', `Work\n\nGuardkit-Task: ${value}`);
    const { faulty } = await claimsOf(calc);
    expect(faulty).toMatchObject([{ value: value.slice(0, 200), code }]);
  });

  further(
    'for a task with faults in its file are refused with the line, named by a trailer or not',
    async () => {
      const calc = project();
      const path = 'tasks/TASK-002.md';
      calc.write({ [path]: '---\nid: TASK-002\ntitle: A task\ncomplexity: 99\n---\n' });
      calc.commit('Work');
      const faults = [{ file: path, line: 4 }];
      expect((await claimsOf(calc)).faulty).toMatchObject([{ value: path, code: 'invalid', faults }]);
      calc.sandbox.commit('calc', 'More\n\nGuardkit-Task: TASK-002');
      expect((await claimsOf(calc)).faulty[0]).toMatchObject({ value: 'TASK-002', code: 'invalid', faults });
    },
  );
});

describe('rules that a branch changes', () => {
  it.each(
    rows(4, [
      ['rule', '.guardkit/config.yaml'],
      ['rule', '.GuardKit/config.yaml'],
      ['waiver', '.guardkit/waivers/mine.yaml'],
      ['workflow', '.github/workflows/other.yml'],
      ['rule', '.guardkit/config/quality-gates.yaml'],
      ['rule', '.guardkit/guards/mine.yaml'],
      ['rule', '.guardkit/a\n::error::b'],
      ['workflow', '.gitlab-ci.yml'],
      ['workflow', 'Jenkinsfile'],
    ]),
  )('[CI-2] fail the gate: %s %j', async (code, path) => {
    const calc = project();
    calc.write({ [path]: 'x: 1\n' });
    calc.commit('Change');
    const { gate, changes } = await rulesGate(calc);
    expect(gate).toMatchObject({ result: 'fail', required: true, code });
    expect(changes.rules.map((rule) => rule.path)).toEqual([path]);
  });

  it('[CI-2] fail the gate also if the folder is gone, or is a link', async () => {
    const calc = project();
    calc.git('mv', '.guardkit', 'elsewhere');
    calc.git(
      'update-index',
      '--add',
      '--cacheinfo',
      `120000,${calc.git('hash-object', '-w', 'package.json')},.guardkit`,
    );
    calc.sandbox.commit('calc', 'Link');
    const { changes, gate } = await rulesGate(calc);
    expect(gate?.result).toBe('fail');
    expect(changes.rules.map(({ path }) => path)).toContain('.guardkit');
  });

  further('are not new tasks, nor a task moved to another folder', async () => {
    const calc = project();
    calc.write({ 'tasks/TASK-002.md': task('TASK-002'), '.guardkit/features/FEAT-A.yaml': 'id: FEAT-A\n' });
    calc.git('mv', 'tasks/TASK-001-subtract.md', 'tasks/TASK-001.md');
    calc.commit('Plan');
    const { gate, changes } = await rulesGate(calc);
    expect(gate?.result).toBe('pass');
    expect(changes.work.map(({ path }) => path)).toEqual(['tasks/TASK-001-subtract.md']);
  });
});
