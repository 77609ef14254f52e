import type { Feature } from '../../domain/entities/feature.ts';
import {
  attemptBeganSchema,
  attemptFailedSchema,
  type Failure,
} from '../../store/ledger/kinds/sessions/attempts.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { readFeatures } from '../../store/ledger/tables/feature-table.ts';
import type { SessionFeature } from '../session/next-runnable.ts';

/** A project's features for the session machine, with their attempts. */
export function sessionFeatures(
  ledger: Ledger,
  project: string,
  features: readonly Feature[] = readFeatures(ledger, project),
): SessionFeature[] {
  return features.map((one) => withAttempts(ledger, project, one));
}

function withAttempts(ledger: Ledger, project: string, feature: Feature): SessionFeature {
  const { id, priority, status, tested, evidence, retries, dependencies, closed } = feature;
  const told = { id, priority, status, tested, evidence, retries, dependencies, closed };
  // Looked up only if there can be any: most features were never started.
  const failures = retries > 0 ? attemptFailures(ledger, project, id) : [];
  const unfinished = status === 'in_progress' && isUnfinished(ledger, project, id, retries + 1);
  return { ...told, failures, unfinished };
}

/** Failures since a person last unblocked the feature, the oldest first. */
export function attemptFailures(ledger: Ledger, project: string, feature: string): Failure[] {
  const since = lastNumber(ledger, project, 'feature_unblocked', feature);
  const failures: Failure[] = [];
  for (const { number, body } of entriesOf(ledger, project, 'attempt_failed', feature)) {
    if (number < since) break;
    failures.unshift(attemptFailedSchema.parse(body).failure);
  }
  return failures;
}

/** The entry number at which an attempt began; undefined if it has not begun since the last unblock or reopening. */
export function attemptBeganAt(
  ledger: Ledger,
  project: string,
  feature: string,
  attempt: number,
): number | undefined {
  const since = Math.max(
    lastNumber(ledger, project, 'feature_unblocked', feature),
    lastNumber(ledger, project, 'feature_reopened', feature),
  );
  let first: number | undefined;
  for (const { number, body } of entriesOf(ledger, project, 'attempt_began', feature)) {
    if (number < since || attemptBeganSchema.parse(body).attempt !== attempt) break;
    first = number;
  }
  return first;
}

function isUnfinished(ledger: Ledger, project: string, feature: string, attempt: number): boolean {
  return attemptBeganAt(ledger, project, feature, attempt) !== undefined;
}

function entriesOf(ledger: Ledger, project: string, kind: string, feature: string) {
  return ledger.lookup(project, { kind, field: 'feature_id', value: feature });
}

function lastNumber(ledger: Ledger, project: string, kind: string, feature: string): number {
  return entriesOf(ledger, project, kind, feature).next().value?.number ?? 0;
}
