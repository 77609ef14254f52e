import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NO_RULE_FILES } from '../../src/config/rule-files/rule-files.ts';
import { DEFAULT_QUALITY_GATE_CONFIGS } from '../../src/domain/entities/quality-gate-config.ts';
import {
  knownTaskTypes,
  type ResolvedQualityGates,
  resolveQualityGates,
} from '../../src/rules/resolve-quality-gates.ts';
import { BARE, filesWith, SEEDED } from './rule-sources-fixture.ts';

const COMPLEXITIES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

function thresholds({ values }: ResolvedQualityGates) {
  return [values.arch_review_threshold.value, values.coverage_threshold.value, values.tests_required.value];
}

it.each([
  ['feature', 2, [50, 0.7, true]],
  ['feature', 5, [60, 0.8, true]],
  ['feature', 7, [70, 0.85, true]],
  ['testing', 4, [0, 0.9, true]],
  ['scaffolding', 10, [0, 0, false]],
  ['documentation', 1, [0, 0, false]],
])('%s at complexity %i is judged by its own profile', (taskType, complexity, expected) => {
  expect(thresholds(resolveQualityGates(SEEDED, taskType, complexity))).toEqual(expected);
  expect(thresholds(resolveQualityGates(BARE, taskType, complexity))).toEqual(expected);
});

it('every type and complexity resolves to exactly one profile [RULE-4]', () => {
  for (const taskType of knownTaskTypes(SEEDED)) {
    for (const complexity of COMPLEXITIES) {
      const { complexity_range } = resolveQualityGates(SEEDED, taskType, complexity);
      const [low, high] = complexity_range.value;
      expect(low <= complexity && complexity <= high).toBe(true);
    }
  }
});

it.each(['bugfix', 'refactor'])('%s is judged by the feature profile and says so', (taskType) => {
  const resolved = resolveQualityGates(SEEDED, taskType, 5);
  expect(resolved.profile_type).toBe('feature');
  expect(resolved.values).toEqual(resolveQualityGates(SEEDED, 'feature', 5).values);
});

it('an unknown type is refused with the known ones and a suggestion', () => {
  expect(() => resolveQualityGates(SEEDED, 'featur', 5)).toThrow(
    expect.objectContaining({
      code: 'task-type.unknown',
      message: expect.stringMatching(/\bfeature\b/),
      hint: expect.stringContaining('scaffolding'),
    }),
  );
});

it.each([0, 11, 5.5, Number.NaN])('a complexity of %d is refused', (complexity) => {
  expect(() => resolveQualityGates(SEEDED, 'feature', complexity)).toThrow(
    expect.objectContaining({ code: 'complexity.range' }),
  );
});

it('overrides win over the project’s file, that over the system, that over the built-in values [RULE-5]', async () => {
  const files = await filesWith({
    gates: `quality_gate_configs:
  - task_type: feature
    complexity_range: [4, 6]
    coverage_threshold: 0.82
    arch_review_threshold: 65
`,
    overrides: `quality_gate_configs:
  feature:
    overrides:
      - complexity_range: [5, 8]
        coverage_threshold: 0.9
`,
  });
  const { values, complexity_range } = resolveQualityGates({ ...SEEDED, ...files }, 'feature', 5);
  expect(values.coverage_threshold).toEqual({
    value: 0.9,
    origin: 'entity-overrides.yaml:5',
    overrode: [
      { value: 0.82, origin: 'quality-gates.yaml:4' },
      { value: 0.8, origin: 'system' },
      { value: 0.8, origin: 'built-in' },
    ],
  });
  expect(values.arch_review_threshold).toMatchObject({ value: 65, origin: 'quality-gates.yaml:5' });
  expect(values.tests_required).toMatchObject({ value: true, origin: 'system' });
  expect(complexity_range).toEqual({ value: [4, 6], origin: 'quality-gates.yaml:2' });
});

it('an override applies to every complexity in its range and to no other', async () => {
  const overrides =
    'quality_gate_configs: {feature: {overrides: [{complexity_range: [3, 7], coverage_threshold: 0.95}]}}\n';
  const sources = { ...SEEDED, ...(await filesWith({ overrides })) };
  const changed = COMPLEXITIES.filter(
    (complexity) =>
      resolveQualityGates(sources, 'feature', complexity).values.coverage_threshold.value === 0.95,
  );
  expect(changed).toEqual([3, 4, 5, 6, 7]);
  expect(resolveQualityGates(sources, 'testing', 5).values.coverage_threshold.value).toBe(0.9);
});

it('a value that a person stored in the system group wins over the built-in one', () => {
  const stored = DEFAULT_QUALITY_GATE_CONFIGS.map((config) =>
    config.task_type === 'testing' ? { ...config, coverage_threshold: 0.95 } : config,
  );
  const sources = { ...SEEDED, system: { ...SEEDED.system, gates: stored } };
  expect(resolveQualityGates(sources, 'testing', 5).values.coverage_threshold).toEqual({
    value: 0.95,
    origin: 'system',
    overrode: [{ value: 0.9, origin: 'built-in' }],
  });
});

it('a task type of the project’s own is judged by its own profile', async () => {
  const gates = `quality_gate_configs:
  - {task_type: spike, complexity_range: [1, 10], arch_review_required: false, arch_review_threshold: 0,
     coverage_required: false, coverage_threshold: 0, tests_required: false, tests_must_pass: true}
`;
  const sources = { ...SEEDED, ...(await filesWith({ gates })) };
  expect(knownTaskTypes(sources)).toContain('spike');
  expect(resolveQualityGates(sources, 'spike', 9).values.tests_must_pass.value).toBe(true);
});

it('empty files resolve like no files [RULE-6]', async () => {
  const empty = await filesWith({ gates: '# nothing\n', overrides: 'role_constraints:\n  coach: {}\n' });
  fc.assert(
    fc.property(
      fc.constantFrom(...knownTaskTypes(SEEDED)),
      fc.integer({ min: 1, max: 10 }),
      fc.constantFrom(SEEDED, BARE),
      (taskType, complexity, sources) => {
        expect(resolveQualityGates({ ...sources, ...empty }, taskType, complexity)).toEqual(
          resolveQualityGates({ ...sources, ...NO_RULE_FILES }, taskType, complexity),
        );
      },
    ),
  );
});
