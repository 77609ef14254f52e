import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { TestReport } from '../../../src/domain/entities/test-report.ts';
import { parseJunitXml } from '../../../src/verification/test-reports/junit-xml.ts';

function recorded(name: string): TestReport {
  const parsed = parseJunitXml(
    readFileSync(new URL(`../recorded/pytest/${name}.xml`, import.meta.url), 'utf8'),
  );
  if (!parsed.ok) throw new Error(parsed.why);
  return parsed.value;
}

describe.each(['pytest-7', 'pytest-9', 'pytest-9-xunit1'])('all.%s', (version) => {
  const { tests } = recorded(`all.${version}`);
  const isNamed = (name: string, end: string) => ` > ${name}`.endsWith(` > ${end}`);
  const find = (end: string) => tests.filter(({ name }) => isNamed(name, end)).map(({ status }) => status);

  it('every case has pytest’s status', () => {
    const cases = {
      test_passes: 'passed',
      test_fails: 'failed',
      test_skipped: 'skipped',
      test_skipped_if: 'skipped',
    };
    for (const [name, status] of Object.entries(cases)) expect(find(name), name).toEqual([status]);
    for (const name of ['test_in_class', 'test_old', 'test_warns'])
      expect(find(name), name).toEqual(['passed']);
    expect(find('test_nested')).toEqual(['skipped']);
    expect(find('test_subtests')).toEqual(['failed']);
  });

  it('an expected failure has not passed, and an unexpected pass is a failure', () => {
    expect(find('test_expected_failure')).not.toContain('passed');
    expect(find('test_expected')).not.toContain('passed');
    expect(find('test_unexpected_pass')).toEqual(['passed']);
    expect(find('test_strict_unexpected_pass')).toEqual(['failed']);
  });

  it('cases of a parametrised test are separate', () => {
    expect(find('test_parametrised[1]')).toEqual(['failed']);
    for (const value of ['a b', 'gr\\xf6\\xdfe', 'x/y::z[0]', 'None', '<tag>']) {
      expect(find(`test_parametrised[${value}]`), value).toEqual(['passed']);
    }
  });

  it('a broken fixture fails the test, before it or after', () => {
    for (const name of ['test_setup_error', 'test_teardown_error', 'test_fails_twice']) {
      expect(new Set(find(name)), name).toEqual(new Set(['failed']));
    }
  });

  it('the reason of a failed or skipped test is kept', () => {
    const said = (end: string) => tests.find(({ name }) => isNamed(name, end))?.message;
    expect(said('test_fails')).toContain('they <differ>');
    expect(said('test_skipped')).toContain('not today');
    expect(said('test_expected_failure')).toContain('known bug');
  });
});

describe('files that do not load', () => {
  it.each(['importerr.pytest-7', 'importerr.pytest-9', 'syntax.pytest-7', 'syntax.pytest-9'])(
    '%s is a fault',
    (name) => {
      const { tests, faults } = recorded(name);
      expect(tests).toEqual([]);
      const said = faults.map(({ message }) => message).join('\n');
      expect(said).toMatch(/collection failure[\s\S]*(?:does_not_exist|SyntaxError)/);
    },
  );
});

it.each(['empty.pytest-7', 'empty.pytest-9', 'deselected.pytest-9'])(
  '%s has no test and no fault',
  (name) => {
    expect(recorded(name)).toMatchObject({ tests: [], faults: [] });
  },
);

it('a test that timed out has failed', () => {
  const { tests } = recorded('timeout.pytest-9');
  expect(tests.map(({ status }) => status)).toEqual(['passed', 'failed']);
  expect(tests[1]?.message).toContain('Timeout');
});

it('passed subtests, which pytest counts without listing, are not a fault', () => {
  const { tests, faults } = recorded('subtests.pytest-9');
  expect(tests.map(({ status }) => status)).toEqual(['passed', 'passed']);
  expect(faults).toEqual([]);
});
