import type { RoleList } from '../config/rule-files/project-rules.ts';
import type { ResolvedQualityGates } from './resolve-quality-gates.ts';
import type { ResolvedRole } from './resolve-role-constraints.ts';

/** Joins a list into one line of at most `budget` characters and counts the items left out. */
export function fitList(items: readonly string[], separator: string, budget: number): string {
  const whole = items.join(separator);
  if (whole.length <= budget) return whole;
  let fitting = `(${items.length} left out)`;
  let shown = '';
  for (const [index, item] of items.entries()) {
    shown += item + separator;
    if (shown.length > budget) break;
    const text = `${shown}(${items.length - index - 1} more left out)`;
    if (text.length <= budget) fitting = text;
  }
  return fitting;
}

const LABELS: readonly (readonly [RoleList, string])[] = [
  ['must_do', 'You MUST'],
  ['must_not_do', 'You MUST NOT'],
  ['ask_before', 'ASK BEFORE'],
  ['escalate_when', 'ESCALATE when'],
];

/** Empty if the role has no constraints. `budget` limits each list, in characters. */
export function roleSection({ role, lists }: ResolvedRole, budget = Number.POSITIVE_INFINITY): string {
  const lines = LABELS.flatMap(([list, label]) => {
    // Each list is one line of the prompt, even if its statements contain line breaks.
    const statements = lists[list].map(({ value }) => value.trim().replace(/\s+/g, ' '));
    return statements.length === 0 ? [] : [`${label}: ${fitList(statements, ' | ', budget)}`];
  });
  if (lines.length === 0) return '';
  return [`## Your Role: ${role.charAt(0).toUpperCase()}${role.slice(1)}`, ...lines].join('\n');
}

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

/** Rounds 56.99999999999999 to 57 without turning 0.99999 into 100 %. */
function percent(fraction: number): string {
  return `${Number((fraction * 100).toPrecision(12))}%`;
}

function tests(isRequired: boolean, mustPass: boolean): string {
  if (!isRequired) return mustPass ? 'not required; existing tests must pass' : 'not required';
  return mustPass ? 'required, must pass' : 'required';
}
