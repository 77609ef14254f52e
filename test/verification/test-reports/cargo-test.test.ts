import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TestReport } from '../../../src/domain/entities/test-report.ts';
import { parseCargoTest } from '../../../src/verification/test-reports/cargo-test.ts';
import { further } from '../../support/thorough.ts';

function parse(text: string): TestReport {
  const parsed = parseCargoTest(text);
  if (!parsed.ok) throw new Error(parsed.why);
  return parsed.value;
}

function recorded(name: string): TestReport {
  return parse(readFileSync(new URL(`../recorded/cargo-test/${name}.txt`, import.meta.url), 'utf8'));
}

function shown({ tests }: TestReport): string[] {
  return tests.map(({ name, status }) => `${status} ${name}`).sort();
}

function codes({ faults }: TestReport) {
  return faults.map(({ code }) => code);
}

const OK = [
  'passed ok_demo (src/lib.rs) > tests > adds',
  'passed ok_demo (src/lib.rs) > tests > nested > deep',
  'passed ok_demo (src/lib.rs) > tests > overflows',
  'skipped ok_demo (src/lib.rs) > tests > ignored',
  'skipped ok_demo (src/lib.rs) > tests > ignored_with_reason',
  'passed outside (tests/outside.rs) > from_outside',
  'passed outside (tests/outside.rs) > returns_result',
  'passed ok_demo (doc) > src/lib.rs > add',
  'passed ok_demo (doc) > src/lib.rs > add #2',
  'passed ok_demo (doc) > src/lib.rs > add #3',
  'skipped ok_demo (doc) > src/lib.rs > add #4',
].sort();

