import { lstatSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { GuardKitError } from '../../guardkit-error.ts';
import { writeFileAtomic } from '../../platform/files/atomic-file.ts';
import type { GitFolder } from '../../platform/git/git-folder.ts';
import { isProgram } from '../../platform/processes/find-program.ts';
import { shellFolder } from '../shell/shell-folder.ts';
import type { LauncherContext } from './hook-launcher.ts';
import { isOwnPlugin, ownPluginText, sharedPluginText } from './opencode-plugin.ts';
import type { WiringStep } from './settings-file.ts';
import { isThere, launcherStep } from './wire-claude.ts';
import { realFolder, type ShellWiring } from './wire-shell.ts';

/** OpenCode loads every plugin in this folder of a project. */
export const OPENCODE_PLUGIN = '.opencode/plugin/guardkit.js';

export interface OpencodeWiring {
  root: string;
  launcher: LauncherContext;
  /** For the team (default: as installed, else for this person). */
  shared?: boolean | undefined;
  shell?: ShellWiring | undefined;
}

/** All changes needed for the plugin. It finds the shell wrapper by itself. */
export function planOpencodeWiring({ root, launcher, shared, shell }: OpencodeWiring): WiringStep[] {
  const found = requirePlugin(root);
  const forTeam = shared ?? found === sharedPluginText();
  const wanted = forTeam ? sharedPluginText() : ownPluginText(launcher.dataFolder);
  const target = join(root, OPENCODE_PLUGIN);
  return [
    launcherStep(launcher),
    ...(shell?.ok ? shell.steps : []),
    {
      path: OPENCODE_PLUGIN,
      target,
      action:
        found === wanted
          ? ('keep' as const)
          : found === undefined
            ? ('create' as const)
            : ('change' as const),
      perform: () => {
        if (found !== wanted) writeFileAtomic(target, wanted, 0o644);
      },
    },
  ].filter(isThere);
}

export function planOpencodeUnwiring(root: string): WiringStep[] {
  const path = join(root, OPENCODE_PLUGIN);
  const found = pluginOf(root);
  if (found === undefined || !isOwnPlugin(found)) return [];
  return [
    { path: OPENCODE_PLUGIN, target: path, action: 'remove', perform: () => rmSync(path, { force: true }) },
  ];
}

export function opencodeWiringOf(checkout: string): boolean {
  const found = pluginOf(checkout);
  return found !== undefined && isOwnPlugin(found);
}

/** The plugin uses the wrapper if it is installed. */
export function opencodeIsWrapped(checkout: string, git: GitFolder, dataFolder: string): boolean {
  return opencodeWiringOf(checkout) && isProgram(shellFolder(realFolder(dataFolder), git).bash);
}

/** The forms of the plugin that are in order. */
export function pluginForms(dataFolder: string): string[] {
  return [ownPluginText(dataFolder), sharedPluginText()];
}

/** The text of the plugin in a checkout; undefined without one. */
export function pluginOf(root: string): string | undefined {
  try {
    return readFileSync(join(root, OPENCODE_PLUGIN), 'utf8');
  } catch {
    // Safe: a plugin that cannot be read does not load.
    return undefined;
  }
}

/** Somebody else's file is never overwritten. */
function requirePlugin(root: string): string | undefined {
  const path = join(root, OPENCODE_PLUGIN);
  const found = pluginOf(root);
  if (found === undefined ? !lstatSync(path, { throwIfNoEntry: false }) : isOwnPlugin(found)) return found;
  throw new GuardKitError({
    code: 'wiring.settings-unreadable',
    kind: 'input',
    message: `Cannot write GuardKit’s plugin: ${path} exists and is not GuardKit’s.`,
    hint: 'Move the file elsewhere, then run the command again. Nothing was written.',
  });
}
