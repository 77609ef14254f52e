import { describe, expect, it } from 'vitest';
import { parseJunitXml } from '../../../src/verification/test-reports/junit-xml.ts';
import { faultsOf, outcomes, recorded, reportOf } from './recorded.ts';

function parseRecorded(path: string) {
  return reportOf(parseJunitXml(recorded(path)));
}

describe('dialects', () => {
  it('Surefire names class and method, and a flaky test has passed', () => {
    const report = parseRecorded('junit/surefire-not-recorded.xml');
    expect(outcomes(report)).toEqual([
      'failed com.example.OrderTest > keepsTotal',
      'failed com.example.OrderTest > readsFile',
      'passed com.example.OrderTest > addsLines',
      'passed com.example.OrderTest > isFlaky',
      'passed com.example.OrderTest > {index} rounds=[2, "up"]',
      'skipped com.example.OrderTest > sendsMail',
    ]);
    expect(report.faults).toEqual([]);
  });

  it.each(['3', '4'])('vitest %s names the file where the class belongs', (version) => {
    const report = parseRecorded(`junit/vitest-${version}.xml`);
    expect(report.tests).toContainEqual({ name: 'sum > adds', file: 'test/mixed.test.js', status: 'passed' });
    expect(outcomes(report)).toContain('failed sum > fails on purpose');
    expect(outcomes(report)).toContain('skipped sum > is to be written');
    expect(report.faults.map(({ file }) => file).sort()).toEqual([
      'test/describe-throws.test.js',
      'test/empty.test.js',
      'test/missing-import.test.js',
      'test/syntax-error.test.js',
    ]);
  });

  it.each(['29', '30'])('jest-junit on jest %s says the name twice and is shown once', (version) => {
    const report = parseRecorded(`junit/jest-junit-on-${version}.xml`);
    expect(outcomes(report)).toContain('passed sum adds');
    expect(outcomes(report)).toContain('failed before all fails waits for it');
    expect(outcomes(report)).toContain('skipped is not reached');
    // It lists todo tests without counting them.
    expect(report.faults).toEqual([]);
  });

  it('mocha counts skipped tests without listing them', () => {
    const report = parseRecorded('junit/mocha-junit.xml');
    expect(outcomes(report)).toEqual([
      'failed hooks "before all" hook for "waits for it"',
      'failed sum fails on purpose',
      'passed sum adds',
      'passed sum deeper has <angles>',
    ]);
    expect(report.tests.every(({ file }) => file === '/project/mocha.spec.cjs')).toBe(true);
    expect(report.faults).toEqual([]);
  });

  it.each(['20', '22', '24'])('node:test of Node %s nests its suites', (version) => {
    const report = parseRecorded(`junit/node-${version}.xml`);
    expect(outcomes(report)).toContain('passed sum > adds');
    expect(outcomes(report)).toContain('todo sum > is to be written');
    expect(outcomes(report)).toContain('passed has parts > one');
    expect(outcomes(report).filter((line) => line.includes('empty.test'))).toEqual([]);
    expect(faultsOf(report).map((fault) => fault.split(':')[0]?.split('/').at(-1))).toEqual([
      'missing-import.test.mjs',
      'syntax-error.test.mjs',
    ]);
  });

  it('pytest is recognized by its suite name, and a module that does not load is a fault', () => {
    const shapes = parseRecorded('pytest/all.pytest-9-xunit1.xml');
    expect(shapes.runner).toBe('pytest');
    expect(shapes.tests).toContainEqual({
      name: 'test_passes',
      file: 'all/test_shapes.py',
      status: 'passed',
    });
    expect(outcomes(shapes)).toContain('passed TestGroup > test_in_class');
    expect(outcomes(shapes)).toContain('skipped TestGroup > TestInner > test_nested');
    expect(shapes.faults).toEqual([]);
    const broken = parseRecorded('pytest/importerr.pytest-9.xml');
    expect(broken.tests).toEqual([]);
    expect(broken.faults[0]?.file).toBe('test_import.py');
  });
});

