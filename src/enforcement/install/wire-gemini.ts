import { geminiCanBeStopped } from '../agents/gemini.ts';
import { geminiSessions } from '../agents/seen-sessions.ts';
import { type ClaudeSettings, type HookHandler, STOP_TIMEOUT } from './claude-settings.ts';
import type { TimedHookCommand } from './hook-launcher.ts';
import { type TimedAgent, withTimedHooks } from './hooks-with-deadlines.ts';

/** Gemini CLI reads a project's hooks from this file once the person has trusted the folder. */
export const GEMINI_SETTINGS = '.gemini/settings.json';

/** The events that GuardKit handles. */
export const GEMINI_EVENTS = [
  'SessionStart',
  'BeforeAgent',
  'BeforeTool',
  'AfterTool',
  'AfterAgent',
  'SessionEnd',
] as const;

/** Seconds. Above the deadline in the command. */
const TIMEOUT = 60;

export const GEMINI: TimedAgent = {
  name: 'gemini',
  title: 'Gemini CLI',
  file: GEMINI_SETTINGS,
  events: GEMINI_EVENTS,
  before: 'BeforeTool',
  after: 'AfterTool',
  ended: 'SessionEnd',
  matcher: '*',
  handler: geminiHandler,
  sessions: geminiSessions,
};

export function withGeminiHooks(settings: ClaudeSettings, command: TimedHookCommand): ClaudeSettings {
  return withTimedHooks(GEMINI, settings, command);
}

function geminiHandler(event: string, command: TimedHookCommand): HookHandler {
  if (event === 'AfterAgent') return handler(command.stopping, STOP_TIMEOUT);
  if (geminiCanBeStopped(event)) return handler(command.refusing, TIMEOUT);
  return handler(event === 'SessionStart' ? command.beginning : command.letting, TIMEOUT);
}

/** Gemini CLI counts milliseconds. */
function handler(command: string, seconds: number): HookHandler {
  return { type: 'command', command, timeout: seconds * 1000 };
}
