import { existsSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { CI_FILES, CiProject, gateOf } from '../../../support/ci-project.ts';
import { further } from '../../../support/thorough.ts';
import { HONEST_CHANGE, testFile } from '../../../support/verified-project.ts';

const opened: CiProject[] = [];
afterEach(() => {
  for (const project of opened.splice(0)) project.cleanup();
});
function project(files: Readonly<Record<string, string>> = CI_FILES): CiProject {
  const made = new CiProject(files);
  opened.push(made);
  return made;
}

const NEW_TASK = `---
id: TASK-002
title: Subtract more
task_type: feature
complexity: 2
removes_tests: true
verify:
  tests:
    command: "true"
---
## Acceptance Criteria
- AC-007: subtracts twice
`;

describe('guardkit ci', () => {
  it('[CI-1] passes an honest branch on a fresh clone with an empty data folder, and decides tested only', async () => {
    const calc = project();
    calc.write(HONEST_CHANGE);
    calc.commit('Subtract\n\nGuardkit-Task: TASK-001');
    const runner = calc.clone();
    const result = await calc.json([], { in: runner });
    expect(result).toMatchObject({
      exitCode: 0,
      outcome: 'pass',
      head: calc.git('rev-parse', 'work'),
      base: calc.git('rev-parse', 'main'),
      claims: [{ claim: 'on-base', id: 'TASK-001', tested: true, outcome: 'pass' }],
      findings: [],
    });
    expect(result.claims[0]).not.toHaveProperty('approved');
    expect(existsSync(calc.sandbox.home)).toBe(false);
    expect(calc.sandbox.git(runner, 'worktree', 'list').split('\n')).toHaveLength(1);
    expect(calc.sandbox.git(runner, 'status', '--porcelain')).toBe('');
  });

  further('runs the project’s own checks and gates for a branch that claims nothing', async () => {
    const calc = project();
    calc.write({ 'src/add.js': 'export const add = (a, b) => b + a;\n' });
    calc.commit('Tidy');
    const honest = await calc.json();
    expect(honest).toMatchObject({
      exitCode: 0,
      claims: [{ claim: 'project', tested: false, outcome: 'pass' }],
    });
    calc.remove('test/add.test.js');
    calc.commit('Less');
    const { claims, exitCode } = await calc.json();
    expect(exitCode).toBe(1);
    expect(gateOf(claims[0]?.gates ?? [], 'no-test-lost')).toMatchObject({ result: 'fail', required: true });
  });

  further(
    'judges a task that the branch adds by the base’s gates, without its own commands and exceptions',
    async () => {
      const calc = project();
      calc.write({ ...HONEST_CHANGE, 'tasks/TASK-002.md': NEW_TASK });
      calc.commit('Subtract');
      const { claims, exitCode } = await calc.json();
      expect(exitCode).toBe(0);
      expect(claims).toMatchObject([{ claim: 'added', id: 'TASK-002', criteria: [{ id: 'AC-007' }] }]);
      const { stdout } = await calc.ci(['--format', 'text']);
      expect(stdout.indexOf('AC-007')).toBeLessThan(stdout.indexOf('new-tests-bite'));
      calc.remove('test/add.test.js');
      calc.commit('Less');
      const less = await calc.json();
      expect(gateOf(less.claims[0]?.gates ?? [], 'no-test-lost').result).toBe('fail');
      expect(less.exitCode).toBe(1);
    },
  );

  further('treats added tasks as plans on a branch that changes nothing else', async () => {
    const calc = project();
    calc.write({ 'tasks/TASK-002.md': NEW_TASK });
    calc.commit('Plan');
    const { claims } = await calc.json();
    expect(claims).toMatchObject([{ claim: 'project' }]);
  });

  further('does not let a claim for an easier task excuse failing tests', async () => {
    const docs = `---\nid: TASK-003\ntitle: Docs\ntask_type: documentation\ncomplexity: 1\n---\n## Acceptance Criteria\n- AC-001: described\n`;
    const calc = project({ ...CI_FILES, 'tasks/TASK-003.md': docs });
    calc.write({ 'src/add.js': 'export const add = () => 0;\n', 'README.md': 'described\n' });
    calc.commit('Docs\n\nGuardkit-Task: TASK-003');
    const { claims, exitCode } = await calc.json();
    expect(exitCode).toBe(1);
    expect(gateOf(claims[0]?.gates ?? [], 'tests')).toMatchObject({ result: 'fail', required: true });
  });

  further('writes a summary, annotations and a JUnit file that name the failing test', async () => {
    const calc = project();
    calc.write({ 'test/sub.test.js': testFile('fails | here', 'add', 'add(1, 2)', '4') });
    calc.commit('Fail');
    const reports = calc.sandbox.path('reports');
    const { stdout, exitCode } = await calc.ci(['--reports', reports]);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^::error file=test\/sub\.test\.js,.*title=GuardKit tests::fails \| here/m);
    expect(readFileSync(calc.sandbox.path('summary.md'), 'utf8')).toContain('| ✗ | tests |');
    expect(readFileSync(`${reports}/junit.xml`, 'utf8')).toContain('<failure message=');
    const quality = JSON.parse(readFileSync(`${reports}/gl-code-quality-report.json`, 'utf8'));
    expect(quality).toContainEqual(
      expect.objectContaining({
        check_name: 'guardkit-tests',
        location: expect.objectContaining({ path: 'test/sub.test.js' }),
      }),
    );
  });
});
