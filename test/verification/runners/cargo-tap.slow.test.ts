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
