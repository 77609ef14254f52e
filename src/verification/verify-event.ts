import type { Evidence } from '../domain/entities/evidence.ts';

/** What happens while a verification goes on, for whoever shows it. */
export type VerifyEvent =
  | { type: 'run_began'; check: string; on: Evidence['tree_is']; command: string }
  | { type: 'run_ended'; check: string; on: Evidence['tree_is']; evidence: Evidence }
  | { type: 'run_reused'; check: string; on: Evidence['tree_is']; evidence: Evidence };
