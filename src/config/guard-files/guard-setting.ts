import type { GUARD_SESSIONS, GuardMode } from '../../domain/protection/guard-mode.ts';
import type { GuardSettings } from './guard-settings.ts';

export interface GuardSetting {
  mode?: GuardMode | undefined;
  sessions?: (typeof GUARD_SESSIONS)[number] | undefined;
}

/** What is said of a guard, in the long form. */
export function guardSetting(settings: GuardSettings, id: string): GuardSetting {
  const said = Object.hasOwn(settings, id) ? settings[id] : undefined;
  return typeof said === 'string' ? { mode: said } : (said ?? {});
}
