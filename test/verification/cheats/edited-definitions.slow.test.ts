import { afterAll, describe, expect, it } from 'vitest';
import { CheatBase, config, HONEST, MULTIPLY, ONE_PROCESS_PROJECT, task, UNTESTED } from './cheat-project.ts';
import { type Cheat, expectRefused, expectStopped, tryEach } from './expect-stopped.ts';

const base = new CheatBase({
  ...ONE_PROCESS_PROJECT,
  '.guardkit/config.yaml': `${ONE_PROCESS_PROJECT['.guardkit/config.yaml']}  checks:\n    - name: data\n      command: cat data.json\n      expect: { non_empty: $.items }\n`,
  'data.json': '{"items":[1]}\n',
  '.guardkit/config/quality-gates.yaml':
    'quality_gate_configs:\n  - {task_type: feature, complexity_range: [4, 6], coverage_threshold: 0.9}\n',
});
afterAll(() => base.cleanup());

/** Half of it is not covered. */
const HALF = { ...HONEST, 'src/multiply.js': MULTIPLY + UNTESTED };
const TOO_LITTLE = { gate: 'coverage', code: 'below-threshold', reason: /\b90\.0%/ } as const;

const CHEATS: Cheat[] = [
  {
    name: 'a node type that the change adds for its own architecture graph stays invalid',
    files: {
      ...HONEST,
      '.guardkit/config.yaml': `${ONE_PROCESS_PROJECT['.guardkit/config.yaml']}architecture:\n  types: [queue]\n`,
      '.maestro/knowledge.dot':
        'digraph knowledge {\n  jobs [type=queue, level=architecture, status=current, description="work to do"]\n}\n',
    },
    gate: 'architecture',
    reason: /knowledge\.dot:2:\d+: .*queue/,
  },
  {
    name: 'a threshold lowered by the change in the quality gates is ignored',
    files: {
      ...HALF,
      '.guardkit/config/quality-gates.yaml':
        'quality_gate_configs:\n  - {task_type: feature, complexity_range: [4, 6], coverage_threshold: 0.0}\n',
    },
    ...TOO_LITTLE,
  },
  {
    name: 'a threshold lowered by the change in the overrides is ignored',
    files: {
      ...HALF,
      '.guardkit/config/entity-overrides.yaml':
        'quality_gate_configs:\n  feature:\n    overrides:\n      - {complexity_range: [1, 10], coverage_threshold: 0.0, coverage_required: false}\n',
    },
    ...TOO_LITTLE,
  },
  {
    name: 'quality gates removed by the change still apply',
    files: { ...HALF, '.guardkit/config/quality-gates.yaml': null },
    ...TOO_LITTLE,
  },
  {
    name: 'a task whose type the change edits is judged by its base type',
    files: { ...HALF, 'tasks/TASK-001.md': task().replace('task_type: feature', 'task_type: documentation') },
    ...TOO_LITTLE,
  },
  {
    name: 'a task that the change simplifies is judged by its base version',
    files: { ...HALF, 'tasks/TASK-001.md': task().replace('complexity: 5', 'complexity: 1') },
    ...TOO_LITTLE,
  },
  {
    name: 'a permission to remove tests that the change grants itself is ignored',
    files: { ...HONEST, 'tasks/TASK-001.md': task('removes_tests: true'), 'test/add.test.js': null },
    gate: 'no-test-lost',
    code: 'file-deleted',
    reason: /test\/add\.test\.js/,
  },
  {
    name: 'a permission for tests to pass on the base that the change grants itself is ignored',
    files: {
      ...HONEST,
      'tasks/TASK-001.md': task('tests_may_pass_on_base: true'),
      'test/multiply.test.js':
        "import { test } from 'node:test';\n\ntest('multiplies two numbers', () => {});\n",
    },
    gate: 'new-tests-bite',
    code: 'pass-without-change',
    reason: /multiplies two numbers/,
  },
  {
    name: 'test commands that the change gives its task do not run',
    files: {
      ...HONEST,
      'src/multiply.js': MULTIPLY.replace('*', '+'),
      'tasks/TASK-001.md': task('verify:\n  tests:\n    command: "true"'),
    },
    gate: 'tests',
    reason: /multiplies two numbers/,
  },
  {
    name: 'test commands that the change gives the project do not run',
    files: {
      ...HONEST,
      'src/multiply.js': MULTIPLY.replace('*', '+'),
      '.guardkit/config.yaml': config('tests:\n  command: node --test test/add.test.js\n'),
    },
    gate: 'tests',
    reason: /multiplies two numbers/,
  },
  {
    name: 'a check removed by the change still runs',
    files: {
      ...HONEST,
      '.guardkit/config.yaml': ONE_PROCESS_PROJECT['.guardkit/config.yaml'] ?? '',
      'data.json': '{"items":[]}\n',
    },
    gate: 'non-empty',
    reason: /\$\.items\b/,
  },
  {
    name: 'a feature file added by the change does not make its task easier',
    files: {
      ...HALF,
      '.guardkit/features/FEAT-001.yaml':
        'id: FEAT-001\nname: Numbers\ntasks:\n  - id: TASK-001\nverify:\n  tests:\n    command: "true"\n',
      'tasks/TASK-001.md': task('feature_id: FEAT-001'),
    },
    ...TOO_LITTLE,
  },
];

describe.concurrent('edited definitions', () => {
  tryEach(base, CHEATS);

  it('criteria removed by the change are still required', async () => {
    const project = base.project().write({
      ...HONEST,
      'src/multiply.js': MULTIPLY.replace('*', '+'),
      'tasks/TASK-001.md': task('', '- nothing'),
    });
    const answer = await project.verify();
    expectStopped(answer, { gate: 'tests', reason: /multiplies two numbers/ });
    expect(answer.stdout).toContain('gives the product');
  });

  it('a task that only the change defines cannot be verified', async () => {
    const project = base.project().write({
      ...HONEST,
      'tasks/TASK-002.md': task().replace('TASK-001', 'TASK-002').replace('feature', 'documentation'),
    });
    const answer = await project.sandbox.guardkit(['verify', 'TASK-002', '--json'], { in: project.name });
    expectRefused(answer, 'work.unknown');
  });

  it('a threshold lowered in memory by a program is ignored', async () => {
    const own = new CheatBase(ONE_PROCESS_PROJECT);
    const project = own.project().write(HALF);
    const body = {
      task_type: 'feature',
      complexity_range: [4, 6],
      arch_review_required: false,
      arch_review_threshold: 0,
      coverage_required: false,
      coverage_threshold: 0,
      tests_required: false,
      tests_must_pass: false,
      effective_from: '2026-01-01T00:00:00.000Z',
    };
    await project.sandbox.graphiti(
      [
        'add',
        'quality_gate_configs',
        '--id',
        'QG-feature-4-6',
        '--type',
        'quality_gate_config',
        '--body',
        '-',
      ],
      { input: JSON.stringify(body) },
    );
    expectStopped(await project.verify(), {
      gate: 'coverage',
      code: 'below-threshold',
      reason: /\b80\.0%/,
    });
    own.cleanup();
  });
});
