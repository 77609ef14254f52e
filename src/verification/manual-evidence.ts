import type { GateResult } from '../domain/entities/verification.ts';
import type { Ledger } from '../store/ledger/ledger.ts';
import { evidenceOn } from './runs/record-evidence.ts';

/** Where nothing could be run, a person may vouch; against a failure nobody can. */
export function withManualEvidence(
  gates: readonly GateResult[],
  ledger: Ledger,
  project: string,
  featureId: string,
  tree: string,
): GateResult[] {
  const manual = [...evidenceOn(ledger, project, tree)].filter(
    (one) => one.manual && one.feature_id === featureId,
  );
  return gates.map((gate) => {
    const vouched = manual.find(({ check }) => check === gate.gate);
    if (!vouched || gate.result !== 'absent') return gate;
    return {
      ...gate,
      result: 'pass',
      manual: true,
      reason: `manual, by ${vouched.by}: ${vouched.reason} (GuardKit itself: ${gate.reason})`,
      evidence: [...gate.evidence, vouched.id],
    };
  });
}
