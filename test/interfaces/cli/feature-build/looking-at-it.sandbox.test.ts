import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectFailure } from '../../../support/expect-failure.ts';
import { rows } from '../../../support/thorough.ts';
import { calculator, LONG_WAY, MULTIPLY } from './calculator.ts';

const project = calculator();
const T = (number: number) => `TURN-FEAT-CALC-TASK-001-T${number}`;

beforeAll(async () => {
  const tasks = { 'TASK-001': { turns: LONG_WAY }, 'TASK-002': { turns: [MULTIPLY] } };
  const { exitCode } = await project.build({ tasks }, ['FEAT-CALC']);
  expect(exitCode).toBe(0);
});
afterAll(() => project.cleanup());

async function text(...args: string[]): Promise<string> {
  const { stdout, stderr, exitCode } = await project.guardkit(args);
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  return stdout;
}

async function json(...args: string[]) {
  return JSON.parse(await text(...args, '--json'));
}

describe('guardkit turns', () => {
  it('shows every turn with decisions, criteria, gates, duration and cost', async () => {
    const shown = await text('turns', 'FEAT-CALC');
    expect(shown).toMatch(/^TASK-001 .*FEAT-CALC.* approved .*\b4\b.*\$0\.70$/m);
    expect(shown).toMatch(/^TASK-002 .*FEAT-CALC.* approved .*\b1\b[^$]+$/m);
    const [, first = '', second = ''] = shown.split(/^ {2}(?=T\d)/m);
    expect(first).toMatch(/^T1 +fresh_start .*implemented.*feedback.*approved.* s, \$0\.25\n/);
    expect(first).toContain('\n      ○ AC-001\n');
    expect(first).toContain('✓ tests  ✗ coverage  ✓ harness  ✗ new-tests-bite');
    expect(second).toMatch(/^T2 +continuing_work .*implemented.*rejected/);
    expect(second).toContain('\n      ✗ AC-001\n');
    expect(second).toContain('Refuse text instead of numbers');
    expect(shown).toContain('It is not said which error is wanted');
  });

  it('gives programs the whole turns, with the commit and what code changed', async () => {
    const { tasks } = await json('turns', 'TASK-001');
    expect(tasks).toHaveLength(1);
    expect(tasks[0]).toMatchObject({ feature: 'FEAT-CALC', task: 'TASK-001', outcome: 'approved' });
    expect(tasks[0].turns.map(({ id }: { id: string }) => id)).toEqual([1, 2, 3, 4].map(T));
    expect(tasks[0].turns[0]).toMatchObject({
      coach_decision: 'feedback',
      coach_said: 'approved',
      overridden_because: expect.arrayContaining([expect.stringContaining('coverage')]),
      commit: project.git('rev-parse', 'refs/guardkit/FEAT-CALC/TASK-001/T1'),
      cost_usd: 0.25,
      cut_off: false,
      gates: expect.arrayContaining([
        expect.objectContaining({ gate: 'coverage', result: 'fail', required: true }),
      ]),
    });
    expect(tasks[0].turns[3].moved).toEqual({ 'AC-001': 'forward' });
  });

  it('answers without memory', async () => {
    const env = { GUARDKIT_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
    for (const args of [
      ['turns', 'TASK-001'],
      ['explain', 'TASK-001'],
      ['turns', 'diff', 'TASK-001', '1', '2'],
    ]) {
      const { stdout, exitCode } = await project.guardkit(args, { env });
      expect({ exitCode, said: stdout === (await text(...args)) }).toEqual({ exitCode: 0, said: true });
    }
  });

  it.each(
    rows(3, [
      ['what was never built', ['turns', 'TASK-003'], 1, 'turns.none TASK-003 TASK-00'],
      ['two ids', ['turns', 'TASK-001', 'TASK-002'], 2, 'usage'],
      ['one turn to compare', ['turns', 'diff', T(1)], 2, 'usage'],
      [
        'numbers of no task',
        ['turns', 'diff', '1', '2'],
        2,
        `turns.several ${T(1)} TURN-FEAT-CALC-TASK-002-T1`,
      ],
      ['a turn that is not there', ['turns', 'diff', 'TASK-001', '1', '9'], 2, 'turns.unknown 9'],
      ['a feature of several tasks', ['explain', 'FEAT-CALC'], 2, 'explain.several TASK-001 TASK-002'],
    ]),
  )('refuses %s', async (_case, args, exit, expected) => {
    const { stdout, exitCode } = await project.guardkit([...args, '--json']);
    expectFailure({ exitCode, ...JSON.parse(stdout).error }, expected);
    expect(exitCode).toBe(exit);
  });
});

describe('guardkit turns diff', () => {
  it('shows files, criteria, gates and feedback that changed', async () => {
    const shown = await text('turns', 'diff', T(1), T(2));
    expect(shown).toContain(`${T(1)} (feedback) → ${T(2)} (rejected)`);
    expect(shown).toContain('\n  test/sub.test.js  +5 -0\n');
    expect(shown).toContain('\n  AC-001: in_progress → rejected\n');
    expect(shown).toContain('\n  coverage: fail → pass, 100.0%');
    expect(shown).toContain('\n  tests_passed: 1 → 2\n');
    expect(shown).toMatch(/\n.* Good .*\n.* Refuse text/);
  });

  it.each([[['TASK-001', '2', '3']], [['T2', 'T3', '--task', 'TASK-001']], [[T(2), T(3)]]])(
    'takes the turns as %j, and says when the feedback is the same',
    async (args) => {
      const compared = await json('turns', 'diff', ...args);
      expect(compared).toMatchObject({
        from: T(2),
        to: T(3),
        files: [{ path: 'src/sub.js', added: 1, removed: 1 }],
        criteria: [],
        gates: [],
        feedback: { same: true },
      });
    },
  );
});

describe('guardkit explain', () => {
  it('opens with what was tried last and why it failed, then why it took so long', async () => {
    const shown = await text('explain', 'TASK-001');
    const at = (part: string) => {
      expect(shown).toContain(part);
      return shown.indexOf(part);
    };
    const places = [
      at('TASK-001'),
      at('Converted both operands\n'),
      at('Refuse text'),
      at('coverage'),
      at('AC-001'),
      at('It is not said which error is wanted'),
      at('`guardkit feature complete FEAT-CALC`'),
    ];
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(shown).toMatch(
      /\$0\.25 \((?:planner .+ s, )?player .+ s \$0\.20, gates .+ s, coach .+ s \$0\.05, guardkit /,
    );
  });

  it('gives the same to programs', async () => {
    expect(await json('explain', 'TASK-001')).toMatchObject({
      task: 'TASK-001',
      outcome: 'approved',
      turns: 4,
      approved_in: 4,
      last_failure: { turn: 3, decision: 'rejected' },
      causes: {
        repeated_feedback: [{ turns: [2, 3] }],
        overridden_approvals: [{ turn: 1 }],
        gates: [
          { gate: 'coverage', turns: [1] },
          { gate: 'new-tests-bite', turns: [1] },
        ],
        blockers: [{ text: 'It is not said which error is wanted', turns: [3] }],
      },
      spent: { usd: expect.closeTo(0.7), by_turn: { length: 4 } },
    });
  });
});

describe('the searches of the turn state tracking guide, after a real build', () => {
  const search = async (...args: string[]) => {
    const [head = '', , ...lines] = (
      await text('graphiti', 'search', ...args, '--group', 'turn_states')
    ).split('\n');
    return { head, lines: lines.filter((line) => line !== '') };
  };

  it.each(
    rows(3, [
      ['turn FEAT-CALC', 5, [/FEAT-CALC/, /FEAT-CALC/, /FEAT-CALC/, /FEAT-CALC/, /FEAT-CALC/]],
      ['turn TASK-002', 5, [/TASK-002 turn 1: coach_decision=approved/]],
      ['turn_state', 5, []],
      ['coach_decision rejected', 5, [/coach_decision=rejected/, /coach_decision=rejected/]],
      ['coach_decision approved', 5, [/coach_decision=approved/, /coach_decision=approved/]],
      ['coach_feedback TASK-001', 5, [/TASK-001/, /TASK-001/, /TASK-001/, /TASK-001/]],
      ['blockers TASK-001', 5, [/TASK-001 turn 3/]],
      ['turn TASK-001 turn 2', 5, [/TASK-001 turn 2/]],
      [T(2), 1, [/^1\. \[1\.00\] turn_state FEAT-CALC TASK-001 turn 2/]],
    ]),
  )('%s', async (query, atLeast, first) => {
    const { head, lines } = await search(query, '--limit', '10');
    expect(head).toContain(`'${query}'`);
    expect(lines.length).toBeGreaterThanOrEqual(atLeast);
    for (const [index, pattern] of first.entries()) expect(lines[index]).toMatch(pattern);
  });

  it('answers the short id with the turns of every task', async () => {
    const { lines } = await search('TURN-FEAT-CALC-1');
    expect(
      lines
        .slice(0, 2)
        .map((line) => /\[1\.00\].*(TASK-00\d) turn 1/.exec(line)?.[1])
        .sort(),
    ).toEqual(['TASK-001', 'TASK-002']);
  });

  it('counts the turns under Learning', async () => {
    const learning = (await text('graphiti', 'status', '--verbose')).split('\nLearning:\n')[1] ?? '';
    expect(learning).toContain('  • turn_states: 5\n');
    expect(learning).toContain('  • task_outcomes: 2\n');
  });

  it('has a line in the log for every turn that was captured', () => {
    expect(project.log().match(/turn state captured/g)).toHaveLength(5);
  });
});
