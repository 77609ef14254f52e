import { afterAll, describe, expect, it } from 'vitest';
import { whyMissing } from '../../support/why-missing.ts';
import { CheatBase, config, type Files, task } from '../cheats/cheat-project.ts';

interface Workspace {
  missing: string | undefined;
  verify: string;
  base: Files;
  /** A new package whose code returns a number that its test compares with 6. */
  added: (value: string) => Files;
}

const goTest = (name: string, value: number) =>
  `package ${name}\n\nimport "testing"\n\nfunc TestNumber(t *testing.T) {\n\tif Number() != ${value} {\n\t\tt.Fatal("other")\n\t}\n}\n`;
const goModule = (name: string, value: string, expected: number) => ({
  [`${name}/go.mod`]: `module example.com/x/${name}\n\ngo 1.19\n`,
  [`${name}/${name}.go`]: `package ${name}\n\nfunc Number() int { return ${value} }\n`,
  [`${name}/${name}_test.go`]: goTest(name, expected),
});
const npmPackage = (name: string, value: string, expected: number) => ({
  [`packages/${name}/package.json`]: JSON.stringify({
    name,
    version: '1.0.0',
    scripts: { test: 'node --test' },
  }),
  [`packages/${name}/index.js`]: `exports.number = () => ${value};\n`,
  [`packages/${name}/${name}.test.js`]: `const test = require('node:test');\ntest('${name}', () => require('node:assert').equal(require('./index.js').number(), ${expected}));\n`,
});
const crate = (name: string, value: string, expected: number) => ({
  [`${name}/Cargo.toml`]: `[package]\nname = "${name}"\nversion = "0.1.0"\nedition = "2021"\n`,
  [`${name}/src/lib.rs`]: `pub fn number() -> i32 {\n    ${value}\n}\n`,
  [`${name}/tests/number.rs`]: `#[test]\nfn number_of_${name}() {\n    assert_eq!(${name}::number(), ${expected});\n}\n`,
});

const WORKSPACES: Readonly<Record<string, Workspace>> = {
  'go.work': {
    missing: whyMissing('go', 'version'),
    verify: 'tests:\n  command: go test ./one/... ./two/...\n',
    base: {
      'go.work': 'go 1.19\n\nuse (\n\t./one\n\t./two\n)\n',
      ...goModule('one', '1', 1),
      ...goModule('two', '2', 2),
    },
    added: (value) => ({
      'go.work': 'go 1.19\n\nuse (\n\t./one\n\t./three\n\t./two\n)\n',
      ...goModule('three', value, 6),
    }),
  },
  npm: {
    missing: undefined,
    verify:
      'setup: npm install --no-package-lock --offline --no-audit --no-fund\ntests:\n  command: npm test --workspaces --if-present\n  packages: affected\n',
    base: {
      'package.json': JSON.stringify({ name: 'root', private: true, workspaces: ['packages/*'] }),
      '.gitignore': 'node_modules\n',
      ...npmPackage('one', '1', 1),
    },
    added: (value) => npmPackage('three', value, 6),
  },
  cargo: {
    missing: whyMissing('cargo', '--version'),
    verify: 'tests:\n  command: cargo test --workspace --offline\n',
    base: {
      'Cargo.toml': '[workspace]\nmembers = ["one"]\nresolver = "2"\n',
      '.gitignore': 'target\nCargo.lock\n',
      ...crate('one', '1', 1),
    },
    added: (value) => ({
      'Cargo.toml': '[workspace]\nmembers = ["one", "three"]\nresolver = "2"\n',
      ...crate('three', value, 6),
    }),
  },
};

const bases: CheatBase[] = [];
afterAll(() => {
  for (const base of bases) base.cleanup();
});

describe.each(Object.entries(WORKSPACES))(
  'a new package of a workspace (%s)',
  (_name, { missing, verify, base, added }) => {
    const because = missing === undefined ? '' : ` (SKIPPED: ${missing})`;
    let made: CheatBase | undefined;
    const project = () => {
      made ??= new CheatBase({
        ...base,
        'tasks/TASK-001.md': task(),
        '.guardkit/config.yaml': config(verify),
        '.guardkit/config/quality-gates.yaml':
          'quality_gate_configs:\n  - {task_type: feature, complexity_range: [4, 6], coverage_required: false}\n',
      });
      if (!bases.includes(made)) bases.push(made);
      return made.project();
    };

    it.skipIf(missing !== undefined)(`has tests that count${because}`, async () => {
      const answer = await project().write(added('6')).verify();
      expect(answer.exitCode, answer.stdout + answer.stderr).toBe(0);
      expect(answer.gates.get('new-tests-bite')).toMatchObject({ result: 'pass' });
    });

    it.skipIf(missing !== undefined)(`is refused if its tests fail${because}`, async () => {
      const answer = await project().write(added('7')).verify();
      expect(answer.exitCode, answer.stdout + answer.stderr).toBe(1);
      expect(answer.gates.get('tests')).toMatchObject({ result: 'fail' });
    });
  },
);