describe('recorded', () => {
  it.each(['ok', 'ok-nocapture', 'ok-nocapture-parallel', 'ok-show-output', 'ok-colour', 'ok-streams-apart'])(
    '%s: unit tests, integration tests and examples have the same names',
    (name) => {
      const report = recorded(name);
      expect(shown(report)).toEqual(OK);
      expect(report.faults).toEqual([]);
      expect(report.runner).toBe('cargo test');
    },
  );

  it.each(['edition-2024', 'edition-2024-streams-apart'])(
    '%s: examples that run in two groups are numbered together',
    (name) => {
      const report = recorded(name);
      expect(shown(report)).toEqual([
        'passed calc (doc) > src/lib.rs',
        'passed calc (doc) > src/lib.rs > add',
        'passed calc (doc) > src/lib.rs > add #2',
        'passed calc (doc) > src/lib.rs > add #3',
        'passed calc (doc) > src/lib.rs > add #4',
        'passed t (tests/t.rs) > adds',
      ]);
      expect(report.faults).toEqual([]);
    },
  );

  it('the reason of an ignored test is kept, and its file if known', () => {
    const { tests } = recorded('ok');
    const find = (end: string) => tests.find(({ name }) => name.endsWith(end));
    expect(find('ignored_with_reason')?.message).toBe('needs a database: see README');
    expect(find('from_outside')?.file).toBe('tests/outside.rs');
    expect(find('> add #2')?.file).toBe('src/lib.rs');
    expect(find('tests > adds')?.file).toBeUndefined();
  });

  it('failing tests have failed, with their output; a printed line is not a test', () => {
    const report = recorded('fail');
    expect(shown(report)).toEqual([
      'failed fail_demo (src/lib.rs) > tests > does_not_panic',
      'failed fail_demo (src/lib.rs) > tests > fails',
      'failed fail_demo (src/lib.rs) > tests > returns_error',
      'passed fail_demo (src/lib.rs) > tests > forges',
      'passed fail_demo (src/lib.rs) > tests > passes',
    ]);
    expect(report.faults).toEqual([]);
    const said = (end: string) => report.tests.find(({ name }) => name.endsWith(end))?.message;
    expect(said('> fails')).toMatch(/^before failing\n[\s\S]*they differ/);
    expect(said('returns_error')).toBe('Error: "no"');
    expect(said('does_not_panic')).toContain('test did not panic as expected');
  });

  it('without capture, one test at a time, results are found after the output', () => {
    expect(shown(recorded('fail-nocapture'))).toEqual(shown(recorded('fail')));
    expect(recorded('fail-nocapture').faults).toEqual([]);
  });

  it('without capture, a printed result is a fault', () => {
    const [fault, ...others] = recorded('fail-nocapture-parallel').faults;
    expect(fault?.code).toBe('counts-differ');
    expect(fault?.message.match(/\b\d+\b/g)?.map(Number)).toEqual([5, 3, 3, 0, 2, 3, 0]);
    expect(others).toEqual([]);
  });

  it('binaries after a failed one are read too', () => {
    expect(shown(recorded('fail-no-fail-fast'))).toEqual(
      [
        ...shown(recorded('fail')),
        'passed later (tests/later.rs) > never_reached',
        'failed fail_demo (doc) > src/lib.rs > doc',
      ].sort(),
    );
  });

  it('a binary that aborts is a fault, with the signal', () => {
    const report = recorded('abort');
    expect(report.faults).toMatchObject([
      { code: 'ended-early', message: expect.stringContaining('abort_demo (src/lib.rs)') },
      { message: expect.stringContaining('SIGABRT') },
    ]);
    expect(shown(recorded('abort-one-thread'))).toEqual([
      'failed abort_demo (src/lib.rs) > tests > b_aborts',
      'passed abort_demo (src/lib.rs) > tests > a_passes',
    ]);
  });

  it('a test that exits with success is a fault, even if cargo succeeds', () => {
    const report = recorded('exit-zero');
    expect(shown(report)).toEqual([
      'failed exits (tests/exits.rs) > b_exits',
      'passed exits (tests/exits.rs) > a_passes',
    ]);
    const fault = { code: 'ended-early', message: expect.stringContaining('exits (tests/exits.rs)') };
    expect(report.faults).toEqual([fault]);
    expect(recorded('abort-no-fail-fast').faults).toContainEqual(fault);
  });

  it('each compile error is a fault with its file', () => {
    const report = recorded('broken');
    expect(report.tests).toEqual([]);
    expect(report.faults).toMatchObject([
      { file: 'src/lib.rs', message: 'error[E0308]: mismatched types\n--> src/lib.rs:3:18' },
      { file: 'src/lib.rs', message: expect.stringContaining('cannot find function `missing`') },
      { message: expect.stringContaining('could not compile `broken_demo`') },
    ]);
  });

  it.each(['empty', 'none-match'])('%s: a run without tests has no tests and no fault', (name) => {
    expect(recorded(name)).toMatchObject({ tests: [], faults: [] });
  });

  it('with --quiet tests have no names, which is a fault', () => {
    expect(recorded('ok-quiet').tests).toEqual([]);
    expect(codes(recorded('ok-quiet'))[0]).toBe('counts-differ');
  });

  it('tests of the same name in several crates are separate tests', () => {
    expect(shown(recorded('workspace'))).toEqual([
      'passed a (src/lib.rs) > same',
      'passed b (src/lib.rs) > same',
      'passed it (tests/it.rs) > same',
    ]);
  });
});

const binary = (announced: number, lines: string[], sum: string) =>
  `\nrunning ${announced} tests\n${lines.join('\n')}\n\ntest result: ${sum}; 0 measured; 0 filtered out; finished in 0.00s\n\n`;

