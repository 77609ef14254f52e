import * as z from 'zod';
import { GUARD_MODES, GUARD_SESSIONS } from '../../domain/protection/guard-mode.ts';

const setting = z.strictObject({
  mode: z.enum(GUARD_MODES).optional(),
  sessions: z.enum(GUARD_SESSIONS).optional(),
});

/** `guards:` of the configuration: by a guard's id its mode, or its mode and the sessions it acts in. */
export const guardSettingsSchema = z.record(
  z.string().min(1).max(100),
  z.union([z.enum(GUARD_MODES), setting], {
    error: `${GUARD_MODES.join(', ')} or {mode, sessions: ${GUARD_SESSIONS.join(' | ')}} is expected`,
  }),
);

export type GuardSettings = z.infer<typeof guardSettingsSchema>;
