import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { APPROVAL, BuildProject, HONEST_TURN } from '../../../support/build-project.ts';
import { MEASURED_FILES, testFile } from '../../../support/verified-project.ts';
import { SavedProject } from './saved-project.ts';

export const TASK_2 = `---
id: TASK-002
title: Multiply
task_type: feature
complexity: 2
feature_id: FEAT-CALC
---
# Multiply

## Acceptance Criteria
- AC-001: multiplies two numbers
`;

/** Two tasks of one feature. */
export const FEATURE_FILES: Readonly<Record<string, string>> = {
  ...MEASURED_FILES,
  'tasks/TASK-001-subtract.md': (MEASURED_FILES['tasks/TASK-001-subtract.md'] ?? '').replace(
    'complexity: 2',
    'complexity: 2\nfeature_id: FEAT-CALC',
  ),
  'tasks/TASK-002-multiply.md': TASK_2,
  '.guardkit/features/FEAT-CALC.yaml': 'id: FEAT-CALC\nname: Calculator\ntasks: [TASK-001, TASK-002]\n',
};

export const MULTIPLY = {
  player: {
    write: {
      'src/mul.js': 'export const mul = (a, b) => a * b;\n',
      'test/mul.test.js': testFile('AC-001 multiplies', 'mul', 'mul(3, 2)', '6'),
      '.claude/task-plans/TASK-002-implementation-plan.md': '# Multiply\n',
    },
    report: {
      decision: 'implemented',
      summary: 'Added mul',
      files_modified: ['src/mul.js', 'test/mul.test.js'],
    },
  },
  coach: {
    verdict: { ...APPROVAL, criteria: { 'AC-001': { status: 'verified', evidence: 'AC-001 multiplies' } } },
  },
};

const NO = {
  decision: 'rejected',
  criteria: { 'AC-001': { status: 'rejected', evidence: '' } },
  arch_score: 80,
  feedback: 'Refuse text instead of numbers, with an error that names it.',
  what_to_try_next: 'Check the type of both operands first',
};

/** A Coach that approves too early, then asks for the same twice. */
export const LONG_WAY = [
  {
    player: {
      write: { 'src/sub.js': 'export const sub = (a, b) => a - b;\n' },
      report: {
        decision: 'implemented',
        summary: 'Added sub',
        files_modified: ['src/sub.js'],
        tests_passed: 12,
      },
      cost_usd: 0.2,
    },
    coach: {
      verdict: { ...APPROVAL, criteria: { 'AC-001': { status: 'verified', evidence: 'tests' } } },
      cost_usd: 0.05,
    },
  },
  {
    player: { ...HONEST_TURN.player, cost_usd: 0.1 },
    coach: { verdict: NO, cost_usd: 0.05 },
  },
  {
    player: {
      write: { 'src/sub.js': 'export const sub = (a, b) => Number(a) - Number(b);\n' },
      report: {
        decision: 'implemented',
        summary: 'Converted both operands',
        files_modified: ['src/sub.js'],
        blockers: ['It is not said which error is wanted'],
      },
      cost_usd: 0.1,
    },
    coach: {
      verdict: { ...NO, feedback: 'Refuse text instead of numbers, with an error that names it!' },
      cost_usd: 0.05,
    },
  },
  { player: { ...HONEST_TURN.player, cost_usd: 0.1 }, coach: { ...HONEST_TURN.coach, cost_usd: 0.05 } },
];

export function calculator(): BuildProject {
  const project = new BuildProject(FEATURE_FILES);
  project.git('checkout', '--quiet', 'main');
  return project;
}

/** A calculator whose feature is built and approved, the same before every test of the file. */
export function builtCalculator(): BuildProject {
  const project = calculator();
  let saved: SavedProject | undefined;
  beforeAll(async () => {
    expect((await project.build(STRAIGHT, ['FEAT-CALC'])).json.outcome).toBe('approved');
    saved = new SavedProject(project);
  }, 120_000);
  beforeEach(() => saved?.putBack());
  afterAll(() => {
    saved?.cleanup();
    project.cleanup();
  });
  return project;
}

/** Both tasks, each in its first turn. */
export const STRAIGHT = {
  tasks: { 'TASK-001': { turns: [HONEST_TURN] }, 'TASK-002': { turns: [MULTIPLY] } },
};
