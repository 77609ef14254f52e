import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseReport, REPORT_FORMATS } from '../../../src/verification/test-reports/report-formats.ts';
import { runs } from '../../support/thorough.ts';
import { recorded, reportOf } from './recorded.ts';

it.each([
  ['vitest/vitest-3.json.txt', 'vitest'],
  ['vitest/vitest-4-empty.json.txt', 'vitest'],
  ['vitest/kept-4.json.txt', 'vitest'],
  ['jest/jest-29.json.txt', 'jest'],
  ['jest/kept-30.json.txt', 'jest'],
  ['node-test/node-22.jsonl', 'node:test'],
  ['junit/jest-junit-on-30.xml', 'junit'],
  ['pytest/all.pytest-9.xml', 'pytest'],
  ['tap/ava.tap', 'tap'],
  ['tap/mocha.tap', 'tap'],
])('%s is recognized by its content', (path, runner) => {
  expect(reportOf(parseReport(recorded(path))).runner).toBe(runner);
});

it('a file of an unknown format is refused with the list of known ones', () => {
  expect(parseReport('all tests passed, believe me')).toEqual({
    ok: false,
    why: expect.stringMatching(new RegExp(REPORT_FORMATS.map(({ name }) => name).join('.*'))),
  });
});

const samples = [
  'vitest/kept-4.json.txt',
  'jest/jest-30.json.txt',
  'node-test/node-24.jsonl',
  'junit/surefire-not-recorded.xml',
  'tap/node-tap.tap',
].map(recorded);

it('no parser throws on any input', () => {
  const broken = fc
    .tuple(fc.constantFrom(...samples), fc.nat(), fc.nat(), fc.string())
    .map(([text, from, length, put]) => {
      const start = from % text.length;
      return text.slice(0, start) + put + text.slice(start + (length % 200));
    });
  fc.assert(
    fc.property(
      fc.oneof(broken, fc.string(), fc.json()),
      fc.constantFrom(...REPORT_FORMATS),
      (text, { parse }) => {
        const parsed = parse(text);
        if (parsed.ok)
          for (const { name } of parsed.value.tests) expect(name.length).toBeLessThanOrEqual(500);
        else expect(parsed.why).not.toBe('');
      },
    ),
    { numRuns: runs(300) },
  );
});

it('a truncated report is unreadable, has a fault, or contains every failure', () => {
  const text = recorded('junit/surefire-not-recorded.xml').trimEnd();
  for (let end = 0; end < text.length; end += 37) expect(parseReport(text.slice(0, end)).ok).toBe(false);
});

it.each([
  ['a list', '[]'],
  ['results that are not a list', '{"testResults":{"length":3}}'],
  ['endless nesting', `{"testResults":${'['.repeat(200_000)}`],
])('JSON with %s is refused', (_what, text) => {
  expect(parseReport(text)).toMatchObject({ ok: false });
});

it('entries of the wrong type are faults', () => {
  const text =
    '{"testResults":[null,7,{"name":{},"assertionResults":[null,{"title":[],"ancestorTitles":"x"}]}]}';
  const report = reportOf(parseReport(text));
  expect(report.tests).toEqual([
    { name: expect.any(String), status: 'failed', message: expect.stringContaining('undefined') },
  ]);
  expect(report.faults).toHaveLength(3);
});

it('a key __proto__ stays a key', () => {
  const text = '{"__proto__":{"testResults":[]},"constructor":1}';
  expect(parseReport(text)).toMatchObject({ ok: false });
});
