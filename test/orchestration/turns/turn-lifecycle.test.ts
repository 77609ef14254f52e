import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closeTurn, nextTurnNumber, turnMode } from '../../../src/orchestration/turns/turn-lifecycle.ts';
import { aTurn } from '../turn-fixture.ts';

const JUDGED = aTurn({ coach_decision: 'feedback' });
const CUT_OFF = aTurn({ turn_number: 2, player_decision: null });

describe('how a turn starts', () => {
  it.each([
    ['the first turn', { turns: [], resumed: false, reset: false }, 'fresh_start'],
    ['a turn after another', { turns: [JUDGED], resumed: false, reset: false }, 'continuing_work'],
    ['the first after --resume', { turns: [JUDGED], resumed: true, reset: false }, 'recovering_state'],
    ['--resume before any turn', { turns: [], resumed: true, reset: false }, 'recovering_state'],
    [
      'a turn after one that was cut off',
      { turns: [JUDGED, CUT_OFF], resumed: false, reset: false },
      'recovering_state',
    ],
    ['the first after a reset', { turns: [JUDGED], resumed: false, reset: true }, 'fresh_start'],
    ['a reset and --resume', { turns: [JUDGED, CUT_OFF], resumed: true, reset: true }, 'fresh_start'],
  ] as const)('%s', (_which, input, mode) => {
    expect(turnMode(input)).toBe(mode);
  });
});

describe('numbers of turns', () => {
  it('start at 1 and are never used twice, in any reading order', () => {
    expect(nextTurnNumber([])).toBe(1);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 1000 })), (numbers) => {
        const turns = numbers.map((turn_number) => ({ turn_number }));
        expect(numbers).not.toContain(nextTurnNumber(turns));
        expect(nextTurnNumber(turns)).toBe(nextTurnNumber([...turns].reverse()));
      }),
    );
  });

  it('a turn that was cut off keeps its number and is closed [BUILD-10]', () => {
    const begun = aTurn({ turn_number: 4, player_decision: null, started_at: '2026-11-15T09:00:00Z' });
    const usage = [
      { inputTokens: 5, outputTokens: 7, costUsd: 0.5 },
      { inputTokens: 1, outputTokens: 2, costUsd: null },
    ];
    expect(closeTurn(begun, '2026-11-15T09:01:30.000Z', usage)).toMatchObject({
      turn_number: 4,
      coach_decision: null,
      completed_at: '2026-11-15T09:01:30.000Z',
      duration_seconds: 90,
      progress_summary: expect.stringMatching(/\S/),
      quality_gate_results: { cost_usd: 0.5, input_tokens: 6, output_tokens: 9 },
    });
    expect(nextTurnNumber([begun])).toBe(5);
  });

  it('a closed turn stays unchanged', () => {
    const closed = aTurn({ completed_at: '2026-11-15T09:00:00Z' });
    expect(closeTurn(closed, '2026-11-16T09:00:00.000Z', [])).toBe(closed);
  });
});
