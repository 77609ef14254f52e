import type { GateResult } from '../../domain/entities/verification.ts';
import type { Facts } from '../facts.ts';

/** Compares facts with the requirements and gives the reason in words. */
export interface Gate {
  name: string;
  judge(facts: Facts): Judgement;
}

export interface Judgement extends Pick<GateResult, 'result' | 'required' | 'reason' | 'code' | 'remedy'> {
  warnings?: readonly string[];
  evidence?: readonly string[];
}

/** The code of a gate that is absent because the candidate's set-up failed. */
export const SETUP_FAILED = 'setup-failed';

const SHOWN = 5;

/** The first items of a list and the number of the rest. */
export function some(items: readonly string[], shown = SHOWN): string {
  const rest = items.length - shown;
  return rest > 0 ? `${items.slice(0, shown).join(', ')} and ${rest} more` : items.join(', ');
}
