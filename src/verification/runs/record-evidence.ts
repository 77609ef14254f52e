import { type Evidence, evidenceSchema } from '../../domain/entities/evidence.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import type { RunContext } from './run-context.ts';

/** Puts a run into the ledger, from where memory is told of it. */
export function recordEvidence({ ledger, project, emit }: RunContext, evidence: Evidence): Evidence {
  ledger.append(project, 'evidence_recorded', evidence);
  emit({ type: 'run_ended', check: evidence.check, on: evidence.tree_is, evidence });
  return evidence;
}

/** What was recorded of a tree, newest first. */
export function* evidenceOn(ledger: Ledger, project: string, tree: string): Generator<Evidence> {
  const recorded = ledger.lookup(project, { kind: 'evidence_recorded', field: 'tree', value: tree });
  for (const { body } of recorded) yield evidenceSchema.parse(body);
}

/** Everything recorded for a project, oldest first. */
export function readEvidence(ledger: Ledger, project: string): (Evidence & { at: string })[] {
  return ledger
    .entries(project, { kind: 'evidence_recorded' })
    .map(({ body, at }) => ({ ...evidenceSchema.parse(body), at }));
}
