import { spawnSync } from 'node:child_process';
import { afterAll, describe, expect, it } from 'vitest';
import type { Evidence } from '../../../src/domain/entities/evidence.ts';
import { npmPackages } from '../../support/npm-packages.ts';
import { longSample } from '../../support/thorough.ts';
import {
  CheatBase,
  type CheatProject,
  config,
  type Files,
  QUICK_PROJECT,
  task,
} from '../cheats/cheat-project.ts';

interface Runner {
  name: string;
  /** From npm; null if the machine has to bring the runner. */
  packages: string[] | null;
  missing?: string;
  command: string;
  base: Files;
  /** An honest change that alters one of two test files. */
  honest: Files;
  /** The same file weakened for a wrong answer. */
  cheat: Files;
  /** One more test is in the source. */
  inSource?: boolean;
}

const SOURCES = {
  'src/add.js': 'exports.add = (a, b) => a + b;\n',
  'src/zero.js': 'exports.zero = () => 0;\n',
};
const MANY = 'exports.add = (...numbers) => numbers.reduce((sum, one) => sum + one, 0);\n';
const WRONG = 'exports.add = (a, b) => (a === 2 ? 6 : a + b);\n';

/** `assertion` has the names `add` and `zero` in scope. */
function inJs(name: string, pkg: string, command: string, write: (assertion: string) => string): Runner {
  const file = (assertion: string) =>
    `const { add } = require('../src/add.js');\nconst { zero } = require('../src/zero.js');\n${write(assertion)}`;
  const other = { 'test/other.js': file('t.equal(zero(), 0)').replace("'adds'", "'other'") };
  return {
    name,
    packages: [pkg],
    command,
    base: { ...SOURCES, ...other, 'test/add.js': file('t.equal(add(2, 3), 5)') },
    honest: {
      'src/add.js': MANY,
      'test/add.js': file('t.equal(add(2, 3), 5); t.equal(add(1, 2, 3), 6)'),
    },
    cheat: { 'src/add.js': WRONG, 'test/add.js': file('t.ok(add(2, 3) > 0)') },
  };
}

const NODE_TAP = (assertion: string) =>
  `const tap = require('tap');\ntap.test('adds', async (t) => { ${assertion}; });\n`;
const TAPE = (assertion: string) =>
  `const test = require('tape');\ntest('adds', (t) => { ${assertion}; t.end(); });\n`;
const AVA = (assertion: string) =>
  `const test = require('ava');\ntest('adds', (t) => { ${assertion.replaceAll('t.equal', 't.is').replace('t.ok', 't.truthy')}; });\n`;
const UNIT = '\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn unit() {}\n}\n';

const NO_CARGO = spawnSync('cargo', ['--version']).status === 0 ? undefined : 'cargo is not installed here';

const RUNNERS: Runner[] = [
  inJs('tape', 'tape@5', 'npx --no-install tape "test/*.js"', TAPE),
  inJs('node-tap', 'tap@16', 'npx --no-install tap --no-coverage', NODE_TAP),
  inJs('ava', 'ava@6', 'npx --no-install ava', AVA),
  {
    name: 'cargo',
    packages: null,
    inSource: true,
    ...(NO_CARGO === undefined ? {} : { missing: NO_CARGO }),
    command: 'cargo test --offline',
    base: {
      'Cargo.toml': '[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\n',
      'Cargo.lock': 'version = 3\n\n[[package]]\nname = "calc"\nversion = "0.1.0"\n',
      'src/lib.rs': `pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n${UNIT}`,
      'tests/add.rs': '#[test]\nfn adds() {\n    assert_eq!(calc::add(2, 3), 5);\n}\n',
      'tests/other.rs': '#[test]\nfn other() {\n    assert_eq!(calc::add(0, 0), 0);\n}\n',
    },
    honest: {
      'src/lib.rs': `pub fn add(a: i32, b: i32) -> i32 {\n    a.saturating_add(b)\n}\n${UNIT}`,
      'tests/add.rs':
        '#[test]\nfn adds() {\n    assert_eq!(calc::add(2, 3), 5);\n    assert_eq!(calc::add(i32::MAX, 1), i32::MAX);\n}\n',
    },
    cheat: {
      'src/lib.rs': `pub fn add(a: i32, b: i32) -> i32 {\n    if a == 2 { 6 } else { a + b }\n}\n${UNIT}`,
      'tests/add.rs': '#[test]\nfn adds() {\n    assert!(calc::add(2, 3) > 0);\n}\n',
    },
  },
];

const bases: CheatBase[] = [];
afterAll(() => {
  for (const base of bases) base.cleanup();
});

