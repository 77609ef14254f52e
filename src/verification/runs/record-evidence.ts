import { type Evidence, evidenceSchema } from '../../domain/evidence.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import type { RunContext } from './run-context.ts';

/** Puts a run into the ledger, from where memory is told of it. */
export function recordEvidence({ ledger, project, emit }: RunContext, evidence: Evidence): Evidence {
  ledger.append(project, 'evidence_recorded', evidence);
  emit({ type: 'run_ended', check: evidence.check, on: evidence.tree_is, evidence });
  return evidence;
}

/** Everything recorded for a project, oldest first. */
export function readEvidence(ledger: Ledger, project: string): (Evidence & { at: string })[] {
  return ledger
    .entries(project, { kind: 'evidence_recorded' })
    .map(({ body, at }) => ({ ...evidenceSchema.parse(body), at }));
}
