import { afterAll, expect, it } from 'vitest';
import { whyMissing } from '../../support/why-missing.ts';
import { CheatBase, config, type Files, task } from '../cheats/cheat-project.ts';

const missing = whyMissing('go', 'version');
const because = missing === undefined ? '' : ` (SKIPPED: ${missing})`;

const ADD =
  '// Add returns the sum of both numbers.\nfunc Add(a, b int) int {\n\tsum := a + b\n\treturn sum\n}\n';
const MUL = '// Mul returns the product.\nfunc Mul(a, b int) int { return a * b }\n';
const test = (name: string, call: string, value: string) =>
  `\nfunc Test${name}(t *testing.T) {\n\tif got := ${call}; got != ${value} {\n\t\tt.Fatal("got", got)\n\t}\n}\n`;
const ADDS = test('Add', 'Add(2, 3)', '5');
const tests = (home: string, ...all: string[]) => `package ${home}\n\nimport "testing"\n${all.join('')}`;

const base = new CheatBase({
  'go.mod': 'module example.com/calc\n\ngo 1.19\n',
  'sum/add.go': `package sum\n\n${ADD}`,
  'sum/add_test.go': tests('sum', ADDS),
  'sum/zero.go': 'package sum\n\n// Zero is the empty sum.\nconst Zero = 0\n',
  'sum/zero_test.go': tests('sum', test('Zero', 'Zero', '0')),
  'text/upper.go': 'package text\n\nfunc Upper() string { return "A" }\n',
  'text/upper_test.go': tests('text', test('Upper', 'Upper()', '"A"')),
  'tasks/TASK-001.md': task(),
  '.guardkit/config.yaml': config('tests:\n  command: go test ./...\n'),
  '.guardkit/config/quality-gates.yaml':
    'quality_gate_configs:\n  - {task_type: feature, complexity_range: [4, 6], coverage_required: false}\n',
});
afterAll(() => base.cleanup());

/** The whole package under another name, or one file of it in another package. */
const MOVED: Readonly<Record<string, (code: string, ...all: string[]) => Files>> = {
  'a package': (code, ...all) => ({
    'sum/add.go': null,
    'sum/add_test.go': null,
    'sum/zero.go': null,
    'sum/zero_test.go': null,
    'number/sum/add.go': `package sum\n\n${code}`,
    'number/sum/add_test.go': tests('sum', ...all),
    'number/sum/zero.go': 'package sum\n\n// Zero is the empty sum.\nconst Zero = 0\n',
    'number/sum/zero_test.go': tests('sum', test('Zero', 'Zero', '0')),
  }),
  'a file of a package': (code, ...all) => ({
    'sum/add.go': null,
    'sum/add_test.go': null,
    'text/add.go': `package text\n\n${code}`,
    'text/add_test.go': tests('text', ...all),
  }),
};

it.skipIf(missing !== undefined).each(Object.entries(MOVED))(
  `%s that moves with its tests and one more passes${because}`,
  async (_name, files) => {
    const answer = await base
      .project()
      .write(files(`${ADD}\n${MUL}`, ADDS, test('Mul', 'Mul(2, 3)', '6')))
      .verify();
    expect(answer.exitCode, answer.stdout + answer.stderr).toBe(0);
    expect(answer.gates.get('new-tests-bite')).toMatchObject({ result: 'pass' });
  },
);

it.skipIf(missing !== undefined).each(Object.entries(MOVED))(
  `%s that moves without one of its tests is refused${because}`,
  async (_name, files) => {
    const answer = await base
      .project()
      .write(files(`${ADD.replace('a + b', 'a - b')}\n${MUL}`, test('Mul', 'Mul(2, 3)', '6')))
      .verify();
    expect(answer.exitCode, answer.stdout + answer.stderr).toBe(1);
    expect(answer.gates.get('no-test-lost')).toMatchObject({ result: 'fail' });
  },
);
