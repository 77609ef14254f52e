import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { GitFolder } from '../../platform/git/git-folder.ts';
import { claudeCanBeStopped } from '../agents/claude.ts';
import { CLAUDE_EVENTS, type OwnHook, ownHooks, runs } from '../install/claude-settings.ts';
import { type HookProgram, ownHookProgram, sharedHookCommand } from '../install/hook-launcher.ts';
import {
  LOCAL_SETTINGS,
  readSettingsFile,
  type SettingsFileReading,
  SHARED_SETTINGS,
} from '../install/settings-file.ts';
import { claudeHome, ownSettingsFolders } from '../install/wire-claude.ts';
import type { DoctorCheck } from './doctor-check.ts';

const WIRE = 'Run `guardkit init --agent claude`.';
const REWIRE = 'Run `guardkit doctor --fix`.';

/** Whether the settings are complete. Only `proveHooks` shows that the hooks work. */
export function examineWiring({ sources, hooks }: FoundWiring): DoctorCheck {
  const id = 'settings';
  const unreadable = sources.find(({ reading }) => !reading.ok);
  if (unreadable && !unreadable.reading.ok)
    return {
      id,
      outcome: 'fail',
      found: `${unreadable.path} cannot be used: ${unreadable.reading.why}`,
      hint: 'Fix the file; until then an agent may run without its hooks.',
    };
  const off = sources.find(({ reading }) => reading.ok && reading.file.settings.disableAllHooks === true);
  if (off)
    return {
      id,
      outcome: 'fail',
      found: `${off.path} has "disableAllHooks": true, so no hook runs`,
      hint: 'Remove that line.',
    };
  const managed = sources.find(
    ({ scope, reading }) =>
      scope === 'managed' && reading.ok && reading.file.settings.allowManagedHooksOnly === true,
  );
  if (managed)
    return {
      id,
      outcome: 'fail',
      found: `${managed.path} allows only an administrator’s hooks`,
      hint: 'Ask this machine’s administrator to add GuardKit’s hooks there.',
    };
  if (hooks.length === 0)
    return {
      id,
      outcome: 'fail',
      code: 'not-wired',
      found: 'no agent has GuardKit’s hooks here',
      hint: WIRE,
    };
  const foreign = hooks.find(({ known }) => !known);
  if (foreign)
    return {
      id,
      outcome: 'fail',
      found: `in ${foreign.path}, ${foreign.event} runs ${String(foreign.handler.command).slice(0, 200)} instead of this GuardKit’s launcher`,
      hint: `${REWIRE} If GUARDKIT_HOME was different at installation, set it to that folder.`,
    };
  const missing = CLAUDE_EVENTS.filter((event) => !hooks.some((hook) => hook.event === event));
  if (missing.length > 0)
    return { id, outcome: 'fail', found: `no hooks for ${missing.join(', ')}`, hint: REWIRE };
  const narrow = hooks.find(({ matcher }) => matcher !== '*');
  if (narrow)
    return {
      id,
      outcome: 'fail',
      found: `in ${narrow.path}, the hook for ${narrow.event} covers only ${JSON.stringify(narrow.matcher)}`,
      hint: REWIRE,
    };
  const lax = hooks.find(({ event, handler }) => claudeCanBeStopped(event) && handler.onFailure !== 'block');
  if (lax)
    return {
      id,
      outcome: 'fail',
      found: `in ${lax.path}, the action is allowed when the hook for ${lax.event} fails`,
      hint: REWIRE,
    };
  const files = [...new Set(hooks.map(({ path }) => path))];
  if (files.length > 1 && hooks.some(({ scope }) => scope === 'plugin'))
    return {
      id,
      outcome: 'pass',
      code: 'wired-twice',
      found: `${CLAUDE_EVENTS.length} hooks in ${files.join(' and ')}, so each runs twice`,
      hint: 'Disable the plugin, or remove the hooks from the settings with `guardkit uninstall`.',
    };
  return { id, outcome: 'pass', found: `${CLAUDE_EVENTS.length} hooks in ${files.join(' and ')}` };
}

/** A file that decides whether hooks run. */
export interface SettingsSource {
  path: string;
  scope: 'managed' | 'home' | 'team' | 'own' | 'plugin';
  reading: SettingsFileReading;
}

/** An administrator's settings for all users. */
const MANAGED = [
  '/etc/claude-code/managed-settings.json',
  '/Library/Application Support/ClaudeCode/managed-settings.json',
];

export interface FoundWiring {
  /** The existing files that Claude Code reads for a session in this checkout. */
  sources: SettingsSource[];
  /** GuardKit's own hooks among them. */
  hooks: FoundHook[];
}

interface FoundHook extends OwnHook {
  path: string;
  scope: SettingsSource['scope'];
  /** It runs a command of this GuardKit. Anything else may be an untrusted program. */
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
    ...ownSettingsFolders(git).map((folder) => ['own', join(folder, LOCAL_SETTINGS)] as const),
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

const enabledSchema = z.looseObject({ enabledPlugins: z.record(z.string(), z.unknown()).optional() });
const installedSchema = z.looseObject({
  plugins: z.record(z.string(), z.array(z.looseObject({ installPath: z.string() }))),
});

/** The hooks of GuardKit's plugin if it is enabled, from Claude Code's installed copy. */
function findPlugin(sources: readonly SettingsSource[], claudeFolder: string): SettingsSource[] {
  const { name } = enabledPlugin(sources) ?? {};
  if (name === undefined) return [];
  const reading = readSettingsFile(join(claudeFolder, 'plugins', 'installed_plugins.json'));
  const installed = reading.ok ? installedSchema.safeParse(reading.file.settings).data : undefined;
  return (installed?.plugins[name] ?? []).map(({ installPath }) => {
    const path = join(installPath, 'hooks', 'hooks.json');
    return { path, scope: 'plugin', reading: readSettingsFile(path) };
  });
}

/** The last source that mentions the plugin decides. */
export function enabledPlugin(
  sources: readonly Pick<SettingsSource, 'path' | 'reading'>[],
): { name: string; path: string } | undefined {
  const states = new Map<string, { enabled: boolean; path: string }>();
  for (const { path, reading } of sources) {
    const settings = reading.ok ? enabledSchema.safeParse(reading.file.settings).data : undefined;
    for (const [name, enabled] of Object.entries(settings?.enabledPlugins ?? {}))
      if (name.startsWith('guardkit@')) states.set(name, { enabled: enabled === true, path });
  }
  const [found] = [...states].filter(([, { enabled }]) => enabled);
  return found && { name: found[0], path: found[1].path };
}
