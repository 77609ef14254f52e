import type { ResolvedQualityGates } from './resolve-quality-gates.ts';

/** The quality gates' part of a prompt. */
export function qualityGateSection({
  task_type,
  profile_type,
  complexity,
  values,
}: ResolvedQualityGates): string {
  const borrowed = profile_type === task_type ? '' : ` (judged by the ${profile_type} profile)`;
  return [
    '## Quality Gates for This Task',
    `Task type: ${task_type}${borrowed} | Complexity: ${complexity}`,
    `Architecture review: ${required(values.arch_review_required.value, `threshold: ${values.arch_review_threshold.value}`)}`,
    `Coverage: ${required(values.coverage_required.value, `threshold: ${percent(values.coverage_threshold.value)}`)}`,
    `Tests: ${tests(values.tests_required.value, values.tests_must_pass.value)}`,
    'DO NOT adjust these thresholds during this session.',
  ].join('\n');
}

function required(isRequired: boolean, threshold: string): string {
  return isRequired ? `required (${threshold})` : 'not required';
}

/** 0.57 is 57 % and not 56.99999999999999 %, and 0.99999 does not become 100 %. */
function percent(fraction: number): string {
  return `${Number((fraction * 100).toPrecision(12))}%`;
}

function tests(isRequired: boolean, mustPass: boolean): string {
  if (!isRequired) return mustPass ? 'not required; those that there are must pass' : 'not required';
  return mustPass ? 'required, must pass' : 'required';
}
