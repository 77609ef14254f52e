import { guardSetting } from '../config/guard-setting.ts';
import type { GuardSettings } from '../config/guard-settings.ts';
import type { LocatedGuard } from '../config/read-guard-files.ts';
import { BUILT_IN_GUARDS } from './built-in/built-in-guards.ts';
import { compileGuard } from './compile-guard.ts';
import type { Guard } from './guard.ts';

/** All guards of a project, each in the mode that its configuration says. */
export function configureGuards(settings: GuardSettings, project: readonly LocatedGuard[]): Guard[] {
  const guards = [...BUILT_IN_GUARDS, ...project.map(({ definition }) => compileGuard(definition))];
  return guards.map((guard) => {
    const { mode = guard.mode, sessions } = guardSetting(settings, guard.id);
    const drivenOnly = sessions === undefined ? guard.drivenOnly : sessions === 'driven';
    return mode === guard.mode && drivenOnly === guard.drivenOnly ? guard : { ...guard, mode, drivenOnly };
  });
}
