import { spawnSync } from 'node:child_process';
import { afterEach, expect, it } from 'vitest';
import { TestProject } from './test-project.ts';

const HAS_CARGO = spawnSync('cargo', ['--version']).status === 0;

let project: TestProject | undefined;
afterEach(() => project?.remove());

it.skipIf(!HAS_CARGO)(
  `cargo test names crate, test and file, and its tests see nothing of us${HAS_CARGO ? '' : ' (SKIPPED: cargo is not installed here)'}`,
  async () => {
    project = new TestProject({
      'Cargo.toml': '[workspace]\nmembers = ["calc"]\nresolver = "2"\n',
      'calc/Cargo.toml': '[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\n',
      'calc/src/lib.rs':
        'pub fn add(a: i32, b: i32) -> i32 { a + b }\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn unit() {}\n}\n',
      'calc/tests/look.rs': `#[test]
fn sees_nothing() {
    for (name, value) in std::env::vars() {
        assert!(!name.contains("GUARDKIT") && !value.contains("/tap"), "{name}={value}");
        assert!(name != "PYTHONPATH" && name != "NODE_OPTIONS", "{name}={value}");
    }
}

#[test]
fn fails() {
    assert_eq!(calc::add(1, 1), 3);
}
`,
    });
    const home = process.env.HOME ?? '';
    const { exitCode, stdout, stderr } = await project.run(
      `export RUSTUP_HOME='${home}/.rustup'; cargo test --offline --no-fail-fast > output.txt`,
    );
    const { reports, unreadable } = await project.collect(stdout);
    expect(exitCode, stderr).toBe(101);
    expect(unreadable).toEqual([]);
    expect(reports).toMatchObject([{ runner: 'cargo test', faults: [] }]);
    expect(
      reports
        .flatMap(({ tests }) => tests.map(({ status, name, file }) => `${status} ${name} in ${file}`))
        .sort(),
    ).toEqual([
      'failed look (tests/look.rs) > fails in calc/tests/look.rs',
      'passed calc (src/lib.rs) > tests > unit in undefined',
      'passed look (tests/look.rs) > sees_nothing in calc/tests/look.rs',
    ]);
  },
);

const WORKSPACE = {
  'Cargo.toml': '[workspace]\nmembers = ["calc", "other"]\ndefault-members = ["calc"]\nresolver = "2"\n',
  'calc/Cargo.toml': '[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\n',
  'calc/src/lib.rs': '#[cfg(test)]\nmod tests {\n    #[test]\n    fn unit() {}\n}\n',
  'calc/tests/a.rs': '#[test]\nfn in_a() {}\n',
  'calc/tests/b.rs': 'mod parts;\n#[test]\nfn in_b() {}\n',
  'calc/tests/parts/mod.rs': '#[test]\nfn in_parts() {}\n',
  'other/Cargo.toml': '[package]\nname = "other"\nversion = "0.1.0"\nedition = "2021"\n',
  'other/src/lib.rs': '',
  'other/tests/c.rs': '#[test]\nfn in_c() {}\n',
};
const EVERYTHING = ['in_a', 'in_b', 'parts > in_parts', 'tests > unit'];

it.skipIf(!HAS_CARGO).each([
  ['an integration test', '', ['calc/tests/a.rs'], ['in_a']],
  ['two of them', '', ['calc/tests/a.rs', 'calc/tests/b.rs'], ['in_a', 'in_b', 'parts > in_parts']],
  ['one, where the command names all targets', '--all-targets', ['calc/tests/a.rs'], ['in_a']],
  ['one, with arguments for the tests', '-- --test-threads=1', ['calc/tests/a.rs'], ['in_a']],
  ['one of a chosen package', '-p other', ['other/tests/c.rs'], ['in_c']],
  ['everything for a module of a test', '', ['calc/tests/parts/mod.rs'], EVERYTHING],
  ['everything for a test of another package', '', ['other/tests/c.rs'], EVERYTHING],
  ['what the command chooses itself', '--lib', ['calc/tests/a.rs'], ['tests > unit']],
])('cargo test runs %s', async (_what, args, select, names) => {
  project = new TestProject(WORKSPACE, { select });
  const home = process.env.HOME ?? '';
  const { stderr, stdout } = await project.run(
    `export RUSTUP_HOME='${home}/.rustup'; cargo test --offline ${args}`,
  );
  const { reports, unreadable } = await project.collect(stdout);
  expect(unreadable, stderr).toEqual([]);
  const found = reports.flatMap(({ tests }) =>
    tests.map(({ name }) => name.split(' > ').slice(1).join(' > ')),
  );
  expect(found.sort()).toEqual(names);
});

it.skipIf(!HAS_CARGO)('cargo test runs the tests after a binary with a failure', async () => {
  project = new TestProject({
    ...WORKSPACE,
    'calc/src/lib.rs':
      '#[cfg(test)]\nmod tests {\n    #[test]\n    fn unit() {\n        panic!()\n    }\n}\n',
  });
  const home = process.env.HOME ?? '';
  const { exitCode, stdout } = await project.run(
    `export RUSTUP_HOME='${home}/.rustup'; cargo test --offline -- --test-threads=1`,
  );
  expect(exitCode).toBe(101);
  const { reports } = await project.collect(stdout);
  const found = reports.flatMap(({ tests }) =>
    tests.map(({ name, status }) => `${status} ${name.split(' > ').slice(1).join(' > ')}`),
  );
  expect(found.sort()).toEqual([
    'failed tests > unit',
    ...EVERYTHING.filter((name) => !name.endsWith('unit')).map((name) => `passed ${name}`),
  ]);
});
