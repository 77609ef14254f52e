import type { Feature } from '../../../domain/entities/feature.ts';
import { shownStatus } from '../../../orchestration/session/next-runnable.ts';

/** What of a feature GuardKit and agents tell, beside how it is defined. */
export function stateJson(feature: Feature | undefined) {
  return {
    status: feature ? shownStatus(feature) : 'pending',
    tested: feature?.tested ?? false,
    retries: feature?.retries ?? 0,
    blocked_reason: feature?.blocked_reason ?? null,
    evidence: feature?.evidence ?? [],
    files: feature?.files ?? [],
    notes: feature?.notes ?? '',
  };
}

/** `completed, tested`. */
export function stateText(feature: Feature | undefined): string {
  const { status, tested } = stateJson(feature);
  return `${status.replace('_', ' ')}, ${tested ? 'tested' : 'not tested'}`;
}
