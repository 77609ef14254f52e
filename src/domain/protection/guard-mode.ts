/** Modes of a guard: its decision applies, it warns at most, it only counts, it does not run. */
export const GUARD_MODES = ['enforce', 'warn', 'shadow', 'off'] as const;

export type GuardMode = (typeof GUARD_MODES)[number];

/** Sessions it acts in: all, or only driven ones. */
export const GUARD_SESSIONS = ['all', 'driven'] as const;

/** Evidence a guard may require: passed tests, or all required gates of the current feature. */
export const REQUIRED_EVIDENCE = ['tests', 'verified'] as const;

export type RequiredEvidence = (typeof REQUIRED_EVIDENCE)[number];
