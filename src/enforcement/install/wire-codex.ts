import { codexCanBeStopped } from '../agents/codex.ts';
import { codexSessions } from '../agents/seen-sessions.ts';
import { type ClaudeSettings, type HookHandler, STOP_EVENTS, STOP_TIMEOUT } from './claude-settings.ts';
import type { TimedHookCommand } from './hook-launcher.ts';
import { type TimedAgent, withTimedHooks } from './hooks-with-deadlines.ts';

/**
 * Codex reads a project's hooks from this file once the person has trusted the folder and the hooks. Not from the person's
 * own folder: those hooks would run in every project, also where GuardKit is not set up.
 */
export const CODEX_HOOKS = '.codex/hooks.json';

/** The events that GuardKit handles. */
export const CODEX_EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'SubagentStart',
  'SubagentStop',
  'Stop',
  'SessionEnd',
] as const;

/** Seconds. Above the deadline in the command. */
const TIMEOUT = 60;
/** The most that Codex allows there. */
const SESSION_END_TIMEOUT = 3;

/** Never change these definitions: Codex silently skips a changed hook until the person trusts it again. */
export const CODEX: TimedAgent = {
  name: 'codex',
  title: 'Codex',
  file: CODEX_HOOKS,
  events: CODEX_EVENTS,
  before: 'PreToolUse',
  after: 'PostToolUse',
  ended: 'SessionEnd',
  handler: codexHandler,
  sessions: codexSessions,
};

export function withCodexHooks(settings: ClaudeSettings, command: TimedHookCommand): ClaudeSettings {
  return withTimedHooks(CODEX, settings, command);
}

export function codexHandler(event: string, command: TimedHookCommand): HookHandler {
  if (STOP_EVENTS.includes(event)) return handler(command.stopping, STOP_TIMEOUT);
  if (codexCanBeStopped(event)) return handler(command.refusing, TIMEOUT);
  if (event === 'SessionEnd') return handler(command.letting, SESSION_END_TIMEOUT);
  return handler(event === 'SessionStart' ? command.beginning : command.letting, TIMEOUT);
}

function handler(command: string, timeout: number): HookHandler {
  return { type: 'command', command, timeout };
}
