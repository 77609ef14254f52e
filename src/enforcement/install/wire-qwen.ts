import { qwenCanBeStopped } from '../agents/qwen.ts';
import { qwenSessions } from '../agents/seen-sessions.ts';
import { type ClaudeSettings, type HookHandler, STOP_EVENTS, STOP_TIMEOUT } from './claude-settings.ts';
import type { TimedHookCommand } from './hook-launcher.ts';
import { type TimedAgent, withTimedHooks } from './hooks-with-deadlines.ts';

/** Qwen Code reads a project's hooks from this file, unless the person has not trusted the folder. */
export const QWEN_SETTINGS = '.qwen/settings.json';

/** The events that GuardKit handles. */
export const QWEN_EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'SubagentStart',
  'SubagentStop',
  'Stop',
  'SessionEnd',
] as const;

/** Seconds. Above the deadline in the command. */
const TIMEOUT = 60;

export const QWEN: TimedAgent = {
  name: 'qwen',
  title: 'Qwen Code',
  file: QWEN_SETTINGS,
  events: QWEN_EVENTS,
  before: 'PreToolUse',
  after: 'PostToolUse',
  ended: 'SessionEnd',
  matcher: '*',
  handler: qwenHandler,
  sessions: qwenSessions,
};

export function withQwenHooks(settings: ClaudeSettings, command: TimedHookCommand): ClaudeSettings {
  return withTimedHooks(QWEN, settings, command);
}

function qwenHandler(event: string, command: TimedHookCommand): HookHandler {
  if (STOP_EVENTS.includes(event)) return handler(command.stopping, STOP_TIMEOUT);
  if (qwenCanBeStopped(event)) return handler(command.refusing, TIMEOUT);
  return handler(event === 'SessionStart' ? command.beginning : command.letting, TIMEOUT);
}

/** Qwen Code takes numbers from 1000 on as milliseconds, smaller ones as seconds. */
function handler(command: string, seconds: number): HookHandler {
  return { type: 'command', command, timeout: seconds * 1000 };
}
