import { join } from 'node:path';
import type { SeenSession } from '../agents/seen-sessions.ts';
import {
  type ClaudeSettings,
  type HookHandler,
  hookedEvents,
  type OwnHook,
  withoutHooks,
} from './claude-settings.ts';
import {
  type LauncherContext,
  sharedTimedHookCommand,
  type TimedHookCommand,
  timedHookCommand,
} from './hook-launcher.ts';
import { readSettingsFile, requireSettingsFile, type WiringStep } from './settings-file.ts';
import { isThere, launcherStep, settingsStep } from './wire-claude.ts';

/** An agent that lets the action run if a hook fails or is late, so that its hooks have deadlines of their own. */
export interface TimedAgent {
  name: string;
  /** For people. */
  title: string;
  /** The project's settings file with the hooks. */
  file: string;
  /** The events that GuardKit handles. Before an action, after it, and at the end of a session. */
  events: readonly string[];
  before: string;
  after: string;
  ended: string;
  /** The hook for an event, with its timeout in the agent's own unit. */
  handler(event: string, command: TimedHookCommand): HookHandler;
  /** Default: none. */
  matcher?: string;
  /** The person's sessions since a moment, from the agent's own files. */
  sessions(env: NodeJS.ProcessEnv, since: number): SeenSession[];
}

export interface TimedWiring {
  root: string;
  launcher: LauncherContext;
  /** For the team (default: as installed, else for this person). */
  shared?: boolean | undefined;
}

/** All changes needed for the agent's hooks. */
export function planTimedWiring(agent: TimedAgent, { root, launcher, shared }: TimedWiring): WiringStep[] {
  const file = requireSettingsFile(root, agent.file);
  const forTeam = shared ?? usesSharedCommand(agent, file.settings);
  const command = forTeam
    ? sharedTimedHookCommand(agent.name)
    : timedHookCommand(launcher.dataFolder, agent.name);
  return [
    launcherStep(launcher),
    settingsStep(agent.file, file, withTimedHooks(agent, file.settings, command)),
  ].filter(isThere);
}

export function planTimedUnwiring({ file: path }: TimedAgent, root: string): WiringStep[] {
  const file = requireSettingsFile(root, path);
  return [settingsStep(path, file, withoutHooks(file.settings))].filter(isThere);
}

/** The settings with GuardKit's hooks, exactly once, and everything else unchanged. */
export function withTimedHooks(
  { events, handler, matcher }: TimedAgent,
  settings: ClaudeSettings,
  command: TimedHookCommand,
): ClaudeSettings {
  const bare = withoutHooks(settings).hooks ?? {};
  const hooks = { ...bare };
  for (const event of events)
    hooks[event] = [
      ...(bare[event] ?? []),
      { ...(matcher === undefined ? {} : { matcher }), hooks: [handler(event, command)] },
    ];
  return { ...settings, hooks };
}

/** The events whose hook is missing or changed. */
export function wrongEvents(agent: TimedAgent, hooks: readonly OwnHook[], dataFolder: string): string[] {
  const forms = [timedHookCommand(dataFolder, agent.name), sharedTimedHookCommand(agent.name)];
  return agent.events.filter(
    (event) =>
      !hooks.some(
        (hook) =>
          hook.event === event &&
          hook.matcher === '*' &&
          forms.some((form) => sameHandler(hook.handler, agent.handler(event, form))),
      ),
  );
}

function sameHandler(one: HookHandler, other: HookHandler): boolean {
  return one.type === other.type && one.command === other.command && one.timeout === other.timeout;
}

function usesSharedCommand({ name, before }: TimedAgent, { hooks = {} }: ClaudeSettings): boolean {
  const { refusing } = sharedTimedHookCommand(name);
  return (hooks[before] ?? []).some(({ hooks: handlers = [] }) =>
    handlers.some(({ command }) => command === refusing),
  );
}

export function timedWiringOf({ file }: TimedAgent, checkout: string): boolean | 'unknown' {
  const reading = readSettingsFile(join(checkout, file));
  if (!reading.ok) return 'unknown';
  return hookedEvents(reading.file.settings).length > 0;
}
