import { expect, it } from 'vitest';
import { readUntil } from '../../../../src/interfaces/cli/run/read-until.ts';

const NOON = new Date(2030, 0, 31, 12, 0).getTime();

it('a time of day is the next one that a clock here shows', () => {
  expect(readUntil('13:30', NOON)).toBe(new Date(2030, 0, 31, 13, 30).toISOString());
  expect(readUntil('7:00', NOON)).toBe(new Date(2030, 1, 1, 7, 0).toISOString());
  expect(readUntil('12:00', NOON)).toBe(new Date(2030, 1, 1, 12, 0).toISOString());
});

it('a date and time is taken as it is, where it is to come', () => {
  expect(readUntil('2030-02-01T00:00:00Z', NOON)).toBe('2030-02-01T00:00:00.000Z');
  expect(readUntil('2029-01-01T00:00:00Z', NOON)).toBeUndefined();
});

it.each(['', 'soon', '25:00', '12:60', '2030-13-40T00:00', '1e9', '12'])('no time is made of %j', (text) => {
  expect(readUntil(text, NOON)).toBeUndefined();
});
