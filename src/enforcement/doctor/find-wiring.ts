import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { GitFolder } from '../../platform/git/git-folder.ts';
import { type OwnHook, ownHooks, runs } from '../install/claude-settings.ts';
import { type HookProgram, ownHookProgram, sharedHookCommand } from '../install/hook-command.ts';
import { LOCAL_SETTINGS, readSettingsFile, SHARED_SETTINGS } from '../install/settings-file.ts';
import { claudeHome } from '../install/wire-claude.ts';
import { findPlugin } from './find-plugin.ts';
import type { SettingsSource } from './settings-source.ts';

/** Where an administrator says what holds for everybody. */
const MANAGED = [
  '/etc/claude-code/managed-settings.json',
  '/Library/Application Support/ClaudeCode/managed-settings.json',
];

export interface FoundWiring {
  /** The files that Claude Code reads for a session in this checkout, those that are there. */
  sources: SettingsSource[];
  /** GuardKit's own hooks among them. */
  hooks: FoundHook[];
}

export interface FoundHook extends OwnHook {
  path: string;
  scope: SettingsSource['scope'];
  /** It runs what this GuardKit would have it run. Anything else may be anybody's program. */
  known: boolean;
}

/** Reads every file that decides whether hooks run in a checkout. */
export function findWiring(
  git: GitFolder,
  { env, home, dataFolder }: { env: NodeJS.ProcessEnv; home: string; dataFolder: string },
): FoundWiring {
  const known = [ownHookProgram(dataFolder, 'claude'), sharedHookCommand('claude')].flatMap(
    (one): (string | HookProgram)[] => Object.values(one),
  );
  const places: (readonly [SettingsSource['scope'], string])[] = [
    ...MANAGED.map((path) => ['managed', path] as const),
    ['home', join(claudeHome(env, home), 'settings.json')],
    ['team', join(git.root, SHARED_SETTINGS)],
    ...ownFolders(git).map((folder) => ['own', join(folder, LOCAL_SETTINGS)] as const),
  ];
  const files = places
    .filter(([, path]) => existsSync(path))
    .map(([scope, path]) => ({ scope, path, reading: readSettingsFile(path) }));
  const sources = [...files, ...findPlugin(files, claudeHome(env, home))];
  return {
    sources,
    hooks: sources.flatMap(({ scope, path, reading }) =>
      reading.ok
        ? ownHooks(reading.file.settings).map((hook) => ({
            ...hook,
            path,
            scope,
            known: known.some((one) => runs(hook.handler, one)),
          }))
        : [],
    ),
  };
}

/** In a linked working tree Claude Code takes a person's settings of the main one as well. */
function ownFolders({ root, commonDir }: GitFolder): string[] {
  const main = basename(commonDir) === '.git' ? dirname(commonDir) : root;
  return main === root ? [root] : [root, main];
}
