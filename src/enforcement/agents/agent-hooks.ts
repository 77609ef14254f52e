import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { programOf } from '../../platform/processes/process-table.ts';
import type { HookAnswer, HookEvent } from '../hooks/hook-event.ts';
import { claudeCanBeStopped, readClaudeEvent, writeClaudeAnswer } from './claude.ts';
import { codexCanBeStopped, readCodexEvent } from './codex.ts';
import { copilotCanBeStopped, readCopilotEvent, writeCopilotAnswer } from './copilot.ts';
import { geminiCanBeStopped, isGeminiAnswer, readGeminiEvent, writeGeminiAnswer } from './gemini.ts';
import {
  isOpencodeAnswer,
  opencodeCanBeStopped,
  readOpencodeEvent,
  writeOpencodeAnswer,
} from './opencode.ts';
import { qwenCanBeStopped, readQwenEvent, writeQwenAnswer } from './qwen.ts';
import { isToolUseAnswer, writeToolUseAnswer } from './tool-use-answers.ts';

/** How a hook was started. */
export interface HookStart {
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** The process that started the hook, if known. */
  starter?: number | undefined;
}

/** An agent that starts servers without asking, where its settings exist. */
interface ServerStarter {
  /** For people. */
  title: string;
  /** Relative to the project. */
  settings: string;
}

/** The hook protocol of one coding agent. */
export interface AgentHooks {
  read(payload: unknown, env: NodeJS.ProcessEnv): HookEvent | undefined;
  write(event: HookEvent, answer: HookAnswer): Record<string, unknown>;
  /** Variables that mean something for another agent, which may have started this one. */
  readonly ignores?: readonly string[];
  /** A variable that the agent's program sets for its commands, but not for hooks. */
  readonly commandMark?: string;
  /** Its program asks a person at the terminal before it starts servers in a new `.mcp.json` (default: it does not). */
  readonly asksAboutServers?: true;
  /** It starts them unasked in a project with these settings. */
  readonly startsServers?: ServerStarter;
  /** Whether the agent's program accepts this answer (default: it does). */
  accepts?(answer: Record<string, unknown>): boolean;
  /** The folder that the agent was started in, and its pid. */
  origin(started: HookStart): { folder: string; agentPid: number | undefined };
  eventName(payload: unknown): string | undefined;
  canBeStopped(eventName: string): boolean;
}

