import { realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import type { LauncherParts } from './launcher.ts';
import { LOCAL_SETTINGS, readSettingsFile, SHARED_SETTINGS } from './settings-file.ts';
import { claudeHome } from './wire-claude.ts';

export interface WiringPlace {
  root: string;
  launcher: LauncherParts;
  env: NodeJS.ProcessEnv;
  /** The person's home folder. */
  home: string;
}

/** What keeps hooks from holding though they are written down. */
export function wiringNotices({ root, launcher, env, home }: WiringPlace): string[] {
  return [
    ...disablingFiles(root, env, home).map(
      (path) => `${path} has "disableAllHooks": true, so that no hook runs. Take it out.`,
    ),
    ...(liesInProject(launcher.program, root)
      ? [
          'GuardKit itself is installed inside this project, where an agent can change it. Install it elsewhere (npm install -g guardkit) and run the command again.',
        ]
      : []),
  ];
}

/** Settings files that turn off all hooks, also those of other files. */
export function disablingFiles(root: string, env: NodeJS.ProcessEnv, home: string): string[] {
  return [
    join(claudeHome(env, home), 'settings.json'),
    join(root, SHARED_SETTINGS),
    join(root, LOCAL_SETTINGS),
  ].filter((path) => {
    const reading = readSettingsFile(path);
    return reading.ok && reading.file.settings.disableAllHooks === true;
  });
}

/** GuardKit's own sources are another thing: there an agent works on GuardKit. */
export function liesInProject(program: string, root: string): boolean {
  const real = realpathSync(root) + sep;
  return program.startsWith(real) && dirname(dirname(program)) + sep !== real;
}
