import { explainGate, type Verification } from '../../domain/entities/verification.ts';
import type { EventOf, LastResult } from '../session/session-event.ts';

const MOST_DETAILS = 12;

/** What the machine is told of a verification: what a pass rests on, and what keeps it from one. */
export function tellVerification({
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

/** The same of one feature in the verification of all. */
export function tellLast(feature: string, told: ReturnType<typeof tellVerification>): LastResult {
  const { outcome, evidence, gates } = told;
  const why = gates.map(({ gate, result, reason }) => `${gate} ${result}: ${reason}`).join('\n');
  return { feature, outcome, evidence, why };
}