describe('inconsistencies', () => {
  it('a higher failure count than listed is a fault', () => {
    const text = '<testsuite name="s" tests="1" failures="1"><testcase name="a"/></testsuite>';
    expect(reportOf(parseJunitXml(text)).faults).toEqual([
      { code: 'counts-differ', message: expect.stringMatching(/\bs\b.*\b1\b.*\b0\b/) },
    ]);
  });

  it('a higher test count than listed is a fault, in nested suites too', () => {
    const inner = '<testsuite name="inner" tests="3"><testcase name="a"/></testsuite>';
    const report = reportOf(
      parseJunitXml(`<testsuites><testsuite name="outer">${inner}</testsuite></testsuites>`),
    );
    expect(report.faults).toEqual([
      { code: 'counts-differ', message: expect.stringMatching(/\binner\b.*\b3\b.*\b1\b/) },
    ]);
    expect(outcomes(report)).toEqual(['passed outer > inner > a']);
  });

  it('an error of a suite itself is a fault', () => {
    const text = '<testsuite name="s" file="a.js"><error message="no fixture">trace</error></testsuite>';
    expect(reportOf(parseJunitXml(text)).faults).toEqual([{ file: 'a.js', message: 's: no fixture\ntrace' }]);
  });

  it('a case that failed and was skipped has failed', () => {
    const text = '<testsuite><testcase name="a"><failure/><skipped/></testcase></testsuite>';
    expect(outcomes(reportOf(parseJunitXml(text)))).toEqual(['failed a']);
  });

  it('a case that never ran was skipped', () => {
    const text =
      '<testsuite><testcase name="a" status="notrun"/><testcase name="b" result="suppressed"/></testsuite>';
    expect(outcomes(reportOf(parseJunitXml(text)))).toEqual(['skipped a', 'skipped b']);
  });
});

describe('hostile files', () => {
  it('its own entities make a file unreadable and are never expanded', () => {
    const levels = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join(
      '',
    );
    const text = `<!DOCTYPE x [<!ENTITY l0 "lol">${levels}]><testsuite><testcase name="&l9;"/></testsuite>`;
    expect(parseJunitXml(text)).toEqual({
      ok: false,
      why: expect.any(String),
    });
  });

  it('an external entity is not read', () => {
    const text =
      '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]><testsuite><testcase name="&f;"/></testsuite>';
    expect(parseJunitXml(text)).toMatchObject({ ok: false });
  });

  it.each([
    ['empty', ''],
    ['cut off', '<testsuite><testcase name="a"'],
    ['not closed', '<testsuite><testcase name="a"/>'],
    ['crossed', '<testsuite><testcase></testsuite></testcase>'],
    ['some other XML', '<html><body/></html>'],
    ['an unknown entity', '<testsuite><testcase name="&nbsp;"/></testsuite>'],
  ])('a file that is %s is unreadable', (_what, text) => {
    expect(parseJunitXml(text)).toMatchObject({ ok: false });
  });

  it('several roots in sequence are read as one', () => {
    const root = '<testsuite name="s"><testcase name="a"/></testsuite>';
    for (const text of [`${root}\n${root}`, `<?xml version="1.0"?>\n${root}\n`.repeat(2)]) {
      expect(outcomes(reportOf(parseJunitXml(text)))).toEqual(['passed s > a', 'passed s > a']);
    }
  });

  it('a name of a megabyte is cut and stays distinct', () => {
    const long = 'x'.repeat(1_000_000);
    const text = `<testsuite><testcase name="${long}a"/><testcase name="${long}b"/></testsuite>`;
    const names = reportOf(parseJunitXml(text)).tests.map(({ name }) => name);
    expect(new Set(names).size).toBe(2);
    expect(Math.max(...names.map(({ length }) => length))).toBeLessThanOrEqual(500);
  });

  it('endlessly nested suites are read', () => {
    const depth = 20_000;
    const text = `${'<testsuite name="s">'.repeat(depth)}<testcase name="a"/>${'</testsuite>'.repeat(depth)}`;
    expect(reportOf(parseJunitXml(text)).tests).toHaveLength(1);
  });

  it('keys with a meaning in JavaScript have none here', () => {
    const text =
      '<testsuite __proto__="x" constructor="y"><testcase name="__proto__" classname="constructor" hasOwnProperty="1"/></testsuite>';
    expect(outcomes(reportOf(parseJunitXml(text)))).toEqual(['passed constructor > __proto__']);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });
});
