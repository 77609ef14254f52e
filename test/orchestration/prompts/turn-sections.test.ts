import { describe, expect, it } from 'vitest';
import { criteriaSection } from '../../../src/orchestration/prompts/task-sections.ts';
import {
  coachPreviousTurnSection,
  earlierTurnsSection,
  previousTurnSection,
  splitTurns,
} from '../../../src/orchestration/prompts/turn-history-sections.ts';
import { aTurn, CRITERIA } from '../turn-fixture.ts';

const STATUSES = { 'AC-001': 'completed', 'AC-002': 'in_progress', 'AC-003': 'not_started' };

describe('the previous turn for the Player [BUILD-6]', () => {
  it('is in the format of the guide', () => {
    const turn = aTurn({
      player_summary: 'Implemented OAuth2 authentication',
      coach_decision: 'feedback',
      coach_feedback: 'Add session caching for performance',
      acceptance_criteria_status: STATUSES,
    });
    expect(previousTurnSection(turn, CRITERIA)).toMatchInlineSnapshot(`
      "## Previous Turn Summary (Turn 1)
      **What was attempted**: Implemented OAuth2 authentication
      **Player decision**: implemented
      **Coach decision**: feedback

      **Coach feedback**: Add session caching for performance

      **Acceptance Criteria Status**:
        ✓ AC-001: User can log in: verified
        ○ AC-002: Session persists: in_progress
        ○ AC-003: Rate limiting: pending"
    `);
  });

  it('has lines for blockers, lessons and the suggested focus, if there are any', () => {
    const turn = aTurn({
      coach_decision: 'feedback',
      blockers_found: ['No Redis here', 'No network'],
      lessons_from_turn: ['The token is opaque', 'Clocks differ'],
      what_to_try_next: 'Cache in memory',
      quality_gate_results: {
        gates: { tests: 'pass', coverage: 'fail' },
        reasons: { coverage: '41% of changed lines' },
        honesty: ['The report says that 5 tests passed; GuardKit has 3.'],
      },
    });
    expect(previousTurnSection(turn, CRITERIA)).toMatchInlineSnapshot(`
      "## Previous Turn Summary (Turn 1)
      **What was attempted**: not recorded
      **Player decision**: implemented
      **Coach decision**: feedback
      **Blockers found**: No Redis here, No network
      **Lessons learned**: The token is opaque; Clocks differ
      **Suggested focus for this turn**: Cache in memory
      **Gates that did not pass**: coverage fail (41% of changed lines)
      **False claims in the report**: The report says that 5 tests passed; GuardKit has 3."
    `);
  });

  it('sets a rejection apart, with its whole feedback', () => {
    const turn = aTurn({
      turn_number: 2,
      player_summary: 'Added session caching',
      coach_decision: 'rejected',
      coach_feedback:
        'Missing error handling. Specifically:\n- No validation for session tokens\n- No timeout for the cache',
    });
    expect(previousTurnSection(turn, CRITERIA)).toMatchInlineSnapshot(`
      "## Previous Turn Summary (Turn 2)
      **What was attempted**: Added session caching
      **Player decision**: implemented
      **Coach decision**: REJECTED

      **Coach feedback**: Missing error handling. Specifically:

      Last Turn Feedback (MUST ADDRESS):
      \`\`\`coach
      Missing error handling. Specifically:
      - No validation for session tokens
      - No timeout for the cache
      \`\`\`"
    `);
  });

  it('sets one-line feedback apart unchanged', () => {
    const turn = aTurn({ coach_decision: 'rejected', coach_feedback: 'Missing error handling' });
    expect(previousTurnSection(turn, [])).toMatch(/\(MUST ADDRESS\):\nMissing error handling$/m);
  });

  it('shows ✓ for verified, ✗ for rejected and failed, ○ for the rest', () => {
    const statuses = {
      A: 'verified',
      B: 'rejected',
      C: 'failed',
      D: 'blocked',
      E: 'pending',
      F: 'in_progress',
    };
    const text = previousTurnSection(aTurn({ acceptance_criteria_status: statuses }), []);
    expect(
      text
        .split('\n')
        .slice(-6)
        .map((line) => line.trim().charAt(0)),
    ).toEqual([...'✓✗✗○○○']);
  });

  it('says so when the turn was cut off', () => {
    expect(previousTurnSection(aTurn({ player_decision: null }), [])).not.toBe(
      previousTurnSection(aTurn({}), []),
    );
  });
});

it('earlier turns take one line each', () => {
  const turns = [
    aTurn({
      player_summary: 'Added\nthe login',
      coach_decision: 'rejected',
      coach_feedback: 'No tests\n- at all',
      acceptance_criteria_status: STATUSES,
    }),
    aTurn({ turn_number: 2, player_decision: null }),
  ];
  expect(earlierTurnsSection(turns).render(Number.POSITIVE_INFINITY).text).toMatchInlineSnapshot(`
    "## Earlier Turns
    - Turn 1: implemented, rejected, 1 of 3 verified | Added the login | Feedback: No tests - at all
    - Turn 2: cut off, not judged"
  `);
  expect(earlierTurnsSection([]).render(Number.POSITIVE_INFINITY).text).toBe('');
});

it('the Coach gets the previous turn in the format of the specification', () => {
  const turn = aTurn({
    turn_number: 2,
    player_summary: 'Player implemented authentication middleware.',
    acceptance_criteria_status: { 'AC-001': 'verified', 'AC-002': 'pending' },
    coach_decision: 'revise',
    coach_feedback: 'missing session timeout handling',
  });
  expect(coachPreviousTurnSection(turn, 5)).toMatchInlineSnapshot(`
    "## Previous Turn Context (Turn 2 of 5)
    Player implemented authentication middleware.
    AC status: {AC-001: verified, AC-002: pending}
    Blockers: None
    Coach decision: FEEDBACK — missing session timeout handling"
  `);
});

it('criteria are shown with status and details', () => {
  const criteria = [
    { id: 'AC-001', text: 'User can log in', detail: 'by name\nor by mail' },
    ...CRITERIA.slice(1),
  ];
  expect(criteriaSection(criteria, { 'AC-001': 'verified', 'AC-003': 'failed' })).toMatchInlineSnapshot(`
    "## Acceptance Criteria
      ✓ AC-001: User can log in: verified
          by name or by mail
      ○ AC-002: Session persists: pending
      ✗ AC-003: Rate limiting: failed"
  `);
  expect(criteriaSection([], {})).toBe('');
});

describe('the turns shown in full', () => {
  const judged = aTurn({ coach_decision: 'rejected' });
  const cutOff = aTurn({ turn_number: 2, player_decision: null });

  it('are the last one; the others take one line', () => {
    const turns = [judged, aTurn({ turn_number: 2, coach_decision: 'feedback' })];
    expect(splitTurns(turns)).toEqual({ previous: [turns[1]], earlier: [judged] });
  });

  it('include the last judged one, because its feedback still has to be addressed', () => {
    expect(splitTurns([judged, cutOff])).toEqual({ previous: [judged, cutOff], earlier: [] });
  });
});
