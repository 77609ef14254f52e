import { describe, expect, it } from 'vitest';
import { MOST_TESTS, ReportBuilder } from '../../../src/verification/test-reports/report-builder.ts';

function nameOf(...path: string[]): string | undefined {
  const report = new ReportBuilder('tap');
  report.addTest({ path, status: 'passed' });
  return report.build().tests[0]?.name;
}

describe('a name', () => {
  it('joins suites and case', () => {
    expect(nameOf('sum', '', 'adds')).toBe('sum > adds');
  });

  it('is never empty', () => {
    expect(nameOf('', ' ')).toMatch(/\S/);
  });

  it('shows control characters and bidirectional marks as such, on one line', () => {
    expect(nameOf('a\u001b[2Jb\nc\u202ed\u0000', 'x\ud800')).toBe('a�[2Jb c�d� > x�');
  });

  it('of any length is cut, and still differs from one with the same beginning', () => {
    const long = 'ä'.repeat(600);
    const names = [nameOf(`${long}1`), nameOf(`${long}2`)];
    expect(new Set(names).size).toBe(2);
    for (const name of names) expect(name?.length).toBeLessThanOrEqual(500);
  });
});

it('a message loses its colours and is limited', () => {
  const report = new ReportBuilder('jest');
  report.addTest({
    path: ['a'],
    status: 'failed',
    message: `\u001b[31mred\u001b[39m ${'x'.repeat(100_000)}`,
  });
  const message = report.build().tests[0]?.message ?? '';
  expect(message.startsWith('red x')).toBe(true);
  expect(message.length).toBeLessThanOrEqual(2000);
});

it('tests beyond the limit are dropped, with a fault', () => {
  const report = new ReportBuilder('tap');
  for (let count = 0; count < MOST_TESTS + 2; count += 1) report.addTest({ path: ['a'], status: 'passed' });
  const { tests, faults } = report.build();
  expect(tests).toHaveLength(MOST_TESTS);
  expect(faults).toEqual([{ code: 'too-many-tests', message: expect.stringMatching(/\b2\b/) }]);
});

it('faults beyond the limit are counted', () => {
  const report = new ReportBuilder('tap');
  for (let count = 0; count < 1000; count += 1) report.addFault('again');
  expect(report.build().faults.at(-1)).toEqual({
    code: 'too-many-faults',
    message: expect.stringContaining('800'),
  });
});
