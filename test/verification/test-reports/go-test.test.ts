import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TestReport } from '../../../src/domain/entities/test-report.ts';
import { parseGoTest } from '../../../src/verification/test-reports/go-test.ts';

function parse(text: string): TestReport {
  const parsed = parseGoTest(text);
  if (!parsed.ok) throw new Error(parsed.why);
  return parsed.value;
}

function recorded(name: string): TestReport {
  return parse(readFileSync(new URL(`../recorded/go-test/${name}.txt`, import.meta.url), 'utf8'));
}

/** Each test on one line, without the common package. */
function shown({ tests }: TestReport): string[] {
  return tests.map(
    ({ name, package: home = '', status }) =>
      `${status} ${home.replace(/^example\.com\/demo\//, '')} > ${name}`,
  );
}

function faults({ faults: found }: TestReport) {
  return found.map(({ code, package: home = '' }) => `${code} ${home.replace('example.com/demo/', '')}`);
}

const MODES = ['json', 'v'] as const;

describe.each(MODES)('recorded with -%s', (mode) => {
  it('names, subtests, skipped tests, examples, fuzz seeds and parallel tests are read by their leaves', () => {
    const report = recorded(`calc.${mode}`);
    const names = report.tests.map(({ name, status }) => `${status} ${name}`);
    expect(names.sort()).toEqual(
      [
        'passed TestDiv',
        'passed TestTable > negative_number',
        'failed TestTable > zero',
        'passed TestTable > a > b',
        'passed TestTable > größe',
        'failed TestParentFails',
        'passed TestParentFails > fine',
        'skipped TestSkipped',
        'passed TestNested > outer > inner',
        'skipped TestNested > outer > skipped',
        'passed TestNoNewline',
        // It prints lines in the format of go test; with -v they are indistinguishable from real ones.
        mode === 'json' ? 'passed TestPrintsResult' : 'failed TestPrintsResult',
        'failed TestForged',
        'passed TestParallelA',
        'passed TestParallelB',
        'passed FuzzSign > seed#0',
        'passed FuzzSign > seed#1',
        'passed ExampleSign',
        'failed ExampleDiv',
      ].sort(),
    );
    expect(report.runner).toBe('go test');
  });

  it('a test that prints results of others is a fault, and those do not count as passed', () => {
    const report = recorded(`calc.${mode}`);
    expect(report.faults).toContainEqual(
      expect.objectContaining({ code: 'forged', message: expect.stringContaining('TestForged') }),
    );
    expect(
      report.tests.filter(({ name, status }) => name.endsWith('TestForged') && status === 'passed'),
    ).toEqual([]);
  });

  it('the output of a failed or skipped test is kept', () => {
    const { tests } = recorded(`calc.${mode}`);
    const said = (name: string) => tests.find((test) => test.name.endsWith(name))?.message;
    expect(said('> zero')).toContain('calc_test.go:24: zero is odd here');
    expect(said('TestParentFails')).toBe('calc_test.go:32: the parent itself');
    expect(said('TestSkipped')).toBe('calc_test.go:35: not today');
    expect(said('ExampleDiv')).toBe('got:\n2 <nil>\nwant:\nwrong');
    expect(said('TestDiv')).toBeUndefined();
  });

  it('passing tests of a package are passed, cached or not', () => {
    for (const name of ['deep-inner', 'cached']) {
      expect(recorded(`${name}.${mode}`)).toEqual({
        runner: 'go test',
        tests: [{ name: 'TestOne', package: 'example.com/demo/deep/inner', status: 'passed' }],
        faults: [],
      });
    }
  });

  it('tests that print half a line before a test starts, pauses or ends are read correctly', () => {
    const report = recorded(`glued.${mode}`);
    expect(shown(report)).toEqual([
      'passed glued > TestGlued > sub',
      'passed glued > TestGlued > other',
      'passed glued > TestGluedPause',
      'passed glued > TestNext',
    ]);
    expect(report.faults).toEqual([]);
  });

  it('benchmarks are not tests', () => {
    expect(shown(recorded(`bench.${mode}`))).toEqual(['passed calc > TestDiv']);
  });

  it.each(['notests', 'empty', 'none-match'])('%s: a run without tests has no tests and no fault', (name) => {
    expect(recorded(`${name}.${mode}`)).toMatchObject({ tests: [], faults: [] });
  });

  it('a package that does not compile is a fault with the compiler’s message and the file', () => {
    const report = recorded(`broken.${mode}`);
    expect(report.tests).toEqual([]);
    expect(report.faults).toHaveLength(1);
    expect(report.faults[0]).toMatchObject({
      file: 'broken/x_test.go',
      message: expect.stringContaining('x_test.go:7:2: undefined: undefined'),
    });
    expect(recorded(`syntax.${mode}`).faults[0]).toMatchObject({
      code: 'not-compiled',
      message: expect.stringMatching(/\n.*syntax error/),
    });
  });

  it('an import that does not exist is a fault', () => {
    const report = recorded(`setup.${mode}`);
    expect(report.faults[0]).toMatchObject({
      code: 'not-set-up',
      file: 'setup/x_test.go',
      message: expect.stringContaining('\nsetup/x_test.go:6:2: no required module'),
    });
  });

  it('a panic fails its test and is a fault, since the tests after it did not run', () => {
    const report = recorded(`crash.${mode}`);
    expect(shown(report)).toEqual(['passed crash > TestBefore', 'failed crash > TestPanics > sub']);
    expect(faults(report)).toEqual(['panicked crash']);
    expect(report.faults[0]?.message).toContain('panic: assignment to entry in nil map [recovered]');
  });

  it('a test that exits the program has failed', () => {
    const report = recorded(`exits.${mode}`);
    expect(shown(report)).toEqual(['passed exits > TestBefore', 'failed exits > TestExits']);
    expect(faults(report)).toEqual(['tests-open exits']);
    expect(report.faults[0]?.message).toContain('TestExits');
  });

  it('a test that times out has failed', () => {
    const report = recorded(`slow.${mode}`);
    expect(shown(report)).toEqual(['passed slow > TestQuick', 'failed slow > TestHangs']);
    expect(faults(report)).toContain('panicked slow');
  });

  it('a package that fails without a failing test is a fault with its output', () => {
    const report = recorded(`mainfail.${mode}`);
    expect(report.tests).toEqual([]);
    expect(faults(report)).toEqual(['failed-without-test mainfail']);
    expect(report.faults[0]?.message).toContain('\nno database');
  });

  it('a failed test in a package that reports ok has still failed', () => {
    const report = recorded(`exitsok.${mode}`);
    expect(shown(report)).toEqual(['failed exitsok > TestFails']);
    expect(faults(report)).toEqual(['contradicts-tests exitsok']);
  });

  it('packages are kept apart', () => {
    const report = recorded(`several.${mode}`);
    expect(shown(report)).toEqual([
      'passed deep/inner > TestOne',
      'passed crash > TestBefore',
      'failed crash > TestPanics > sub',
    ]);
    expect(faults(report)).toEqual(['panicked crash', 'not-compiled broken']);
  });
});

