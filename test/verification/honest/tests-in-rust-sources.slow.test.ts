import { afterAll, expect, it } from 'vitest';
import { whyMissing } from '../../support/why-missing.ts';
import { CheatBase, config, type Files, task } from '../cheats/cheat-project.ts';

const missing = whyMissing('cargo', '--version');
const because = missing === undefined ? '' : ` (SKIPPED: ${missing})`;

const ADD =
  'pub fn add(a: i32, b: i32) -> i32 {\n    // Both numbers, taken together.\n    let sum = a + b;\n    sum\n}\n';
const MUL = 'pub fn mul(a: i32, b: i32) -> i32 {\n    a * b\n}\n';
const test = (name: string, assertion: string) =>
  `\n    #[test]\n    fn ${name}() {\n        assert_eq!(${assertion});\n    }\n`;
const tests = (...all: string[]) => `\n#[cfg(test)]\nmod tests {\n    use super::*;\n${all.join('')}}\n`;
const ADDS = test('adds', 'add(2, 3), 5');

const FILES: Files = {
  'Cargo.toml': '[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\n',
  'Cargo.lock': 'version = 3\n\n[[package]]\nname = "calc"\nversion = "0.1.0"\n',
  '.gitignore': 'target\n',
  'src/lib.rs': 'pub mod a;\n',
  'src/a.rs': ADD + tests(ADDS),
  'tasks/TASK-001.md': task(),
  '.guardkit/config.yaml': config('tests:\n  command: cargo test --offline\n'),
  '.guardkit/config/quality-gates.yaml':
    'quality_gate_configs:\n  - {task_type: feature, complexity_range: [4, 6], coverage_required: false}\n',
};
const base = new CheatBase(FILES);
afterAll(() => base.cleanup());
const moved = (text: string): Files => ({ 'src/lib.rs': 'pub mod b;\n', 'src/a.rs': null, 'src/b.rs': text });

it.skipIf(missing !== undefined)(`a moved source with one more test passes${because}`, async () => {
  const text = ADD + MUL + tests(ADDS, test('multiplies', 'mul(2, 3), 6'));
  const answer = await base.project().write(moved(text)).verify();
  expect(answer.exitCode, answer.stdout + answer.stderr).toBe(0);
  expect(answer.gates.get('no-test-weakened')).toMatchObject({ result: 'pass' });
});

it.skipIf(missing !== undefined)(
  `a moved source with another expectation in its test is refused${because}`,
  async () => {
    const text = ADD.replace('a + b', 'a + b + 1') + tests(test('adds', 'add(2, 3), 6'));
    const answer = await base.project().write(moved(text)).verify();
    expect(answer.exitCode, answer.stdout + answer.stderr).toBe(1);
    expect(answer.gates.get('no-test-weakened')).toMatchObject({ result: 'fail' });
  },
);

it.skipIf(missing !== undefined)(
  `code that only compiles with an altered test is refused${because}`,
  async () => {
    const weak = tests('\n    pub const SIX: i32 = 6;\n', test('adds', 'add(2, 3), SIX'));
    const text = `${ADD.replace('a + b', 'a + b + 1')}\n#[cfg(test)]\nconst _: i32 = tests::SIX;\n${weak}`;
    const answer = await base.project().write({ 'src/a.rs': text }).verify();
    expect(answer.exitCode, answer.stdout + answer.stderr).toBe(1);
    expect(answer.gates.get('no-test-weakened')).toMatchObject({ result: 'fail' });
  },
);

it.skipIf(missing !== undefined)(`a test of code that is gone cannot be compared${because}`, async () => {
  const text = ADD.replace('fn add', 'fn plus') + tests(test('adds', 'plus(2, 3), 5'));
  const answer = await base.project().write({ 'src/a.rs': text }).verify();
  expect(answer.gates.get('no-test-weakened')).toMatchObject({
    result: 'pass',
    warnings: [expect.any(String)],
  });
});

const MORE: Files = {
  'src/lib.rs': 'pub mod a;\npub mod m;\n',
  'src/m.rs': MUL + tests(test('multiplies', 'mul(2, 3), 6'), test('adds', 'mul(1, 3), 3')),
};

it.skipIf(missing !== undefined)(
  `a module of tests that only a feature compiles is lost${because}`,
  async () => {
    const text = ADD + tests(ADDS).replace('cfg(test)', 'cfg(all(test, feature = "slow"))');
    const answer = await base
      .project()
      .write({ ...MORE, 'src/a.rs': text })
      .verify();
    expect(answer.exitCode, answer.stdout + answer.stderr).toBe(1);
    expect(answer.gates.get('no-test-lost')).toMatchObject({ result: 'fail', code: 'not-run' });
  },
);

it.skipIf(missing !== undefined)(
  `a module whose tests no longer run, with more tests elsewhere, is refused${because}`,
  async () => {
    const lib = 'pub mod m;\n';
    const answer = await base
      .project()
      .write({ ...MORE, 'src/lib.rs': lib })
      .verify();
    expect(answer.exitCode, answer.stdout + answer.stderr).toBe(1);
    expect(answer.gates.get('no-test-lost')).toMatchObject({ result: 'fail', code: 'not-run' });
  },
);

const LIB = 'pub mod a;\npub mod c;\n';
const outside = (name: string, assertion: string) =>
  `\n#[test]\nfn ${name}() {\n    assert_eq!(${assertion});\n}\n`;
const DOUBLE = 'pub fn double(a: i32) -> i32 {\n    a * 2\n}\n';
const DOUBLES = outside('doubles', 'double(4), 8');
type Layout = (code: string, ...all: string[]) => Files;
const layouts: Record<string, Layout> = {
  'outside of a module': (code, ...all) => ({ 'src/lib.rs': LIB, 'src/c.rs': code + all.join('') }),
  'in a module with a file of its own': (code, ...all) => ({
    'src/lib.rs': `${LIB}\n#[cfg(test)]\nmod tests;\n`,
    'src/c.rs': code,
    'src/tests.rs': `use crate::c::*;\n${all.join('')}`,
  }),
};
const bases = Object.entries(layouts).map(([where, files]): [string, Layout, CheatBase] => [
  where,
  files,
  new CheatBase({ ...FILES, ...files(DOUBLE, DOUBLES) }),
]);
afterAll(() => {
  for (const [, , one] of bases) one.cleanup();
});

it.skipIf(missing !== undefined).each(bases)(
  `tests %s count as new, and altered ones are compared${because}`,
  async (_where, files, own) => {
    const half = `${DOUBLE}pub fn half(a: i32) -> i32 {\n    a / 2\n}\n`;
    const more = await own
      .project()
      .write(files(half, DOUBLES, outside('halves', 'half(4), 2')))
      .verify();
    expect(more.exitCode, more.stdout + more.stderr).toBe(0);
    expect(more.gates.get('new-tests-bite')).toMatchObject({ result: 'pass', required: true });
    const wrong = DOUBLE.replace('a * 2', 'a * a');
    const altered = await own
      .project()
      .write(files(wrong, outside('doubles', 'double(4), 16')))
      .verify();
    expect(altered.exitCode, altered.stdout + altered.stderr).toBe(1);
    expect(altered.gates.get('no-test-weakened')).toMatchObject({ result: 'fail' });
    const idle = await own
      .project()
      .write(files(half, DOUBLES, outside('quadruples', 'double(8), 16')))
      .verify();
    expect(idle.exitCode, idle.stdout + idle.stderr).toBe(1);
    expect(idle.gates.get('new-tests-bite')).toMatchObject({ code: 'pass-without-change' });
  },
);
