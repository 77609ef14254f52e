/** What a gate answers. What is absent has not passed. */
export const OUTCOMES = ['pass', 'fail', 'absent'] as const;

export type Outcome = (typeof OUTCOMES)[number];

/** Several as one: a failure first, then what is absent; nothing at all is absent. */
export function combineOutcomes(outcomes: readonly Outcome[]): Outcome {
  if (outcomes.includes('fail')) return 'fail';
  return outcomes.length === 0 || outcomes.includes('absent') ? 'absent' : 'pass';
}
