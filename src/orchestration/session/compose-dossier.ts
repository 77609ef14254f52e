import type { Failure } from './session.ts';

/** What a person needs to unblock a feature. */
export interface Dossier {
  feature: string;
  attempts: readonly Failure[];
  /** The smallest question that would unblock it. */
  question: string;
}

const ENDS = new Map([
  ['max_turns', 'reached its turn limit'],
  ['escalated', 'was escalated'],
  ['fail', 'failed verification'],
  ['absent', 'could not be verified'],
  ['objection', 'was rejected by the tester'],
  ['gave_up', 'was given up by the agent'],
  ['crashed', 'crashed'],
]);

/** How an attempt ended, for example "attempt 1 reached its turn limit". */
export function describeEnd({ attempt, outcome }: Pick<Failure, 'attempt' | 'outcome'>): string {
  return `attempt ${attempt} ${ENDS.get(outcome) ?? 'failed'}`;
}

export function composeDossier(feature: string, attempts: readonly Failure[]): Dossier {
  return { feature, attempts, question: smallestQuestion(feature, attempts) };
}

/** Based on the last attempt, which knew the failure before it. */
function smallestQuestion(feature: string, attempts: readonly Failure[]): string {
  const last = attempts.at(-1);
  if (!last) return `What prevents ${feature} from being built?`;
  const before = attempts.at(-2);
  const same = last.gates.filter((gate) => before?.gates.includes(gate));
  const gates = nameGates(same.length > 0 ? same : last.gates);
  const why = firstLine(last.why);
  switch (last.outcome) {
    case 'absent':
      return `Which command can verify ${feature}? There was no result for ${gates ?? 'it'}: ${why}`;
    case 'fail':
      return same.length > 0
        ? `Is it right to require ${gates} for ${feature}? Both attempts failed: ${why}`
        : `Is it right to require ${gates ?? 'these gates'} for ${feature}? The last attempt failed: ${why}`;
    case 'escalated':
      return `What should be done about this in ${feature}? ${why}`;
    case 'max_turns':
      return same.length > 0
        ? `Why does ${feature} fail ${gates}? Both attempts failed: ${why}`
        : `Should ${feature} be split, or does it need more turns? ${why}`;
    case 'objection':
      return `Is the tester right about ${feature}, though every gate passes? ${why}`;
    case 'gave_up':
      return `Can ${feature} be done as written? The agent says: ${why}`;
    default:
      return `Does the agent run here at all? It failed on ${feature}: ${why}`;
  }
}

function nameGates(names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  return names.length === 1 ? `the ${names[0]} gate` : `the gates ${names.join(', ')}`;
}

const MAX_QUOTED = 300;

function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n', 1);
  const told = line.trim();
  return told.length > MAX_QUOTED ? `${told.slice(0, MAX_QUOTED)}…` : told;
}
