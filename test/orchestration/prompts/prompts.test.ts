import { describe, expect, it } from 'vitest';
import { coachPrompt } from '../../../src/orchestration/prompts/coach-prompt.ts';
import { planningPrompt } from '../../../src/orchestration/prompts/planning-prompt.ts';
import { playerPrompt } from '../../../src/orchestration/prompts/player-prompt.ts';
import { resolveQualityGates } from '../../../src/rules/resolve-quality-gates.ts';
import { resolveRoleConstraints } from '../../../src/rules/resolve-role-constraints.ts';
import { BARE } from '../../rules/rule-sources-fixture.ts';
import { aGate, aReport, aTurn, CRITERIA, someEvidence, TESTS } from '../turn-fixture.ts';

const TASK = {
  featureId: 'FEAT-AUTH',
  id: 'TASK-AUTH-001',
  title: 'Log in',
  text: 'Users log in by name.\n\nAs before.',
};

const REJECTED = aTurn({
  player_summary: 'Added the login',
  coach_decision: 'rejected',
  coach_feedback: 'Wrong passwords are let in.',
  acceptance_criteria_status: { 'AC-001': 'rejected' },
});

const PLAYER = {
  role: resolveRoleConstraints(BARE, 'player'),
  task: TASK,
  turn: 3,
  maxTurns: 5,
  mode: 'continuing_work' as const,
  plan: '# Plan\n\n1. Write src/login.js',
  criteria: CRITERIA,
  statuses: { 'AC-001': 'rejected' as const },
  turns: [
    aTurn({ player_summary: 'Drafted it', coach_decision: 'feedback' }),
    { ...REJECTED, turn_number: 2 },
  ],
  failedApproaches: [
    {
      feature_id: 'FEAT-AUTH',
      task_id: null,
      turn_number: 1,
      approach: 'Comparing passwords as text',
      why_it_failed: 'they are hashed',
      what_to_do_instead: 'Compare hashes.',
    },
  ],
  recovery: undefined,
  architecture: undefined,
  budgetTokens: 20_000,
};

const COACH = {
  role: resolveRoleConstraints(BARE, 'coach'),
  gates: resolveQualityGates(BARE, 'feature', 5),
  task: TASK,
  turn: 2,
  maxTurns: 5,
  criteria: CRITERIA,
  statuses: {},
  turns: [REJECTED],
  evidence: someEvidence({
    gates: [aGate('tests', 'fail', { warnings: ['1 skipped'] }), aGate('ui', 'absent', { required: false })],
    tests: [
      ...TESTS,
      {
        name: 'login > refuses a wrong password',
        file: 'test/login.test.js',
        status: 'failed',
        message: 'expected false',
      },
      { name: 'login > by mail', file: 'test/login.test.js', status: 'skipped' },
    ],
    checks: [{ name: 'api answers', result: 'pass', reason: '200' }],
  }),
  notRun: undefined,
  diff: '--- a/src/login.js\n+++ b/src/login.js\n@@ -1 +1 @@\n-old\n+new',
  report: aReport({ summary: 'All done!', files_modified: ['src/login.js'], tests_passed: 9 }),
  noReport: undefined,
  honesty: ["The report says that 9 tests passed; GuardKit's own run has 3."],
  architecture: undefined,
  budgetTokens: 20_000,
};

describe('the Player’s prompt', () => {
  it('has role, task, plan, criteria, earlier turns and failed approaches', () => {
    const { text, leftOut, injected } = playerPrompt(PLAYER);
    expect(text).toMatchSnapshot();
    expect(leftOut).toEqual([]);
    expect(injected).toEqual([
      'role',
      'turn',
      'task',
      'task text',
      'plan',
      'criteria',
      'previous turn',
      'earlier turns',
      'failed approaches',
      'answer',
    ]);
  });

  it('of a fresh start has no earlier turn', () => {
    const { text, injected } = playerPrompt({ ...PLAYER, mode: 'fresh_start' });
    expect(injected).not.toContain('previous turn');
    expect(text).not.toContain('Wrong passwords');
  });

  it('of a recovering turn lists the files on disk', () => {
    const recovery = {
      unfinishedTurn: 2,
      head: 'abc1234 TASK-AUTH-001 turn 1',
      committed: [{ path: 'src/login.js', change: 'added' as const }],
      uncommitted: [{ path: 'src/half.js', change: 'modified' as const }],
    };
    const { text } = playerPrompt({ ...PLAYER, mode: 'recovering_state', recovery });
    expect(text.slice(text.indexOf('## Recovery'), text.indexOf('## Previous Turn'))).toMatchInlineSnapshot(`
      "## Recovery: Files on Disk
      Turn 2 was cut off. Read the existing work before you change it. Keep what is right; fix or remove what is unfinished.
      Last commit: abc1234 TASK-AUTH-001 turn 1
      Differs from the base: 1 file.
      Uncommitted: 1 file.
      - modified, uncommitted: src/half.js
      - added: src/login.js

      "
    `);
    expect(playerPrompt({ ...PLAYER, recovery }).text).not.toContain('## Recovery');
  });

  it('has no role section if the role has no constraints', () => {
    const lists = { must_do: [], must_not_do: [], ask_before: [], escalate_when: [] };
    const role = { role: 'player' as const, lists, removed: [], unmatched: [] };
    expect(playerPrompt({ ...PLAYER, role }).injected).not.toContain('role');
  });
});

describe('the Coach’s prompt', () => {
  it('has role, gates, the previous turn and the evidence', () => {
    const { text, leftOut, injected } = coachPrompt(COACH);
    expect(text).toMatchSnapshot();
    expect(leftOut).toEqual([]);
    expect(injected).toContain('gate results');
  });

  it('forbids an approval if the gates could not be run', () => {
    const { text } = coachPrompt({ ...COACH, evidence: undefined, notRun: 'set-up failed' });
    expect(text).toContain('set-up failed');
  });

  it('accepts a file as evidence only if no tests are required', () => {
    const answer = (text: string) => text.slice(text.lastIndexOf('\n## '));
    const gates = resolveQualityGates(BARE, 'documentation', 2);
    expect(answer(coachPrompt({ ...COACH, gates }).text)).toMatch(/\bfile\b/);
    expect(answer(coachPrompt(COACH).text)).not.toBe(answer(coachPrompt({ ...COACH, gates }).text));
  });

  it('shows both versions of a test whose base version fails', () => {
    const changed = {
      name: 'locks after five attempts',
      file: 'test/login.test.js',
      outcome: 'fails' as const,
      message: 'expected 5',
      changedFiles: ['test/login.test.js'],
      accepted: false,
      before: 'assert.equal(attempts, 5)',
      after: 'assert.ok(attempts)',
    };
    const { text, injected } = coachPrompt({ ...COACH, evidence: someEvidence({ changedTests: [changed] }) });
    expect(injected).toContain('changed tests');
    for (const part of [changed.before, changed.after, changed.message]) expect(text).toContain(part);
  });

  it('lists the tests of the change first', () => {
    const tests = [{ name: 'old', file: 'test/old.test.js', status: 'passed' as const }, ...TESTS];
    const { text } = coachPrompt({ ...COACH, evidence: someEvidence({ tests }) });
    expect(text.indexOf('accepts a known user')).toBeLessThan(text.indexOf('old.test.js > old'));
  });
});

it('the planner’s prompt asks for a plan with a test for every criterion', () => {
  const { text } = planningPrompt({
    task: TASK,
    gates: COACH.gates,
    criteria: CRITERIA,
    failedApproaches: [],
    architecture: undefined,
    budgetTokens: 20_000,
  });
  expect(text).toMatchSnapshot();
});
