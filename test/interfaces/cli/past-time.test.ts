import { expect, it } from 'vitest';
import { pastTime } from '../../../src/interfaces/cli/input/time-input.ts';

const NOW = Date.parse('2026-11-15T12:00:00Z');

it.each([
  ['7d', '2026-11-08T12:00:00.000Z'],
  ['2w', '2026-11-01T12:00:00.000Z'],
  ['2026-03-01', '2026-03-01T00:00:00.000Z'],
  ['2026-03-01T10:00:00+02:00', '2026-03-01T08:00:00.000Z'],
])('%s is %s', (text, time) => {
  expect(pastTime(text, NOW)).toBe(time);
});

it.each(['yesterday', '', '7', '99999d', '2026-02-30', '2026-13-01', '-1d'])('%j is no time', (text) => {
  expect(() => pastTime(text, NOW)).toThrow(expect.objectContaining({ code: 'time.format' }));
});
