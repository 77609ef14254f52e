import type * as z from 'zod';
import type { criterionStatusSchema } from '../../domain/entities/turn-state.ts';

export type CriterionStatus = z.infer<typeof criterionStatusSchema>;

/** By criterion id. */
export type CriterionStatuses = Readonly<Record<string, CriterionStatus>>;

/** Where a criterion stands, and what showed it. */
export interface CriterionState {
  status: CriterionStatus;
  /** What it was verified on; null for any other status, and where it is not known. */
  evidence: string | null;
  /** Of the text that was judged. */
  digest?: string;
}

/** By criterion id. */
export type CriterionStates = Readonly<Record<string, CriterionState>>;

/** The status of a criterion; one that nobody spoke of is pending. */
export function statusOf(statuses: CriterionStatuses, id: string): CriterionStatus {
  return (Object.hasOwn(statuses, id) ? statuses[id] : undefined) ?? 'pending';
}

export function criterionIcon(status: CriterionStatus): '✓' | '✗' | '○' {
  if (status === 'verified') return '✓';
  return status === 'rejected' || status === 'failed' ? '✗' : '○';
}