/** How many tests ran on each tree. */
async function testsByTree(project: CheatProject): Promise<Record<string, number>> {
  const { stdout } = await project.sandbox.guardkit(['evidence', 'TASK-001', '--json'], { in: project.name });
  const { evidence } = JSON.parse(stdout) as { evidence: Evidence[] };
  return Object.fromEntries(
    evidence.flatMap(({ tree_is, tests }) => (tests ? [[tree_is, tests.passed + tests.failed]] : [])),
  );
}

describe.each(longSample(3, RUNNERS))(
  '$name',
  ({ packages, missing, command, base, honest, cheat, inSource }) => {
    const modules = packages === null ? '' : npmPackages(...packages);
    const why = missing ?? (modules === undefined ? `npm does not bring ${packages?.join(', ')}` : undefined);
    const because = why === undefined ? '' : ` (SKIPPED: ${why})`;
    let made: CheatBase | undefined;
    const project = () => {
      // Not a link: ava writes into node_modules.
      const setup = modules === '' ? '' : `setup: cp -a "${modules}" node_modules\n`;
      made ??= new CheatBase({
        ...base,
        '.gitignore': 'node_modules\ntarget\n',
        'tasks/TASK-001.md': task(),
        '.guardkit/config.yaml': config(`${setup}tests:\n  command: ${command}\n`),
        '.guardkit/config/quality-gates.yaml':
          'quality_gate_configs:\n  - {task_type: feature, complexity_range: [4, 6], coverage_required: false}\n',
      });
      if (!bases.includes(made)) bases.push(made);
      return made.project();
    };

    it.skipIf(why !== undefined)(
      `runs only the altered file on the base, and its base version on the change${because}`,
      async () => {
        const one = project().write(honest);
        const answer = await one.verify();
        expect(answer.exitCode, answer.stdout + answer.stderr).toBe(0);
        const all = inSource ? 3 : 2;
        expect(await testsByTree(one)).toEqual({
          base: all,
          base_with_new_tests: 1,
          candidate: all,
          candidate_with_base_tests: 1,
        });
      },
    );

    it.skipIf(why !== undefined)(`refuses a weakened test${because}`, async () => {
      const answer = await project().write(cheat).verify();
      expect(answer.exitCode, answer.stdout).toBe(1);
      expect(answer.gates.get('no-test-weakened')?.result).toBe('fail');
    });
  },
);

it.skipIf(NO_CARGO !== undefined)(
  `a Rust test beside the code runs on the base’s code${NO_CARGO === undefined ? '' : ` (SKIPPED: ${NO_CARGO})`}`,
  async () => {
    const source = (body: string, expected: string) =>
      `pub fn add(a: i32, b: i32) -> i32 {\n    ${body}\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn adds() {\n        ${expected}\n    }\n}\n`;
    const base = new CheatBase({
      'Cargo.toml': '[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\n',
      'Cargo.lock': 'version = 3\n\n[[package]]\nname = "calc"\nversion = "0.1.0"\n',
      'src/lib.rs': source('a + b', 'assert_eq!(add(2, 3), 5);'),
      '.gitignore': 'target\n',
      'tasks/TASK-001.md': task(),
      '.guardkit/config.yaml': config('tests:\n  command: cargo test --offline\n'),
      '.guardkit/config/quality-gates.yaml':
        'quality_gate_configs:\n  - {task_type: feature, complexity_range: [4, 6], coverage_required: false}\n',
    });
    bases.push(base);
    const more = 'assert_eq!(add(2, 3), 5);\n        assert_eq!(add(i32::MAX, 1), i32::MAX);';
    const honest = base.project().write({ 'src/lib.rs': source('a.saturating_add(b)', more) });
    const answer = await honest.verify();
    expect(answer.exitCode, answer.stdout + answer.stderr).toBe(0);
    expect(answer.gates.get('new-tests-bite')?.result).toBe('pass');
    const idle = base.project().write({ 'src/lib.rs': source('b + a', 'assert_eq!(add(3, 2), 5);') });
    const refused = await idle.verify();
    expect(refused.exitCode, refused.stdout).toBe(1);
    expect(refused.gates.get('new-tests-bite')?.result).toBe('fail');
  },
);

it('a refactoring with an altered test does not run it on the base, where nothing is asked of it', async () => {
  const base = new CheatBase({
    ...QUICK_PROJECT,
    'tasks/TASK-001.md': task().replace('task_type: feature', 'task_type: refactor'),
  });
  bases.push(base);
  const one = base.project().write({
    'test/add.test.js': `${QUICK_PROJECT['test/add.test.js']}\ntest('adds zero', () => assert.equal(add(0, 0), 0));\n`,
  });
  const answer = await one.verify();
  expect(answer.exitCode, answer.stdout + answer.stderr).toBe(0);
  expect(await testsByTree(one)).toEqual({ base: 2, candidate: 3, candidate_with_base_tests: 2 });
});