const AGENTS: Readonly<Record<string, AgentHooks>> = {
  claude: {
    read: readClaudeEvent,
    write: writeClaudeAnswer,
    asksAboutServers: true,
    origin: ({ env, cwd }) => ({
      folder: env.CLAUDE_PROJECT_DIR ?? cwd,
      agentPid: wholeNumber(env.CLAUDE_PID),
    }),
    eventName: (payload) => textAt(payload, 'hook_event_name'),
    canBeStopped: claudeCanBeStopped,
  },
  codex: {
    read: readCodexEvent,
    write: writeToolUseAnswer,
    accepts: isToolUseAnswer,
    // It does not wrap the commands of Codex.
    ignores: ['CLAUDE_CODE_SHELL_PREFIX'],
    commandMark: 'CODEX_TOOL_CALL_ID',
    // Codex names neither in the environment. It starts hooks in the session's folder.
    origin: ({ cwd, starter }) => ({ folder: cwd, agentPid: ownPid(starter, /^codex(?:-|$)/) }),
    eventName: (payload) => textAt(payload, 'hook_event_name'),
    canBeStopped: codexCanBeStopped,
  },
  copilot: {
    read: readCopilotEvent,
    write: writeCopilotAnswer,
    accepts: isToolUseAnswer,
    // It does not wrap the commands of Copilot CLI.
    ignores: ['CLAUDE_CODE_SHELL_PREFIX'],
    commandMark: 'COPILOT_AGENT_SESSION_ID',
    startsServers: { title: 'Copilot CLI', settings: '.github/copilot/settings.json' },
    origin: ({ env, cwd, starter }) => ({
      folder: env.COPILOT_PROJECT_DIR ?? cwd,
      agentPid: ownPid(starter, /^copilot/),
    }),
    eventName: (payload) => textAt(payload, 'hook_event_name'),
    canBeStopped: copilotCanBeStopped,
  },
  gemini: {
    read: readGeminiEvent,
    write: writeGeminiAnswer,
    accepts: isGeminiAnswer,
    // It does not wrap the commands of Gemini CLI.
    ignores: ['CLAUDE_CODE_SHELL_PREFIX'],
    commandMark: 'GEMINI_CLI',
    origin: ({ env, cwd, starter }) => ({
      folder: env.GEMINI_PROJECT_DIR ?? cwd,
      agentPid: ownPid(starter, /^node$/),
    }),
    eventName: (payload) => textAt(payload, 'hook_event_name'),
    canBeStopped: geminiCanBeStopped,
  },
  opencode: {
    read: readOpencodeEvent,
    write: writeOpencodeAnswer,
    accepts: isOpencodeAnswer,
    commandMark: 'OPENCODE',
    // The plugin starts hooks in the session's folder.
    origin: ({ cwd, starter }) => ({ folder: cwd, agentPid: ownPid(starter, /^opencode/) }),
    eventName: (payload) => textAt(payload, 'hook'),
    canBeStopped: opencodeCanBeStopped,
  },
  qwen: {
    read: readQwenEvent,
    write: writeQwenAnswer,
    accepts: isToolUseAnswer,
    // It does not wrap the commands of Qwen Code.
    ignores: ['CLAUDE_CODE_SHELL_PREFIX'],
    commandMark: 'QWEN_CODE',
    // In its mode `yolo`; in others it asks.
    startsServers: { title: 'Qwen Code', settings: '.qwen/settings.json' },
    origin: ({ env, cwd, starter }) => ({
      folder: env.QWEN_PROJECT_DIR ?? cwd,
      agentPid: ownPid(starter, /^node$/),
    }),
    eventName: (payload) => textAt(payload, 'hook_event_name'),
    canBeStopped: qwenCanBeStopped,
  },
};

const SERVER_STARTERS: readonly ServerStarter[] = Object.values(AGENTS).flatMap(
  ({ startsServers }) => startsServers ?? [],
);

/** Agents with supported hooks. */
export const HOOKED_AGENTS: readonly string[] = Object.keys(AGENTS);

/**
 * The agent whose event a hook answers. Copilot CLI also runs the hooks in Claude Code's settings, without their arguments.
 */
export function reportingAgent(name: string, env: NodeJS.ProcessEnv): string {
  const isClaudes = name === 'claude' || name === '';
  return isClaudes && env.COPILOT_PROJECT_DIR !== undefined ? 'copilot' : name;
}

export function findAgentHooks(name: string): AgentHooks | undefined {
  return Object.hasOwn(AGENTS, name) ? AGENTS[name] : undefined;
}

/** The process that started the hook, if it is the agent's program and not a command of the agent. */
function ownPid(starter: number | undefined, name: RegExp): number | undefined {
  return starter !== undefined && name.test(basename(programOf(starter))) ? starter : undefined;
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function textAt(value: unknown, key: string): string | undefined {
  if (value === null || typeof value !== 'object' || !Object.hasOwn(value, key)) return undefined;
  const found: unknown = Reflect.get(value, key);
  return typeof found === 'string' ? found : undefined;
}

/** Why servers in a new `.mcp.json` would start without the person's consent; undefined if a person at the terminal is asked. */
export function unaskedServers(agent: string, checkout: string): string | undefined {
  if (findAgentHooks(agent)?.asksAboutServers !== true)
    return 'only an agent whose program asks the person before it starts new servers may create it.';
  const starter = SERVER_STARTERS.find(({ settings }) => existsSync(join(checkout, settings)));
  return starter && `${starter.title} is also used in this project and starts its servers without asking.`;
}
