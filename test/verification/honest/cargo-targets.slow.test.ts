import { afterAll, expect, it } from 'vitest';
import { whyMissing } from '../../support/why-missing.ts';
import { CheatBase, config, type Files, task } from '../cheats/cheat-project.ts';

const missing = whyMissing('cargo', '--version');
const because = missing === undefined ? '' : ` (SKIPPED: ${missing})`;

const MANIFEST =
  '[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\nautotests = false\n\n[lib]\npath = "code/lib.rs"\n\n[[test]]\nname = "adding"\npath = "checks/adding.rs"\n';
const ADD = 'pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n';
const MUL = 'pub fn mul(a: i32, b: i32) -> i32 {\n    a * b\n}\n';
const ADDING = 'mod common;\n\n#[test]\nfn adds() {\n    assert_eq!(calc::add(2, 3), common::five());\n}\n';
const MULTIPLYING = '#[test]\nfn multiplies() {\n    assert_eq!(calc::mul(2, 3), 6);\n}\n';
const listed = (name: string) => `\n[[test]]\nname = "${name}"\npath = "checks/${name}.rs"\n`;
const WRONG_ADD = ADD.replace('a + b', 'a + b + 1');

const base = new CheatBase({
  'Cargo.toml': MANIFEST,
  'Cargo.lock': 'version = 3\n\n[[package]]\nname = "calc"\nversion = "0.1.0"\n',
  '.gitignore': 'target\n',
  'code/lib.rs': ADD,
  'checks/adding.rs': ADDING,
  'checks/common.rs': 'pub fn five() -> i32 {\n    5\n}\n',
  'tasks/TASK-001.md': task(),
  '.guardkit/config.yaml': config('tests:\n  command: cargo test --offline\n'),
  '.guardkit/config/quality-gates.yaml':
    'quality_gate_configs:\n  - {task_type: feature, complexity_range: [4, 6], coverage_required: false}\n',
});
afterAll(() => base.cleanup());

const HONEST: Record<string, Files> = {
  'another test in a listed file': {
    'code/lib.rs': ADD + MUL,
    'checks/adding.rs': `${ADDING}\n${MULTIPLYING}`,
  },
  'another listed file': {
    'code/lib.rs': ADD + MUL,
    'Cargo.toml': MANIFEST + listed('multiplying'),
    'checks/multiplying.rs': MULTIPLYING,
  },
};

it.skipIf(missing !== undefined).each(Object.entries(HONEST))(
  `a change with %s passes${because}`,
  async (_name, files) => {
    const answer = await base.project().write(files).verify();
    expect(answer.exitCode, answer.stdout + answer.stderr).toBe(0);
    expect(answer.gates.get('new-tests-bite')).toMatchObject({ result: 'pass' });
  },
);

const SIX = `pub const SIX: i32 = 6;\n${ADDING.replace('mod common;\n\n', '').replace('common::five()', 'SIX')}`;

const CHEATS: Record<string, { gate: string; files: Files }> = {
  'an altered expectation, and code that needs another part of that version': {
    gate: 'no-test-weakened',
    files: {
      'code/lib.rs': `${WRONG_ADD}${MUL}
#[cfg(test)]
extern crate self as calc;
#[cfg(test)]
#[path = "../checks/adding.rs"]
mod adding;
#[cfg(test)]
const _: i32 = adding::SIX;
`,
      'checks/adding.rs': `${SIX}\n${MULTIPLYING}`,
      // Nobody can tell which tests it affects.
      'tests/conftest.py': '',
    },
  },
  'an altered expectation': {
    gate: 'no-test-weakened',
    files: { 'code/lib.rs': WRONG_ADD, 'checks/adding.rs': ADDING.replace('common::five()', '6') },
  },
  'an altered helper': {
    gate: 'no-test-weakened',
    files: { 'code/lib.rs': WRONG_ADD, 'checks/common.rs': 'pub fn five() -> i32 {\n    6\n}\n' },
  },
  'a new listed file whose test does not use the change': {
    gate: 'new-tests-bite',
    files: {
      'code/lib.rs': ADD + MUL,
      'Cargo.toml': MANIFEST + listed('multiplying'),
      'checks/multiplying.rs': MULTIPLYING.replace('calc::mul(2, 3)', 'calc::add(3, 3)'),
    },
  },
  'an altered expectation, and a new listed file that needs another part of that version': {
    gate: 'no-test-weakened',
    files: {
      'code/lib.rs': WRONG_ADD + MUL,
      'Cargo.toml': MANIFEST + listed('multiplying'),
      'checks/adding.rs': SIX,
      'checks/multiplying.rs': `#[path = "adding.rs"]\nmod adding;\n\n${MULTIPLYING.replace(', 6)', ', adding::SIX)')}`,
      'tests/conftest.py': '',
    },
  },
  'a listed file that is no longer listed': {
    gate: 'harness',
    files: {
      'code/lib.rs': WRONG_ADD + MUL,
      'Cargo.toml': MANIFEST.slice(0, MANIFEST.indexOf('\n[[test]]')) + listed('multiplying'),
      'checks/multiplying.rs': MULTIPLYING,
    },
  },
};

it.skipIf(missing !== undefined).each(Object.entries(CHEATS))(
  `a change with %s is refused${because}`,
  async (_name, { gate, files }) => {
    const answer = await base.project().write(files).verify();
    expect(answer.exitCode, answer.stdout + answer.stderr).toBe(1);
    expect(answer.gates.get(gate)).toMatchObject({ result: 'fail', required: true });
  },
);

it.skipIf(missing !== undefined)(
  `a listed test that takes the name of another one does not replace it${because}`,
  async ({ onTestFinished }) => {
    const found = new CheatBase({
      'Cargo.toml': '[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\n',
      'Cargo.lock': 'version = 3\n\n[[package]]\nname = "calc"\nversion = "0.1.0"\n',
      '.gitignore': 'target\n',
      'src/lib.rs': ADD,
      'tests/adding.rs': ADDING.replace('mod common;\n\n', '').replace('common::five()', '5'),
      'tasks/TASK-001.md': task(),
      '.guardkit/config.yaml': config('tests:\n  command: cargo test --offline\n'),
      '.guardkit/config/quality-gates.yaml':
        'quality_gate_configs:\n  - {task_type: feature, complexity_range: [4, 6], coverage_required: false}\n',
    });
    onTestFinished(() => found.cleanup());
    const answer = await found
      .project()
      .write({
        'src/lib.rs': WRONG_ADD,
        'Cargo.toml': `[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\n${listed('adding')}`,
        'checks/adding.rs': '#[test]\nfn adds() {\n    assert_eq!(calc::add(2, 3), 6);\n}\n',
      })
      .verify();
    expect(answer.exitCode, answer.stdout + answer.stderr).toBe(1);
    expect(answer.gates.get('no-test-lost')).toMatchObject({ result: 'fail' });
  },
);
