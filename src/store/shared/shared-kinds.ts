/**
 * What builds record: builds, turns, evidence, features and sessions. With workers these are in the chain that the machines
 * share. Everything else, such as the records of hooks, stays in the chain of the machine where it happened.
 */
export const SHARED_KINDS: ReadonlySet<string> = new Set([
  'attempt_began',
  'attempt_failed',
  'build_began',
  'build_ended',
  'build_interrupted',
  'criteria_recorded',
  'evidence_recorded',
  'feature_begun',
  'feature_blocked',
  'feature_completed',
  'feature_discarded',
  'feature_reopened',
  'feature_stacked',
  'feature_unblocked',
  'features_recorded',
  'integration_failed',
  'session_moved',
  'session_refused',
  'task_outcome_recorded',
  'task_reset',
  'turn_recorded',
  'turn_step',
  'verification_recorded',
]);

/** Decisions that people make on their own machines and that workers need. */
export const PERSONS_KINDS: ReadonlySet<string> = new Set([
  'criteria_recorded',
  'feature_completed',
  'feature_discarded',
  'feature_unblocked',
  'features_recorded',
  'task_reset',
]);

/**
 * Steps that a turn has once, however many machines work on it: the number of a turn is never used again. Others may
 * repeat after a takeover.
 */
const ONCE: ReadonlySet<string> = new Set(['began', 'played', 'committed', 'judged']);

/** The key under which an entry can exist only once in the shared chain; null if it may repeat. */
export function stepKey(kind: string, body: string): string | null {
  if (kind !== 'turn_step') return null;
  const { feature_id, task_id, turn_number, step } = JSON.parse(body) as Record<string, unknown>;
  return ONCE.has(String(step)) ? JSON.stringify([feature_id, task_id, turn_number, step]) : null;
}
