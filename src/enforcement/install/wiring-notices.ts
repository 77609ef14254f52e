import { realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { enabledPlugin } from '../doctor/find-plugin.ts';
import type { LauncherContext } from './launcher.ts';
import { LOCAL_SETTINGS, readSettingsFile, SHARED_SETTINGS } from './settings-file.ts';
import { claudeHome } from './wire-claude.ts';

export interface InstallContext {
  root: string;
  launcher: LauncherContext;
  env: NodeJS.ProcessEnv;
  /** The person's home folder. */
  home: string;
}

/** What keeps hooks from holding though they are written down, or has them run more often than once. */
export function wiringNotices({ root, launcher, env, home }: InstallContext): string[] {
  return [
    ...disablingFiles(root, env, home).map(
      (path) => `${path} has "disableAllHooks": true, so that no hook runs. Take it out.`,
    ),
    ...twice(root, env, home),
    ...(liesInProject(launcher.program, root)
      ? [
          'GuardKit itself is installed inside this project, where an agent can change it. Install it elsewhere (npm install -g guardkit) and run the command again.',
        ]
      : []),
  ];
}

/** Settings files that turn off all hooks, also those of other files. */
export function disablingFiles(root: string, env: NodeJS.ProcessEnv, home: string): string[] {
  return settingsFiles(root, env, home).filter((path) => {
    const reading = readSettingsFile(path);
    return reading.ok && reading.file.settings.disableAllHooks === true;
  });
}

/** The plugin brings the same hooks, and the agent's program would run both. */
function twice(root: string, env: NodeJS.ProcessEnv, home: string): string[] {
  const files = settingsFiles(root, env, home);
  const plugin = enabledPlugin(files.map((path) => ({ path, reading: readSettingsFile(path) })));
  if (!plugin) return [];
  return [
    `${plugin.path} has the plugin ${plugin.name} on, which brings the same hooks: everything is asked twice. Turn it off there, or leave the hooks to it with \`guardkit uninstall\`.`,
  ];
}

/** Of several that speak of one thing, the last decides. */
function settingsFiles(root: string, env: NodeJS.ProcessEnv, home: string): string[] {
  return [
    join(claudeHome(env, home), 'settings.json'),
    join(root, SHARED_SETTINGS),
    join(root, LOCAL_SETTINGS),
  ];
}

/** GuardKit's own sources are another thing: there an agent works on GuardKit. */
export function liesInProject(program: string, root: string): boolean {
  const real = realpathSync(root) + sep;
  return program.startsWith(real) && dirname(dirname(program)) + sep !== real;
}
