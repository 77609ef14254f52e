import { realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { enabledPlugin } from '../doctor/examine-wiring.ts';
import type { LauncherContext } from './hook-launcher.ts';
import { LOCAL_SETTINGS, readSettingsFile, SHARED_SETTINGS } from './settings-file.ts';
import { claudeHome } from './wire-claude.ts';

export interface InstallContext {
  root: string;
  launcher: LauncherContext;
  env: NodeJS.ProcessEnv;
  /** The person's home folder. */
  home: string;
}

/** Warnings about settings that disable the hooks or run them twice. */
export function wiringNotices({ root, launcher, env, home }: InstallContext): string[] {
  return [
    ...disablingFiles(root, env, home).map(
      (path) => `${path} has "disableAllHooks": true, so no hook runs. Remove it.`,
    ),
    ...twice(root, env, home),
    ...(liesInProject(launcher.program, root)
      ? [
          'GuardKit is installed inside this project, where an agent can change it. Install it elsewhere, as its README describes, and run the command again.',
        ]
      : []),
  ];
}

/** Settings files that disable all hooks. */
export function disablingFiles(root: string, env: NodeJS.ProcessEnv, home: string): string[] {
  return settingsFiles(root, env, home).filter((path) => {
    const reading = readSettingsFile(path);
    return reading.ok && reading.file.settings.disableAllHooks === true;
  });
}

/** The plugin has the same hooks, and the agent's program would run both. */
function twice(root: string, env: NodeJS.ProcessEnv, home: string): string[] {
  const files = settingsFiles(root, env, home);
  const plugin = enabledPlugin(files.map((path) => ({ path, reading: readSettingsFile(path) })));
  if (!plugin) return [];
  return [
    `${plugin.path} enables the plugin ${plugin.name}, which has the same hooks, so each hook runs twice. Disable the plugin there, or remove the other hooks with \`guardkit uninstall\`.`,
  ];
}

/** In ascending precedence. */
function settingsFiles(root: string, env: NodeJS.ProcessEnv, home: string): string[] {
  return [
    join(claudeHome(env, home), 'settings.json'),
    join(root, SHARED_SETTINGS),
    join(root, LOCAL_SETTINGS),
  ];
}

/** False in GuardKit's own source checkout, where agents work on GuardKit itself. */
export function liesInProject(program: string, root: string): boolean {
  const real = realpathSync(root) + sep;
  return program.startsWith(real) && dirname(dirname(program)) + sep !== real;
}
