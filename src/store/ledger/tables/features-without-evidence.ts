import type { Feature } from '../../../domain/entities/feature.ts';
import { verificationSchema } from '../../../domain/entities/verification.ts';
import type { Ledger } from '../ledger.ts';
import { readFeatures } from './feature-table.ts';

/** Ids of features that are tested without a signed verification that passed on that tree with that evidence. */
export function featuresWithoutEvidence(ledger: Ledger, project: string): string[] {
  return readFeatures(ledger, project)
    .filter((one) => one.tested && !isGrounded(ledger, project, one))
    .map(({ id }) => id);
}

/** A closed feature was merged: its tree is that of the merge, and its tasks may have been verified one by one. */
function isGrounded(ledger: Ledger, project: string, feature: Feature): boolean {
  const { id, evidence, closed, tested_tree } = feature;
  for (const { body } of ledger.lookup(project, {
    kind: 'verification_recorded',
    field: 'feature_id',
    value: id,
  })) {
    const one = verificationSchema.parse(body);
    if (one.outcome !== 'pass' || !evidence.includes(one.id)) continue;
    if (closed) return true;
    const runs = one.gates.flatMap((gate) => gate.evidence);
    if (one.task_id === null && one.tree === tested_tree && runs.every((run) => evidence.includes(run)))
      return true;
  }
  return false;
}
