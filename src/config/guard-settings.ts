import * as z from 'zod';
import { GUARD_MODES, GUARD_SESSIONS, type GuardMode } from '../domain/guard-mode.ts';

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

export interface GuardSetting {
  mode?: GuardMode | undefined;
  sessions?: (typeof GUARD_SESSIONS)[number] | undefined;
}

/** What is said of a guard, in the long form. */
export function guardSetting(settings: GuardSettings, id: string): GuardSetting {
  const said = Object.hasOwn(settings, id) ? settings[id] : undefined;
  return typeof said === 'string' ? { mode: said } : (said ?? {});
}
