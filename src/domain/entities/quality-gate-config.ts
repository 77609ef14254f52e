import * as z from 'zod';
import { type ComplexityRange, complexityRangeSchema } from '../complexity.ts';
import { timestampSchema } from '../timestamp.ts';
import { defineEntity } from './entity-type.ts';

interface Wrong {
  input?: unknown;
}

/** Reads a number, or a number written as text: 80, "0.8", "80%". */
function readNumber(input: unknown): number | undefined {
  if (typeof input === 'number') return input;
  if (typeof input !== 'string') return undefined;
  const digits = /^\s*(\d+(?:[.,]\d+)?)\s*%?\s*$/.exec(input)?.[1];
  return digits === undefined ? undefined : Number(digits.replace(',', '.'));
}

/** Suggests the fraction when a percentage was written, the most common mistake. */
function asFraction({ input }: Wrong): string | undefined {
  if (input === undefined) return undefined;
  const expected = 'expected a fraction from 0 to 1';
  const found = readNumber(input);
  if (found === undefined || found < 0 || found > 100) return expected;
  const isPercent = found > 1 || String(input).includes('%');
  return `${expected} (${isPercent ? `for ${found}%, write ${withTwoDecimals(found / 100)}` : `write ${found}`})`;
}

/** 0.80 for 0.8; 0.825 stays. */
function withTwoDecimals(value: number): string {
  const exact = String(Number(value.toPrecision(12)));
  return exact.length < 4 ? value.toFixed(2) : exact;
}

function asScore({ input }: Wrong): string | undefined {
  if (input === undefined) return undefined;
  const expected = 'expected a whole number from 0 to 100';
  const found = readNumber(input);
  const score = found !== undefined && found > 0 && found < 1 ? Number((found * 100).toFixed()) : found;
  return score !== undefined && score >= 0 && score <= 100
    ? `${expected}: write ${Math.round(score)}`
    : expected;
}

const WORDS_FOR: Readonly<Record<string, boolean>> = {
  yes: true,
  on: true,
  true: true,
  no: false,
  off: false,
  false: false,
};

/** YAML 1.1 read these words as booleans, and people still write them. */
function asBoolean({ input }: Wrong): string | undefined {
  const word = typeof input === 'string' ? input.trim().toLowerCase() : '';
  return Object.hasOwn(WORDS_FOR, word) ? `expected true or false: write ${WORDS_FOR[word]}` : undefined;
}

const flag = z.boolean({ error: asBoolean });

export const qualityGateConfigSchema = z.strictObject({
  task_type: z
    .string()
    .regex(/^[a-z][a-z0-9_]*$/, 'a task type must be lower-case words joined by underscores'),
  complexity_range: complexityRangeSchema,
  arch_review_required: flag,
  /** From 0 to 100. */
  arch_review_threshold: z.int({ error: asScore }).min(0, { error: asScore }).max(100, { error: asScore }),
  coverage_required: flag,
  /** A fraction: 0.8 means 80%. */
  coverage_threshold: z
    .number({ error: asFraction })
    .min(0, { error: asFraction })
    .max(1, { error: asFraction }),
  tests_required: flag,
  tests_must_pass: flag,
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

// Constant, so that seeding again finds no change.
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

/** Task types that use the profile of another type. */
const JUDGED_AS: Readonly<Record<string, string>> = { bugfix: 'feature', refactor: 'feature' };

export const BORROWING_TASK_TYPES: readonly string[] = Object.keys(JUDGED_AS);

/** The task type whose quality gates apply. */
export function profileTaskType(taskType: string): string {
  return Object.hasOwn(JUDGED_AS, taskType) ? (JUDGED_AS[taskType] ?? taskType) : taskType;
}
