import { describe, expect, it } from 'vitest';
import { explainTask } from '../../../src/orchestration/history/explain-task.ts';
import { aTurn } from '../turn-fixture.ts';
import { aHistory, judged, steps } from './task-history.ts';

const verdict = (decision: string) => ({ verdict: { decision }, no_verdict: '' });
const verdictStep = verdict('approved');

describe('explaining a task', () => {
  it('reports the last turn that was not approved, gates first', () => {
    const { lastFailure } = explainTask(
      aHistory([
        judged(1, { coach_feedback: 'Add a test.' }),
        judged(
          2,
          { coach_feedback: 'Still no test.', files_modified: ['src/a.js'] },
          {
            gates: { tests: 'fail', ui: 'absent' },
            reasons: { tests: '1 failed', ui: 'not marked' },
            honesty: ['Said 12.'],
          },
        ),
      ]),
    );
    expect(lastFailure).toEqual({
      turn: 2,
      tried: 'Try 2',
      files: ['src/a.js'],
      decision: 'feedback',
      why: [
        expect.stringMatching(/\btests\b.*: 1 failed$/),
        expect.stringContaining('Still no test.'),
        expect.stringContaining('Said 12.'),
      ],
    });
  });

  it('reports that an approval was turned down, and what was missing', () => {
    const turn = judged(
      1,
      { coach_feedback: 'The Coach approved, which does not hold yet.' },
      {
        overridden_because: [
          'gate tests failed: 1 failed',
          'criterion AC-001 is not verified: nothing shows it',
        ],
      },
    );
    const explained = explainTask(
      aHistory([turn], { steps: steps(1, { began: 0, judged: 1 }, { judged: verdict('approved') }) }),
    );
    expect(explained.lastFailure?.why).toEqual([
      expect.any(String),
      'criterion AC-001 is not verified: nothing shows it',
    ]);
    expect(explained.causes.overridden).toEqual([
      { turn: 1, because: turn.quality_gate_results?.overridden_because },
    ]);
  });

  it('finds repeated feedback in other words, and omits feedback given once', () => {
    const { causes } = explainTask(
      aHistory([
        judged(1, { coach_feedback: 'Add error handling for timeouts.' }),
        judged(2, { coach_feedback: 'Name the variables better.' }),
        judged(3, { coach_feedback: 'add ERROR handling, for timeouts' }),
        judged(4, { coach_feedback: 'Add error handling for timeouts.', coach_decision: 'approved' }),
      ]),
    );
    expect(causes.repeated).toEqual([{ feedback: 'add ERROR handling, for timeouts', turns: [1, 3] }]);
  });

  it('finds a criterion that was verified and later lost', () => {
    const status = (of: string) => ({ acceptance_criteria_status: { 'AC-001': of } });
    const { causes, whatToChange } = explainTask(
      aHistory([
        judged(1, status('verified')),
        judged(2, status('verified')),
        judged(3, status('rejected'), { regressions: ['AC-001: its test is gone'] }),
      ]),
    );
    expect(causes.movedBack).toEqual([
      { criterion: 'AC-001', verifiedIn: 1, lostIn: 3, why: 'its test is gone' },
    ]);
    expect(whatToChange[0]).toContain('`guardkit turns diff TASK-AUTH-001 2 3`');
  });

  it('distinguishes turns without a report, without a verdict and cut off', () => {
    const { causes, lastFailure } = explainTask(
      aHistory(
        [
          aTurn({
            turn_number: 1,
            player_decision: 'failed',
            blockers_found: ['The Player gave no report: crash'],
          }),
          judged(2, { coach_decision: null }),
          aTurn({ turn_number: 3, player_decision: null }),
        ],
        { steps: steps(3, { began: 0, planned: 1 }) },
      ),
    );
    expect(causes).toMatchObject({ silent: [1], unjudged: [2], cutOff: [3], blockers: [] });
    expect(lastFailure).toMatchObject({
      turn: 3,
      decision: 'cut off',
      why: [expect.stringContaining('planned')],
    });
  });

  it('leaves out turns before a reset', () => {
    const history = aHistory([
      judged(1, { coach_feedback: 'Same.' }),
      judged(2, { coach_feedback: 'Same.' }),
    ]);
    expect(explainTask({ ...history, resetAfter: 1 })).toMatchObject({
      turns: 1,
      turnsBeforeReset: 1,
      causes: { repeated: [] },
    });
    const { lastFailure, whatToChange } = explainTask({ ...history, resetAfter: 2 });
    expect(lastFailure).toBeNull();
    expect(whatToChange).toEqual([expect.stringContaining('`guardkit feature-build FEAT-AUTH`')]);
  });

  it('always ends with what to do next', () => {
    const blocked = judged(1, { acceptance_criteria_status: { 'AC-002': 'blocked' } });
    expect(explainTask(aHistory([blocked])).whatToChange).toEqual([
      expect.stringContaining('AC-002'),
      expect.stringContaining('guardkit feature-build FEAT-AUTH --resume'),
    ]);
    const focus = judged(1, { what_to_try_next: 'Cache the session' });
    expect(explainTask(aHistory([focus])).whatToChange[0]).toBe('Cache the session');
    const done = judged(1, { coach_decision: 'approved' });
    expect(explainTask(aHistory([done], { outcome: 'approved' })).whatToChange).toEqual([
      expect.stringContaining('guardkit feature complete FEAT-AUTH'),
    ]);
  });
});

describe('time and cost', () => {
  const played = {
    report: null,
    no_report: '',
    session: null,
    input_tokens: 5,
    output_tokens: 7,
    cost_usd: 0.3,
  };

  it('are reported by turn and by role', () => {
    const turn = judged(1, { duration_seconds: 61 }, { cost_usd: 0.6, input_tokens: 10, output_tokens: 20 });
    const { spent } = explainTask(
      aHistory([turn], {
        steps: steps(
          1,
          { began: 0, planned: 5, played: 35, committed: 36, verified: 56, judged: 60 },
          {
            planned: { end: 'answered', input_tokens: 1, output_tokens: 1, cost_usd: 0.1 },
            played,
            judged: { ...verdictStep, cost_usd: 0.2 },
          },
        ),
      }),
    );
    expect(spent).toMatchObject({ seconds: 61, usd: 0.6, inputTokens: 10, outputTokens: 20 });
    expect(spent.parts).toEqual({
      planner: { seconds: 5, usd: 0.1 },
      player: { seconds: 30, usd: 0.3 },
      guardkit: { seconds: 1, usd: null },
      gates: { seconds: 20, usd: null },
      coach: { seconds: 4, usd: 0.2 },
    });
  });

  it('include cancelled agents by role, even in an unfinished turn', () => {
    const open = aTurn({ player_decision: null });
    const cancelled = { role: 'player', input_tokens: 4, output_tokens: 6, cost_usd: 0.25 };
    const planned = { end: 'answered', input_tokens: 1, output_tokens: 1, cost_usd: 0.5 };
    const { spent } = explainTask(
      aHistory([open], {
        steps: steps(1, { began: 0, planned: 2, cancelled: 12 }, { planned, cancelled }),
      }),
    );
    expect(spent).toMatchObject({ usd: 0.75, inputTokens: 5, outputTokens: 7 });
    expect(spent.parts).toMatchObject({
      planner: { seconds: 2, usd: 0.5 },
      player: { seconds: 10, usd: 0.25 },
    });
  });

  it('have no cost if no agent reported one', () => {
    expect(explainTask(aHistory([judged(1)])).spent.usd).toBeNull();
  });
});
