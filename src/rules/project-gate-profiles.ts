import type { ComplexityRange } from '../domain/complexity.ts';
import type { QualityGateConfig } from '../domain/entities/quality-gate-config.ts';
import { canonicalJson } from '../domain/json/json.ts';
import { resolveQualityGates } from './resolve-quality-gates.ts';
import type { RuleSources } from './rule-sources.ts';

/**
 * What the project's quality-gates.yaml amounts to, as whole profiles. One that leaves something out may give several:
 * what it takes from below differs between complexities.
 */
export function projectGateProfiles(sources: RuleSources): QualityGateConfig[] {
  const withoutOverrides = { ...sources, gateOverrides: [] };
  return sources.gates.flatMap(({ task_type, complexity_range: [low, high] }) => {
    const profiles: {
      range: ComplexityRange;
      values: Omit<QualityGateConfig, 'task_type' | 'complexity_range'>;
    }[] = [];
    for (let complexity = low; complexity <= high; complexity++) {
      const { values: sourced } = resolveQualityGates(withoutOverrides, task_type, complexity);
      const values = {
        arch_review_required: sourced.arch_review_required.value,
        arch_review_threshold: sourced.arch_review_threshold.value,
        coverage_required: sourced.coverage_required.value,
        coverage_threshold: sourced.coverage_threshold.value,
        tests_required: sourced.tests_required.value,
        tests_must_pass: sourced.tests_must_pass.value,
        effective_from: sourced.effective_from.value,
      };
      const last = profiles.at(-1);
      if (last && canonicalJson(last.values) === canonicalJson(values))
        last.range = [last.range[0], complexity];
      else profiles.push({ range: [complexity, complexity], values });
    }
    return profiles.map(({ range, values }) => ({ task_type, complexity_range: range, ...values }));
  });
}
