import { copilotCanBeStopped } from '../agents/copilot.ts';
import { copilotSessions } from '../agents/seen-sessions.ts';
import { type ClaudeSettings, type HookHandler, STOP_EVENTS, STOP_TIMEOUT } from './claude-settings.ts';
import type { TimedHookCommand } from './hook-launcher.ts';
import { type TimedAgent, withTimedHooks } from './hooks-with-deadlines.ts';

/** Copilot CLI reads a project's hooks from this file once the person has trusted the folder. */
export const COPILOT_SETTINGS = '.github/copilot/settings.json';

/** The events that GuardKit handles. */
export const COPILOT_EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'SubagentStop',
  'Stop',
  'SessionEnd',
] as const;

/** Seconds. Above the deadline in the command. */
const TIMEOUT = 60;

export const COPILOT: TimedAgent = {
  name: 'copilot',
  title: 'Copilot CLI',
  file: COPILOT_SETTINGS,
  events: COPILOT_EVENTS,
  before: 'PreToolUse',
  after: 'PostToolUse',
  ended: 'SessionEnd',
  matcher: '*',
  handler: copilotHandler,
  sessions: copilotSessions,
};

export function withCopilotHooks(settings: ClaudeSettings, command: TimedHookCommand): ClaudeSettings {
  return withTimedHooks(COPILOT, settings, command);
}

function copilotHandler(event: string, command: TimedHookCommand): HookHandler {
  if (STOP_EVENTS.includes(event)) return handler(command.stopping, STOP_TIMEOUT);
  if (copilotCanBeStopped(event)) return handler(command.refusing, TIMEOUT);
  return handler(event === 'SessionStart' ? command.beginning : command.letting, TIMEOUT);
}

function handler(command: string, timeout: number): HookHandler {
  return { type: 'command', command, timeout };
}
