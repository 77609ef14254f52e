import { expect, it } from 'vitest';
import { sparkline } from '../../../src/interfaces/cli/status/metrics.ts';
import type { MetricFacts } from '../../../src/learning/metrics/compute-metrics.ts';
import { computeMetrics, periodsSince } from '../../../src/learning/metrics/compute-metrics.ts';

const NOW = Date.parse('2026-03-29T12:00:00.000Z');
const DAY = 86_400_000;
const NOTHING: MetricFacts = {
  premature: [],
  prompts: [],
  finished: [],
  promptSizes: [],
  agentFiles: [],
  mistakes: [],
  actions: [],
};

it.each([1, 6, 7, 14, 15, 30, 365, 4000])('%i days are split into adjacent periods', (days) => {
  const since = NOW - days * DAY;
  const periods = periodsSince(since, NOW);
  expect(periods.length).toBeLessThanOrEqual(14);
  expect(periods[0]?.from).toBe(since);
  expect(periods.at(-1)?.to).toBe(NOW + 1);
  for (const [index, period] of periods.entries()) {
    if (index > 0) expect(period.from).toBe(periods[index - 1]?.to);
    expect(period.to).toBeGreaterThan(period.from);
  }
});

it('without data a metric is null, not zero', () => {
  const metrics = computeMetrics(NOTHING, NOW - 7 * DAY, NOW);
  expect(metrics.premature_completions.attempted.total).toBe(0);
  expect(metrics.user_prompts.per_feature.total).toBeNull();
  expect(metrics.prompt_size).toEqual({
    tokens: { total: null, periods: metrics.periods.map(() => null) },
    longest_agent_file: null,
  });
  expect(metrics.repeated_mistakes.share.total).toBeNull();
  expect(metrics.compliance.share.total).toBeNull();
});

it('each metric is computed in total and per period', () => {
  const early = NOW - 6 * DAY;
  const late = NOW - DAY / 2;
  const metrics = computeMetrics(
    {
      premature: [
        { at: early, stopped: true },
        { at: late, stopped: false },
      ],
      prompts: [early, early, late].map((at) => ({ at })),
      finished: [{ at: late, feature: 'FEAT-1' }],
      promptSizes: [
        { at: early, tokens: 1000 },
        { at: late, tokens: 3000 },
      ],
      agentFiles: [
        { file: 'a.md', lines: 40 },
        { file: 'b.md', lines: 90 },
      ],
      mistakes: [
        { at: early, times: 4, first: 2 },
        { at: late, times: 1, first: 0 },
      ],
      actions: [
        { at: early, all: 10, refused: 5, warned: 0 },
        { at: late, all: 30, refused: 1, warned: 2 },
      ],
    },
    NOW - 7 * DAY,
    NOW,
  );
  expect(metrics.premature_completions).toMatchObject({ attempted: { total: 2 }, blocked: { total: 1 } });
  expect(metrics.user_prompts).toMatchObject({ prompts: { total: 3 }, per_feature: { total: 3 } });
  expect(metrics.prompt_size).toMatchObject({ tokens: { total: 2000 }, longest_agent_file: { lines: 90 } });
  expect(metrics.repeated_mistakes).toMatchObject({ repeated: { total: 3 }, share: { total: 0.6 } });
  expect(metrics.compliance.share.total).toBe(0.85);
  expect(metrics.compliance.share.periods.filter((value) => value !== null)).toEqual([0.5, 0.967]);
});

it('events outside the range do not count', () => {
  const at = NOW - 30 * DAY;
  const metrics = computeMetrics({ ...NOTHING, prompts: [{ at }] }, NOW - 7 * DAY, NOW);
  expect(metrics.user_prompts.prompts.total).toBe(0);
});

it('a small chart has a bar per period, and a dot without data', () => {
  expect(sparkline([0, 5, 10, null])).toBe('▁▅█·');
  expect(sparkline([0, 0])).toBe('▁▁');
  expect(sparkline([])).toBe('');
});
