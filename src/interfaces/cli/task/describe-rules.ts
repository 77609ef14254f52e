import type { TaskDefinition } from '../../../config/work/work.ts';
import type { ImplementationMode } from '../../../domain/entities/implementation-mode.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import type { RuleSources } from '../../../rules/load-rule-sources.ts';
import { type ResolvedQualityGates, resolveQualityGates } from '../../../rules/resolve-quality-gates.ts';
import { suggestImplementationMode } from '../../../rules/suggest-implementation-mode.ts';

export interface TaskRules {
  gates: ResolvedQualityGates | undefined;
  /** Advice; none if the store is unavailable or was never seeded. */
  mode: ImplementationMode | undefined;
}

/** The rules for a task; none for an unknown type, which is reported as a fault of its file. */
export function rulesOf(
  sources: RuleSources,
  { task_type, complexity }: Pick<TaskDefinition, 'task_type' | 'complexity'>,
): TaskRules {
  try {
    return {
      gates: resolveQualityGates(sources, task_type, complexity),
      mode: suggestImplementationMode(sources, task_type, complexity),
    };
  } catch (error) {
    if (error instanceof GuardKitError && error.kind === 'input')
      return { gates: undefined, mode: undefined };
    throw error;
  }
}

/** The gates in one line. */
export function gateLine({ task_type, profile_type, values }: ResolvedQualityGates): string {
  const parts = [
    tests(values.tests_required.value, values.tests_must_pass.value),
    values.coverage_required.value
      ? `coverage ${Number((values.coverage_threshold.value * 100).toFixed(2))}%`
      : 'no coverage required',
    values.arch_review_required.value
      ? `architecture review ${values.arch_review_threshold.value}`
      : 'no architecture review',
  ];
  const borrowed = profile_type === task_type ? '' : ` (by the ${profile_type} profile)`;
  return `${parts.join(', ')}${borrowed}`;
}

export function gatesJson(gates: ResolvedQualityGates | undefined): unknown {
  if (!gates) return null;
  const values = Object.entries(gates.values).map(([field, { value }]) => [field, value]);
  return { profile: gates.profile_type, ...Object.fromEntries(values) };
}

export function modeJson(mode: ImplementationMode | undefined): unknown {
  if (!mode) return null;
  return {
    mode: mode.mode,
    ceremony_level: mode.ceremony_level,
    when_to_use: mode.when_to_use,
    pitfalls: mode.pitfalls,
  };
}

function tests(required: boolean, mustPass: boolean): string {
  if (required) return mustPass ? 'tests that must pass' : 'tests';
  return mustPass ? 'tests, if there are any, must pass' : 'no tests required';
}
