import * as z from 'zod';
import { type ComplexityRange, complexityRangeSchema } from './complexity.ts';
import { defineEntity } from './entity-type.ts';
import { timestampSchema } from './timestamp.ts';

/** The unit that is confused most often: percent where a fraction is meant. */
function asFraction({ input }: { input?: unknown }): string {
  const fits = typeof input === 'number' && input <= 100;
  return `a fraction from 0 to 1 is expected${fits ? `: write ${(input / 100).toFixed(2)} for ${input} %` : ''}`;
}

export const qualityGateConfigSchema = z.strictObject({
  task_type: z.string().regex(/^[a-z][a-z0-9_]*$/, 'a task type is lower-case words joined by underscores'),
  complexity_range: complexityRangeSchema,
  arch_review_required: z.boolean(),
  /** A score from 0 to 100. */
  arch_review_threshold: z.int().min(0).max(100),
  coverage_required: z.boolean(),
  /** A fraction: 0.8 means 80 %. */
  coverage_threshold: z.number().min(0, 'a fraction from 0 to 1 is expected').max(1, { error: asFraction }),
  tests_required: z.boolean(),
  tests_must_pass: z.boolean(),
  effective_from: timestampSchema,
});

export type QualityGateConfig = z.infer<typeof qualityGateConfigSchema>;

export const qualityGateConfig = defineEntity<QualityGateConfig>({
  type: 'quality_gate_config',
  groups: ['quality_gate_configs'],
  schema: qualityGateConfigSchema,
  id: ({ task_type, complexity_range: [low, high] }) => `QG-${task_type}-${low}-${high}`,
  name: ({ task_type, complexity_range: [low, high] }) => `Quality gates: ${task_type} ${low}-${high}`,
  text: (body) =>
    `quality_gate_config ${body.task_type} complexity ${body.complexity_range.join('-')}: ` +
    `arch_review_required=${body.arch_review_required} arch_review_threshold=${body.arch_review_threshold} ` +
    `coverage_required=${body.coverage_required} coverage_threshold=${body.coverage_threshold} ` +
    `tests_required=${body.tests_required} tests_must_pass=${body.tests_must_pass}`,
  indexed: ['task_type'],
  freeText: [],
});

// Constant, so that seeding twice finds the same content.
export const EFFECTIVE_FROM = '2026-01-01T00:00:00.000Z';

type Thresholds = { arch?: number; coverage?: number; tests?: true };

function profile(
  task_type: string,
  complexity_range: ComplexityRange,
  { arch, coverage, tests }: Thresholds,
) {
  return {
    task_type,
    complexity_range,
    arch_review_required: arch !== undefined,
    arch_review_threshold: arch ?? 0,
    coverage_required: coverage !== undefined,
    coverage_threshold: coverage ?? 0,
    tests_required: tests === true,
    tests_must_pass: tests === true,
    effective_from: EFFECTIVE_FROM,
  };
}

export const DEFAULT_QUALITY_GATE_CONFIGS: readonly QualityGateConfig[] = [
  profile('scaffolding', [1, 10], {}),
  profile('feature', [1, 3], { arch: 50, coverage: 0.7, tests: true }),
  profile('feature', [4, 6], { arch: 60, coverage: 0.8, tests: true }),
  profile('feature', [7, 10], { arch: 70, coverage: 0.85, tests: true }),
  profile('testing', [1, 10], { coverage: 0.9, tests: true }),
  profile('documentation', [1, 10], {}),
];
