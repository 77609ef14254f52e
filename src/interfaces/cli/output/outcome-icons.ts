import type { Outcome } from '../../../domain/entities/verification.ts';

/** How pass, fail and absent are shown to people. */
export const OUTCOME_ICONS = { pass: '✓', fail: '✗', absent: '○' } as const satisfies Record<Outcome, string>;
