import { expect, it } from 'vitest';
import { readUntil } from '../../../../src/interfaces/cli/run/run-input.ts';

const NOON = new Date(2030, 0, 31, 12, 0).getTime();

it('a time of day is the next one that a clock here shows', () => {
  const at = (...day: [number, number, number, number]) => ({
    ok: true,
    until: new Date(2030, ...day).toISOString(),
  });
  expect(readUntil('13:30', NOON)).toEqual(at(0, 31, 13, 30));
  expect(readUntil('7:00', NOON)).toEqual(at(1, 1, 7, 0));
  expect(readUntil('12:00', NOON)).toEqual(at(1, 1, 12, 0));
});

it('a date and time is taken as it is, and one that is over is said to be', () => {
  expect(readUntil('2030-02-01T00:00:00Z', NOON)).toEqual({ ok: true, until: '2030-02-01T00:00:00.000Z' });
  const over = '2029-01-01T00:00:00Z';
  expect(readUntil(over, NOON)).toEqual({ ok: false, why: expect.stringContaining(over) });
});

it.each(['', 'soon', '25:00', '12:60', '2030-13-40T00:00', '1e9', '12'])('no time is made of %j', (text) => {
  expect(readUntil(text, NOON)).toEqual({
    ok: false,
    why: expect.stringContaining('07:00'),
  });
});
