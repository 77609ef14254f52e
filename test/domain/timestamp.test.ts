import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isTimestamp, parseTimestamp, timestampSchema } from '../../src/domain/timestamp.ts';

describe('a time', () => {
  it.each([
    ['2026-11-15', '2026-11-15T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2026-11-15T09:30:00Z', '2026-11-15T09:30:00.000Z'],
    ['2026-11-15T09:30:00.5Z', '2026-11-15T09:30:00.500Z'],
    ['2026-11-15T09:30:00+02:00', '2026-11-15T07:30:00.000Z'],
    ['2026-11-15T23:30:00-05:00', '2026-11-16T04:30:00.000Z'],
  ])('%s is kept as %s', (text, kept) => {
    expect(parseTimestamp(text)).toBe(kept);
  });

  it.each([
    'yesterday',
    '',
    '2026-13-45',
    '2026-02-29',
    '2026-11-15T24:00:00Z',
    '2026-11-15T09:30:00',
    '2026-11-15 09:30:00Z',
    '15.11.2026',
    '1763199000',
    '2026-11-15T09:30:00Z; DROP TABLE episode',
  ])('%j is refused, with an example of a valid time', (text) => {
    expect(() => parseTimestamp(text)).toThrow(
      expect.objectContaining({
        code: 'time.format',
        kind: 'input',
        hint: expect.stringContaining('2026-11-15T09:30:00Z'),
      }),
    );
  });

  it('as kept is 24 characters long, so that the order of texts is the order of times', () => {
    const time = fc.date({
      noInvalidDate: true,
      min: new Date('0001-01-02T00:00:00Z'),
      max: new Date('9999-12-30T00:00:00Z'),
    });
    const offset = fc.constantFrom('+00:00', '+14:00', '-12:00', '+05:30');
    fc.assert(
      fc.property(time, offset, time, (a, zone, b) => {
        const kept = timestampSchema.parse(a.toISOString().replace('Z', zone));
        expect(kept).toHaveLength(24);
        expect(isTimestamp(kept)).toBe(true);
        const other = b.toISOString();
        expect(Math.sign(kept.localeCompare(other))).toBe(Math.sign(Date.parse(kept) - Date.parse(other)));
      }),
    );
  });
});
