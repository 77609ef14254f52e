import type { Feature } from '../../domain/entities/feature.ts';
import { isBlocked } from './next-runnable.ts';

/** What every command says of a feature: one that no session would begin any more is blocked, whoever wrote what. */
export function shownStatus(feature: Pick<Feature, 'status' | 'retries' | 'closed'>): Feature['status'] {
  const { status, closed } = feature;
  return !closed && status !== 'completed' && isBlocked(feature) ? 'blocked' : status;
}
