import type { Feature } from '../../domain/entities/feature.ts';
import { noSuchFeature, type PlannedEdit } from './planned-edit.ts';

export interface Unblock {
  id: string;
  by: string;
  reason: string;
  /** After so many failed ones a feature is left alone whatever its status is. */
  maxAttempts: number;
}

/** A person lets a feature be tried again, its attempts counted anew; why it was blocked goes on record. */
export function planUnblock(
  current: readonly Feature[],
  { id, by, reason, maxAttempts }: Unblock,
): PlannedEdit {
  const found = current.find((one) => one.id === id);
  const refuse = (why: string, guidance: string): PlannedEdit => ({
    ok: false,
    faults: [{ feature: id, field: 'status', why, guidance }],
  });
  if (!found) return { ok: false, faults: [noSuchFeature(current, id)] };
  const { status, retries, blocked_reason } = found;
  if (status !== 'blocked' && blocked_reason === null && retries < maxAttempts)
    return refuse(
      `it is not blocked but ${status.replace('_', ' ')}`,
      '`guardkit feature next` says what waits.',
    );
  return {
    ok: true,
    changed: [{ ...found, status: 'pending', blocked_reason: null, retries: 0 }],
    removed: [],
    entries: [{ kind: 'feature_unblocked', body: { feature_id: id, by, reason, retries, blocked_reason } }],
  };
}
