import { criterionWords, wordSimilarity } from '../../domain/criteria/criterion-similarity.ts';

/** Above this two texts say the same in other words. */
const SAME = 0.8;

/** Whether two feedbacks ask for the same, whatever their order, case and punctuation. */
export function isSameFeedback(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return false;
  return wordSimilarity(criterionWords(one), criterionWords(other)) >= SAME;
}