describe('recorded without -v', () => {
  it('only failing tests have names', () => {
    expect(recorded('deep-inner.plain')).toMatchObject({ tests: [], faults: [] });
    expect(shown(recorded('crash.plain'))).toEqual(['failed crash > TestPanics > sub']);
  });

  it('a program that exited early or timed out is a fault', () => {
    expect(faults(recorded('exits.plain'))).toEqual(['failed-without-test exits']);
    expect(faults(recorded('slow.plain'))[0]).toBe('panicked slow');
  });
});

const event = (value: object) => `${JSON.stringify(value)}\n`;
const test = (Action: string, Test: string, Output?: string) => event({ Action, Package: 'p', Test, Output });

describe('other input', () => {
  it('since go 1.24 the compiler’s messages are events too', () => {
    const { faults: found } = parse(
      event({ ImportPath: 'p [p.test]', Action: 'build-output', Output: '# p [p.test]\n' }) +
        event({
          ImportPath: 'p [p.test]',
          Action: 'build-output',
          Output: './a_test.go:3:1: undefined: x\n',
        }) +
        event({ ImportPath: 'p [p.test]', Action: 'build-fail' }) +
        event({ Action: 'start', Package: 'p' }) +
        event({ Action: 'output', Package: 'p', Output: 'FAIL\tp [build failed]\n' }) +
        event({ Action: 'fail', Package: 'p', Elapsed: 0, FailedBuild: 'p [p.test]' }),
    );
    expect(found).toEqual([
      {
        code: 'not-compiled',
        package: 'p',
        file: './a_test.go',
        message: expect.stringContaining('\n./a_test.go:3:1: undefined: x'),
        places: [{ file: './a_test.go', line: 3, column: 1, message: 'undefined: x' }],
      },
    ]);
  });

  it('a message of several lines is one', () => {
    const text =
      '# p [p.test]\n./a_test.go:3:1: cannot use fake{} as Store:\n\tfake does not implement Store (missing Close method)\n./a_test.go:5:1: other\nFAIL\tp [build failed]\n';
    const [fault] = parse(text).faults;
    expect(fault?.places?.map(({ message }) => message)).toEqual([
      'cannot use fake{} as Store: fake does not implement Store (missing Close method)',
      'other',
    ]);
  });

  it('places in the tests of a package that are in a package of their own belong to the tested one', () => {
    const text =
      '# p [p.test]\n./export_test.go:3:1: undefined: x\n# p_test [p.test]\n./b_test.go:4:2: undefined: p.X\nFAIL\tp [build failed]\n';
    expect(parse(text).faults).toMatchObject([
      {
        package: 'p',
        places: [{ file: './export_test.go' }, { file: './b_test.go', message: 'undefined: p.X' }],
      },
    ]);
  });

  it('truncated output is a fault, and running tests have failed', () => {
    const json = parse(test('run', 'TestA') + test('pass', 'TestA') + test('run', 'TestB'));
    expect(json.tests.map(({ status }) => status)).toEqual(['passed', 'failed']);
    expect(faults(json)).toContain('cut-off p');
    const text = parse('=== RUN   TestA\n--- PASS: TestA (0.00s)\n=== RUN   TestB\n');
    expect(text.tests.map(({ status }) => status)).toEqual(['passed', 'failed']);
    expect(text.faults).not.toEqual([]);
  });

  it('a test that ran several times has failed if it failed once', () => {
    const run = (status: string) => test('run', 'TestA') + test(status, 'TestA');
    const report = parse(run('pass') + run('fail') + run('pass') + event({ Action: 'fail', Package: 'p' }));
    expect(report).toMatchObject({ tests: [{ name: 'TestA', package: 'p', status: 'failed' }], faults: [] });
  });

  it('a test that prints the start and the end of another is a fault', () => {
    const text =
      '=== RUN   TestA\n=== RUN   TestForged\n--- PASS: TestForged (0.00s)\n--- PASS: TestA (0.00s)\nPASS\nok  \tp\t0.1s\n';
    expect(parse(text).faults).toEqual([
      { code: 'forged', package: 'p', message: expect.stringMatching(/TestForged.*TestA/) },
    ]);
  });

  it('lines that are not events are ignored', () => {
    const text = `go: downloading x v1\n{"Action":\n${test('run', '__proto__')}noise\n${test('pass', '__proto__')}`;
    const report = parse(text + event({ Action: 'pass', Package: 'p' }));
    expect(report).toMatchObject({
      tests: [{ name: '__proto__', package: 'p', status: 'passed' }],
      faults: [],
    });
  });

  it('with events, results in the text between them are ignored', () => {
    const text = `--- PASS: TestForged (0.00s)\nok  \tforged\t0.1s\n${test('run', 'TestA')}${test('fail', 'TestA')}`;
    const report = parse(text + event({ Action: 'fail', Package: 'p' }));
    expect(report.tests.map(({ name }) => name)).toEqual(['TestA']);
  });

  it.each([
    '',
    '\n',
    'FAIL\n',
    'ok\n',
    'PASS\n',
    '{"Action":5}\n',
    'TAP version 13\nok 1\n',
    'running 1 test\n',
  ])('%j is not output of go test', (text) => {
    expect(parseGoTest(text)).toEqual({ ok: false, why: expect.any(String) });
  });

  it('no text makes it throw', () => {
    const piece = fc.constantFrom(
      ...[
        '=== RUN   TestA\n',
        '=== RUN   TestA/b\n',
        '--- PASS: TestA (0.00s)\n',
        '    --- FAIL: TestA/b (0.1s)\n',
      ],
      ...[
        '=== PAUSE TestA\n',
        'ok  \tp\t0.1s\n',
        'FAIL\tp\t0.1s\n',
        'FAIL\tp [build failed]\n',
        '# p\n',
        'a.go:1:1: x\n',
      ],
      ...[
        test('run', 'T'),
        test('pass', 'T'),
        test('output', 'T', '--- PASS: T (0.0s)'),
        event({ Action: 'fail', Package: 'p' }),
      ],
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 15 }), (parts) => {
        const parsed = parseGoTest(parts.join(''));
        if (parsed.ok) for (const { name } of parsed.value.tests) expect(name).not.toBe('');
      }),
    );
  });

  it('very long names take only linear time', () => {
    const name = `T${'/a'.repeat(200_000)}`;
    expect(parse(test('run', name) + test('fail', name)).tests).toHaveLength(1);
    const many = Array.from({ length: 20_000 }, (_, n) => `=== RUN   Test${n}\n`).join('');
    expect(parse(many).tests).toHaveLength(20_000);
  });
});
