import type { Evidence } from './read-evidence.ts';

/**
 * What each piece of evidence adds to the logarithm of the odds that a prompt corrects. Found by regression on
 * `test/learning/correction-samples`, both labels weighing the same, with some of the words left out at random, since other
 * people use other words; never on the prompts that it is judged by. What is
 * rare there is set by hand: `bare`, `put_back`, `interrupted`, `repeated`.
 */
const WEIGHTS: Readonly<Record<keyof Evidence, number>> = {
  accusing: 1.6,
  unasked: 0.5,
  wrong: 0.2,
  again: -0.2,
  undo: -0.3,
  should: 0.0,
  stop: -0.7,
  rule: 0.9,
  claim: 0.9,
  polite: 0.5,
  sarcasm: 0.4,
  refusal: -1.5,
  bare: 2.6,
  asked: -2.0,
  fault_asked: 1.2,
  put_back: 2.0,
  interrupted: 0.6,
  repeated: 0.6,
  own: -3.0,
  others: -2.6,
  praise: -0.6,
  praise_turned: 0.4,
  further: -0.5,
  further_later: -0.8,
  content: -1.4,
  wish: -3.4,
  asks: -0.7,
  contrast: 1.1,
  kinds: 2.4,
  first_fault: 0.7,
  pointed_fault: 0.0,
  addressed: 0.6,
  refers: 0.4,
  listed: -0.4,
  short: 0.6,
  long: -0.1,
  question: -1.1,
  loud: 0.7,
  unpointed: -0.1,
  loud_unpointed: -1.2,
  long_unpointed: -0.2,
  pasted_fault: 0.8,
  about_work: 1.1,
  fault_about_work: 1.1,
  other_file: -1.4,
  about_request: -0.2,
};

const BEFORE_ALL = -0.5;

/** How surely a prompt corrects, from 0 to 1. */
export function weighEvidence(evidence: Evidence): number {
  let odds = BEFORE_ALL;
  for (const [name, weight] of Object.entries(WEIGHTS)) odds += weight * evidence[name as keyof Evidence];
  return 1 / (1 + Math.exp(-odds));
}
