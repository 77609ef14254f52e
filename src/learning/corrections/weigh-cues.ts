import { BASE_ODDS, CUE_WEIGHTS } from './cue-weights.ts';

export interface WeighedCue {
  cue: string;
  /** Log odds; negative where the cue makes a correction less likely. */
  weight: number;
}

/** The cues that have a weight, the heaviest first. */
export function weighCues(cues: Iterable<string>): WeighedCue[] {
  weights ??= parseWeights();
  const found: WeighedCue[] = [];
  for (const cue of cues) {
    const weight = weights.get(cue);
    if (weight !== undefined) found.push({ cue, weight });
  }
  return found.sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
}

/** The log odds that a prompt with these cues corrects the agent. */
export function oddsOf(cues: Iterable<string>): number {
  return weighCues(cues).reduce((odds, { weight }) => odds + weight, BASE_ODDS);
}

let weights: Map<string, number> | undefined;

function parseWeights(): Map<string, number> {
  const parsed = new Map<string, number>();
  for (const line of CUE_WEIGHTS.replaceAll(',\n  ', ', ').trim().split('\n')) {
    const colon = line.indexOf(': ');
    for (const cue of line.slice(colon + 2).split(', ')) parsed.set(cue, Number(line.slice(0, colon)));
  }
  return parsed;
}
