/**
 * Entries that decide something: they count only with a signature of this machine. All others only describe what happened.
 * Not part of a kind's declaration, because hooks read kinds that they do not load.
 */
export const SIGNED_KINDS: ReadonlySet<string> = new Set([
  'acceptance_recorded',
  'build_began',
  'changes_seen',
  'criteria_recorded',
  'definition_recorded',
  'definitions_trusted',
  'evidence_recorded',
  'feature_begun',
  'feature_completed',
  'feature_unblocked',
  'features_recorded',
  'guard_recorded',
  'protection_paused',
  'remote_recorded',
  'task_reset',
  'turn_recorded',
  'verification_recorded',
  'verify_confirmed',
  'violation_relabelled',
  'waiver_issued',
]);
