import { basename } from 'node:path';
import { expect, it } from 'vitest';
import { readRuleFiles } from '../../../src/config/rule-files/rule-files.ts';
import type { Fault } from '../../../src/config/yaml/yaml-file.ts';
import { projectWith, type RuleTexts } from '../../rules/rule-sources-fixture.ts';
import { expectFaults, fileAndLine } from '../../support/expect-faults.ts';

async function faultsOf(texts: RuleTexts): Promise<Fault[]> {
  const result = await readRuleFiles(projectWith(texts));
  return result.ok ? [] : result.faults.map((fault) => ({ ...fault, file: basename(fault.file) }));
}

const gates = (text: string): RuleTexts => ({ gates: `quality_gate_configs:\n${text}` });

it.each<[string, RuleTexts, string]>([
  [
    'percent where a fraction is meant',
    gates('  - {task_type: feature, complexity_range: [4, 6], coverage_threshold: 80}\n'),
    'quality-gates.yaml:2:72 invalid-value quality_gate_configs.0.coverage_threshold 0.80 80',
  ],
  [
    'a misspelt key',
    gates('  - task_type: feature\n    complexity_range: [4, 6]\n    coverage_treshold: 0.8\n'),
    'quality-gates.yaml:4:5 unknown-key quality_gate_configs.0.coverage_treshold coverage_threshold',
  ],
  [
    'a wrong type',
    gates('  - {task_type: feature, complexity_range: [4, 6], tests_required: sometimes}\n'),
    'quality-gates.yaml:2:68 invalid-value quality_gate_configs.0.tests_required true false sometimes',
  ],
  [
    'a range that is the wrong way round',
    gates('  - {task_type: feature, complexity_range: [6, 4]}\n'),
    'quality-gates.yaml:2:44 invalid-value quality_gate_configs.0.complexity_range [6,4]',
  ],
  [
    'ranges that overlap',
    gates(
      '  - {task_type: feature, complexity_range: [1, 5]}\n  - {task_type: feature, complexity_range: [5, 7]}\n',
    ),
    'quality-gates.yaml:3:26 overlap 5–7 feature 1–5',
  ],
  [
    'a profile that has nothing to fall back on and says too little',
    gates(
      '  - {task_type: spike, complexity_range: [1, 10], arch_review_required: false, arch_review_threshold: 0, coverage_required: false, coverage_threshold: 0, tests_required: false}\n',
    ),
    'quality-gates.yaml:2:6 missing tests_must_pass spike',
  ],
  [
    'a profile for a type that borrows one',
    gates('  - {task_type: bugfix, complexity_range: [1, 10], coverage_threshold: 0.5}\n'),
    'quality-gates.yaml:2:6 borrowed-profile bugfix feature',
  ],
  [
    'an override of a type that does not exist',
    { overrides: 'quality_gate_configs:\n  featur:\n    overrides: []\n' },
    'entity-overrides.yaml:2:3 unknown-task-type "featur" feature',
  ],
  [
    'overrides that overlap',
    {
      overrides:
        'quality_gate_configs:\n  feature:\n    overrides:\n      - {complexity_range: [1, 5], coverage_threshold: 0.5}\n      - {complexity_range: [5, 6], coverage_threshold: 0.6}\n',
    },
    'entity-overrides.yaml:5:10 overlap 5–6 feature 1–5',
  ],
  [
    'a role that does not exist',
    { overrides: 'role_constraints:\n  referee:\n    must_do_additions: [x]\n' },
    'entity-overrides.yaml:2:3 unknown-key role_constraints.referee',
  ],
  [
    'a list that is no list',
    { overrides: 'role_constraints:\n  coach:\n    must_do_additions: be kind\n' },
    'entity-overrides.yaml:3:24 invalid-value role_constraints.coach.must_do_additions list kind',
  ],
])(
  '%s is a fault with its place, what was found and the likely fix [RULE-10]',
  async (_what, texts, expected) => {
    expectFaults(await faultsOf(texts), [expected], fileAndLine);
  },
);

it('ranges that leave holes are a fault where nothing else covers them', async () => {
  const full =
    'arch_review_required: false, arch_review_threshold: 0, coverage_required: false, coverage_threshold: 0, tests_required: false, tests_must_pass: false';
  const faults = await faultsOf(gates(`  - {task_type: spike, complexity_range: [1, 4], ${full}}\n`));
  expectFaults(faults, ['quality-gates.yaml:2:24 uncovered-complexity spike 5, 6, 7, 8, 9, 10'], fileAndLine);
});

it('every fault of both files is found at once', async () => {
  const faults = await faultsOf({
    ...gates('  - {task_type: feature, complexity_range: [4, 60], coverage_threshold: 80}\n'),
    overrides: 'rol_constraints: {}\nquality_gate_configs: {feature: {overides: []}}\n',
  });
  expect(faults).toHaveLength(4);
  expect(new Set(faults.map(({ file }) => file))).toEqual(
    new Set(['quality-gates.yaml', 'entity-overrides.yaml']),
  );
});

it('a partial file uses the defaults for the rest and has no fault', async () => {
  expect(
    await faultsOf(gates('  - {task_type: feature, complexity_range: [2, 2], coverage_threshold: 0.5}\n')),
  ).toEqual([]);
});
