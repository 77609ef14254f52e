import type * as z from 'zod';
import type { criterionStatusSchema } from '../../domain/entities/turn-state.ts';

export type CriterionStatus = z.infer<typeof criterionStatusSchema>;

/** By criterion id. */
export type CriterionStatuses = Readonly<Record<string, CriterionStatus>>;

/** A criterion's status and the evidence for it. */
export interface CriterionState {
  status: CriterionStatus;
  /** The test, check or file that verified it; null for any other status or if unknown. */
  evidence: string | null;
  /** Digest of the text that was judged. */
  digest?: string;
}

/** By criterion id. */
export type CriterionStates = Readonly<Record<string, CriterionState>>;

/** The status of a criterion; default: pending. */
export function statusOf(statuses: CriterionStatuses, id: string): CriterionStatus {
  return (Object.hasOwn(statuses, id) ? statuses[id] : undefined) ?? 'pending';
}

export function criterionIcon(status: CriterionStatus): '✓' | '✗' | '○' {
  if (status === 'verified') return '✓';
  return status === 'rejected' || status === 'failed' ? '✗' : '○';
}
