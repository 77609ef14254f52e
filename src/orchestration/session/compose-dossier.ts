import type { Failure } from './session.ts';

/** What a person needs to take a blocked feature further. */
export interface Dossier {
  feature: string;
  /** Every attempt: what was tried and how it ended. */
  attempts: readonly Failure[];
  /** The smallest question whose answer would help. */
  question: string;
}

export function composeDossier(feature: string, attempts: readonly Failure[]): Dossier {
  return { feature, attempts, question: smallestQuestion(feature, attempts) };
}

/** By the last attempt: it knew what the one before it had met. */
function smallestQuestion(feature: string, attempts: readonly Failure[]): string {
  const last = attempts.at(-1);
  if (!last) return `What keeps ${feature} from being built?`;
  const before = attempts.at(-2);
  const same = last.gates.filter((gate) => before?.gates.includes(gate));
  const gates = (same.length > 0 ? same : last.gates).join(', ');
  const why = firstLine(last.why);
  switch (last.outcome) {
    case 'absent':
      return `Which command shows that ${feature} works? Nothing could be learned for ${gates || 'it'}: ${why}`;
    case 'fail':
      return same.length > 0
        ? `Is what ${gates} asks of ${feature} right? Both attempts failed there: ${why}`
        : `Is what ${gates || 'verification'} asks of ${feature} right? The last attempt failed there: ${why}`;
    case 'escalated':
      return `What is to be done about this in ${feature}? ${why}`;
    case 'max_turns':
      return same.length > 0
        ? `What keeps ${feature} from passing ${gates}, where both attempts ended? ${why}`
        : `Should ${feature} be split, or does it need more turns? ${why}`;
    case 'objection':
      return `Is the tester right about ${feature}, though every gate passes? ${why}`;
    case 'gave_up':
      return `Can ${feature} be done as it is written? The agent says: ${why}`;
    default:
      return `Does the agent run here at all? It failed on ${feature}: ${why}`;
  }
}

const MAX_QUOTED = 300;

function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n', 1);
  const told = line.trim();
  return told.length > MAX_QUOTED ? `${told.slice(0, MAX_QUOTED)}…` : told;
}
