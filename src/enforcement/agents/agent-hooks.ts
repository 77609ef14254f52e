import type { HookAnswer, HookEvent } from '../hooks/hook-event.ts';
import { claudeCanBeStopped, readClaudeEvent, writeClaudeAnswer } from './claude.ts';

/** The hook protocol of one coding agent. */
export interface AgentHooks {
  read(payload: unknown, env: NodeJS.ProcessEnv): HookEvent | undefined;
  write(event: HookEvent, answer: HookAnswer): Record<string, unknown>;
  /** The folder that the agent was started in, and its pid. */
  origin(started: { env: NodeJS.ProcessEnv; cwd: string }): { folder: string; agentPid: number | undefined };
  eventName(payload: unknown): string | undefined;
  canBeStopped(eventName: string): boolean;
}

const AGENTS: Readonly<Record<string, AgentHooks>> = {
  claude: {
    read: readClaudeEvent,
    write: writeClaudeAnswer,
    origin: ({ env, cwd }) => ({
      folder: env.CLAUDE_PROJECT_DIR ?? cwd,
      agentPid: wholeNumber(env.CLAUDE_PID),
    }),
    eventName: (payload) => textAt(payload, 'hook_event_name'),
    canBeStopped: claudeCanBeStopped,
  },
};

/** Agents with supported hooks. */
export const HOOKED_AGENTS: readonly string[] = Object.keys(AGENTS);

export function findAgentHooks(name: string): AgentHooks | undefined {
  return Object.hasOwn(AGENTS, name) ? AGENTS[name] : undefined;
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function textAt(value: unknown, key: string): string | undefined {
  if (value === null || typeof value !== 'object' || !Object.hasOwn(value, key)) return undefined;
  const found: unknown = Reflect.get(value, key);
  return typeof found === 'string' ? found : undefined;
}
