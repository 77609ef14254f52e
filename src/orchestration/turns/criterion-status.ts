import type * as z from 'zod';
import type { criterionStatusSchema } from '../../domain/turn-state.ts';

export type CriterionStatus = z.infer<typeof criterionStatusSchema>;

/** By criterion id. */
export type CriterionStatuses = Readonly<Record<string, CriterionStatus>>;

/** The status of a criterion; one that nobody spoke of is pending. */
export function statusOf(statuses: CriterionStatuses, id: string): CriterionStatus {
  return (Object.hasOwn(statuses, id) ? statuses[id] : undefined) ?? 'pending';
}

export function criterionIcon(status: CriterionStatus): '✓' | '✗' | '○' {
  if (status === 'verified') return '✓';
  return status === 'rejected' || status === 'failed' ? '✗' : '○';
}
