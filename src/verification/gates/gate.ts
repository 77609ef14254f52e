import type { GateResult } from '../../domain/entities/verification.ts';
import type { Facts } from '../facts.ts';

/** Compares facts with what is asked for, and says why in words. */
export interface Gate {
  name: string;
  judge(facts: Facts): Judgement;
}

export interface Judgement extends Pick<GateResult, 'result' | 'required' | 'reason' | 'code' | 'remedy'> {
  warnings?: readonly string[];
  evidence?: readonly string[];
}

const SHOWN = 5;

/** The first few of a list, and how many more there are. */
export function some(items: readonly string[], shown = SHOWN): string {
  const rest = items.length - shown;
  return rest > 0 ? `${items.slice(0, shown).join(', ')} and ${rest} more` : items.join(', ');
}
