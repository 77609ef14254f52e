/** How a guard acts: its decision holds, at most a warning, only counted, not asked. */
export const GUARD_MODES = ['enforce', 'warn', 'shadow', 'off'] as const;

export type GuardMode = (typeof GUARD_MODES)[number];

/** In which sessions: in all of them, or only in those that GuardKit drives. */
export const GUARD_SESSIONS = ['all', 'driven'] as const;

/** What a guard may require: that the project's tests passed, or every required gate of the feature in progress. */
export const REQUIRED_EVIDENCE = ['tests', 'verified'] as const;

export type RequiredEvidence = (typeof REQUIRED_EVIDENCE)[number];
