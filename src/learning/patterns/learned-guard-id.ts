import { LEARNED_PREFIX } from '../../config/guard-files/read-guard-files.ts';

const PATTERN_ID = /^PATTERN-([0-9a-f]{12})$/;
const LEARNED_ID = new RegExp(`^${LEARNED_PREFIX}p([0-9a-f]{12})$`);

/** The id of the guard made from a pattern; always the same for a pattern. */
export function learnedGuardId(patternId: string): string | undefined {
  const hex = PATTERN_ID.exec(patternId)?.[1];
  return hex === undefined ? undefined : `${LEARNED_PREFIX}p${hex}`;
}

/** The pattern that a guard was made from. */
export function patternOfLearned(guardId: string): string | undefined {
  const hex = LEARNED_ID.exec(guardId)?.[1];
  return hex === undefined ? undefined : `PATTERN-${hex}`;
}
