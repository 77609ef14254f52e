import { afterEach, beforeEach, expect, test } from 'vitest';
import { APPROVAL, HONEST_PLAYER, LIGHT_FILES } from '../../../support/build-project.ts';
import { further } from '../../../support/thorough.ts';
import { VerifiedProject } from '../../../support/verified-project.ts';

let project: VerifiedProject;
beforeEach(() => {
  project = new VerifiedProject(LIGHT_FILES);
});
afterEach(() => project.cleanup());

function work(turn: object, ...args: string[]) {
  const scenario = project.sandbox.write('scenario.json', { turns: [turn] });
  const command = ['task-work', 'TASK-001', '--driver', 'script', '--scenario', scenario];
  return project.guardkit([...command, ...args]);
}

const groupsInMemory = async () => {
  const { stdout } = await project.guardkit(['graphiti', 'export']);
  const records = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { group?: string });
  return new Set(records.map(({ group }) => group));
};

test('one go that passes its gates: exit 0, the gates and the score, evidence in memory and no turn', async () => {
  const { exitCode, stdout, stderr } = await work({ player: HONEST_PLAYER, coach: { verdict: APPROVAL } });
  expect(stdout).toMatch(/^✓ TASK-001: /);
  expect(stdout).toMatch(/✓ tests +2\b/);
  expect(stdout).toMatch(/– arch-score +\d+;/);
  expect(stderr).toMatch(/\bdirect\b/);
  expect(exitCode).toBe(0);
  const groups = await groupsInMemory();
  expect(groups).toContain('calc-1234__evidence');
  expect(groups).not.toContain('calc-1234__turn_states');
  expect(groups).not.toContain('calc-1234__task_outcomes');
  const refs = project.git('for-each-ref', '--format=%(refname)', 'refs/guardkit/');
  expect(refs).toMatch(/^refs\/guardkit\/[^/]+\/TASK-001\/work-\d+$/);
});

further('gates that say no are exit 1, whatever the Player and the Coach say', async () => {
  const player = {
    write: { 'src/sub.js': 'export const sub = (a, b) => a - b;\n' },
    report: { decision: 'implemented', summary: 'All done', tests_passed: 12 },
  };
  const { exitCode, stdout } = await work({ player, coach: { verdict: APPROVAL } }, '--json');
  const answer = JSON.parse(stdout) as { outcome: string; gates: { gate: string }[]; honesty: string[] };
  expect(exitCode).toBe(1);
  expect(answer.outcome).not.toBe('pass');
  expect(answer.gates.map(({ gate }) => gate)).toContain('tests');
  expect(answer.honesty.join(' ')).toContain('12');
});

further('a Player that gives no report leaves nothing to verify', async () => {
  const { exitCode, stdout } = await work({ player: { fail: 'crash' } }, '--json');
  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ gates: [] });
});

further('a build afterwards begins with its first turn, on the work that is there', async () => {
  await work({ player: HONEST_PLAYER, coach: { verdict: APPROVAL } });
  const scenario = project.sandbox.write('scenario.json', {
    turns: [{ player: HONEST_PLAYER, coach: { verdict: APPROVAL } }],
  });
  const { stdout } = await project.guardkit([
    'feature-build',
    'TASK-001',
    '--driver',
    'script',
    '--scenario',
    scenario,
    '--json',
  ]);
  const { outcome, tasks } = JSON.parse(stdout) as {
    outcome: string;
    tasks: { turns: { turn_number: number }[] }[];
  };
  expect(outcome).toBe('approved');
  expect(tasks[0]?.turns.map(({ turn_number }) => turn_number)).toEqual([1]);
});
