import type { Criterion } from '../../domain/criteria/criterion.ts';
import { oneLine } from '../../domain/json/clean-text.ts';
import { type CriterionStatuses, criterionIcon, statusOf } from '../turns/criterion-status.ts';

export type PromptCriterion = Pick<Criterion, 'id' | 'text'> & { detail?: string };

/** `  ✓ AC-001: User can log in: verified`, one a line. */
export function criterionLines(criteria: readonly PromptCriterion[], statuses: CriterionStatuses): string[] {
  return criteria.map(({ id, text }) => {
    const status = statusOf(statuses, id);
    const words = oneLine(text, 2000);
    return `  ${criterionIcon(status)} ${oneLine(id, 40)}: ${words === '' ? '' : `${words}: `}${status}`;
  });
}

/** The task's criteria and where they stand. */
export function criteriaSection(criteria: readonly PromptCriterion[], statuses: CriterionStatuses): string {
  if (criteria.length === 0) return '';
  const lines = criterionLines(criteria, statuses);
  const withDetail = criteria.flatMap(({ detail = '' }, index) => [
    lines[index] ?? '',
    ...(detail.trim() === '' ? [] : [`      ${oneLine(detail, 1000)}`]),
  ]);
  return ['## Acceptance Criteria', ...withDetail].join('\n');
}
