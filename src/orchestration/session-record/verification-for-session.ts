import { explainGate, type Verification } from '../../domain/entities/verification.ts';
import type { EventOf, LastResult } from '../session/session-event.ts';

const MOST_DETAILS = 12;

/** A verification for the session machine: the evidence of a pass, or the gates that did not pass. */
export function summarizeVerification({
  id,
  outcome,
  gates,
}: Verification): Pick<EventOf<'verified'>, 'outcome' | 'evidence' | 'gates'> {
  const evidence = outcome === 'pass' ? [id, ...gates.flatMap((gate) => gate.evidence)] : [];
  const open = gates.filter(({ required, result }) => required && result !== 'pass');
  return {
    outcome,
    evidence: [...new Set(evidence)],
    gates: open.map((one) => ({
      gate: one.gate,
      result: one.result,
      reason: explainGate(one, MOST_DETAILS).join('\n'),
    })),
  };
}

/** One feature's result in the final verification. */
export function toLastResult(feature: string, told: ReturnType<typeof summarizeVerification>): LastResult {
  const { outcome, evidence, gates } = told;
  const why = gates.map(({ gate, result, reason }) => `${gate} ${result}: ${reason}`).join('\n');
  return { feature, outcome, evidence, why };
}