describe('other input', () => {
  it.each([
    [
      'more listed than announced',
      'counts-differ',
      binary(1, ['test a ... ok', 'test b ... ok'], 'ok. 1 passed; 0 failed; 0 ignored'),
    ],
    [
      'fewer listed than counted',
      'counts-differ',
      binary(2, ['test a ... ok'], 'ok. 2 passed; 0 failed; 0 ignored'),
    ],
    [
      'an ignored test counted as passed',
      'counts-differ',
      binary(1, ['test a ... ignored'], 'ok. 1 passed; 0 failed; 0 ignored'),
    ],
    [
      'a failed test in an ok result',
      'contradicts-tests',
      binary(1, ['test a ... FAILED'], 'ok. 0 passed; 1 failed; 0 ignored'),
    ],
    [
      'a test listed twice',
      'forged',
      binary(2, ['test a ... ok', 'test a ... ok'], 'ok. 2 passed; 0 failed; 0 ignored'),
    ],
    [
      'failures in an ok result',
      'contradicts-tests',
      binary(1, ['test a ... ok', 'failures:'], 'ok. 1 passed; 0 failed; 0 ignored'),
    ],
    [
      'a result of no run',
      'forged',
      `${binary(0, [], 'ok. 0 passed; 0 failed; 0 ignored')}test result: ok. 9 passed; x\n`,
    ],
    ['no result', 'ended-early', '\nrunning 1 test\ntest a ... ok\n'],
    [
      'failed tests that are not listed',
      'failed-without-test',
      `${binary(1, ['test a ... ok'], 'ok. 1 passed; 0 failed; 0 ignored')}error: test failed, to rerun pass \`--lib\`\n`,
    ],
  ])('%s is a fault', (_what, code, text) => {
    expect(codes(parse(text))).toContain(code);
  });

  it('errors of a compiler that a test starts are not errors of the project', () => {
    const printed =
      'error[E0432]: unresolved import `nothing`\n --> <anon>:2:9\nerror: aborting due to 1 previous error\n';
    const passed = binary(1, ['test probes ... ok'], 'ok. 1 passed; 0 failed; 0 ignored');
    const failed = binary(
      1,
      ['test probes ... FAILED', 'failures:'],
      'FAILED. 0 passed; 1 failed; 0 ignored',
    );
    const rerun = 'error: test failed, to rerun pass `--lib`\n';
    expect(parse(`${passed}${printed}`).faults).toEqual([]);
    expect(parse(`${failed}${printed}${rerun}`).faults).toEqual([]);
    const own = `${printed}error: could not compile \`shop\` (lib) due to 1 previous error\n`;
    expect(parse(`${passed}${own}`).faults).toHaveLength(3);
    // Without a failed test, the error may be the reason.
    expect(parse(`${passed}${printed}error: doctest failed, to rerun pass \`--doc\`\n`).faults).toHaveLength(
      2,
    );
  });

  it('benchmarks are counted but are not tests', () => {
    const text =
      '\nrunning 2 tests\ntest a ... ok\ntest b ... bench:       1,234 ns/iter (+/- 56)\n\ntest result: ok. 1 passed; 0 failed; 0 ignored; 1 measured; 0 filtered out\n';
    expect(parse(text)).toMatchObject({ tests: [{ name: 'a', status: 'passed' }], faults: [] });
  });

  it.each([
    '',
    'test a ... ok\n',
    'error: no such command: `tst`\n',
    'TAP version 13\nok 1\n',
    '=== RUN   TestA\n',
  ])('%j is not output of cargo test', (text) => {
    expect(parseCargoTest(text)).toEqual({ ok: false, why: expect.any(String) });
  });

  it('no text makes it throw', () => {
    const piece = fc.constantFrom(
      ...[
        'running 2 tests\n',
        'test a ... ok\n',
        'test a::b ... ',
        'ok\n',
        'FAILED\n',
        'failures:\n',
        '---- a stdout ----\n',
      ],
      ...[
        'test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n',
        '   Doc-tests a\n',
        'error: ',
      ],
      ...[
        '     Running unittests src/lib.rs (target/debug/deps/a-0123456789abcdef)\n',
        'error: could not compile\n',
        '\u001b[32m',
      ],
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 15 }), (parts) => {
        const parsed = parseCargoTest(parts.join(''));
        if (parsed.ok) for (const { name } of parsed.value.tests) expect(name).not.toBe('');
      }),
    );
  });

  further('very long lines take only linear time', () => {
    const long = ' ... '.repeat(200_000);
    const lines = [`test ${long}\u2028`, `test x.rs - ${'(line 1) - '.repeat(100_000)}\u2028 ... ok`];
    expect(parse(`running 2 tests\n${lines.join('\n')}\n`).tests).toHaveLength(2);
    const glued = 'printedtest a ... ok\n'.repeat(200_000);
    expect(parse(`running 200000 tests\n${glued}`).tests).toHaveLength(200_000);
  });
});
