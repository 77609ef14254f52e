import type { GuardDefinition, GuardSettings } from '../config/guard-files/guard-file.ts';
import type { LocatedGuard } from '../config/guard-files/read-guard-files.ts';
import type { GUARD_SESSIONS, GuardMode } from '../domain/protection/guard-mode.ts';
import type { AskedGuard } from '../store/ledger/tables/learned-guards.ts';
import { BUILT_IN_GUARDS } from './built-in/built-in-guards.ts';
import { compileGuard } from './compile-guard.ts';
import type { Guard } from './guard.ts';

/** All guards of a project, each in its configured mode. */
export function configureGuards(
  settings: GuardSettings,
  project: readonly LocatedGuard[],
  learned: readonly AskedGuard[] = [],
): Guard[] {
  const own = project.map(({ definition }) => compileGuard(definition));
  const taken = new Set(own.map(({ id }) => id));
  const guards = [
    ...BUILT_IN_GUARDS,
    ...own,
    ...learned.filter(({ guard_id }) => !taken.has(guard_id)).map(compileLearned),
  ];
  return guards.map((guard) => {
    const { mode = guard.mode, sessions } = guardSetting(settings, guard.id);
    const drivenOnly = sessions === undefined ? guard.drivenOnly : sessions === 'driven';
    return mode === guard.mode && drivenOnly === guard.drivenOnly ? guard : { ...guard, mode, drivenOnly };
  });
}

function compileLearned({ definition, mode }: AskedGuard): Guard {
  // Safe cast: learned guards are validated with the guard-file schema before they are recorded.
  return { ...compileGuard(definition as GuardDefinition), origin: 'learned', mode };
}

interface GuardSetting {
  mode?: GuardMode | undefined;
  sessions?: (typeof GUARD_SESSIONS)[number] | undefined;
}

/** The setting of a guard, in long form. */
function guardSetting(settings: GuardSettings, id: string): GuardSetting {
  const setting = Object.hasOwn(settings, id) ? settings[id] : undefined;
  return typeof setting === 'string' ? { mode: setting } : (setting ?? {});
}
