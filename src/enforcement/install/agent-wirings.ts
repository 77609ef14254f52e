import { findProgram } from '../../platform/processes/find-program.ts';
import type { SeenSession } from '../agents/session-files.ts';
import type { LauncherContext } from './hook-launcher.ts';
import type { WiringStep } from './settings-file.ts';
import { planTimedUnwiring, planTimedWiring, type TimedAgent, timedWiringOf } from './timed-hooks.ts';
import { claudeWiringOf, planUnwiring, planWiring } from './wire-claude.ts';
import { CODEX } from './wire-codex.ts';
import { GEMINI } from './wire-gemini.ts';
import type { ShellWiring } from './wire-shell.ts';

export const WIRED_AGENTS = ['claude', 'codex', 'gemini'] as const;

export type WiredAgent = (typeof WIRED_AGENTS)[number];

interface WiringRequest {
  root: string;
  launcher: LauncherContext;
  shared?: boolean | undefined;
  /** Used by agents whose commands run in the shell wrapper. */
  shell?: ShellWiring | undefined;
}

interface AgentWiring {
  /** For people. */
  title: string;
  plan(request: WiringRequest): WiringStep[];
  planRemoval(root: string, shell?: Parameters<typeof planUnwiring>[1]): WiringStep[];
  wiringOf(checkout: string): boolean | 'unknown';
  /** The person's part before the hooks run. */
  next?: string;
  /** The project's settings file, for an agent that has none for one person only. */
  file?: string;
  /** The person's sessions since a moment, from the agent's own files (default: unknown). */
  sessions?(env: NodeJS.ProcessEnv, since: number): SeenSession[];
}

/** How hooks get into the settings of each agent. */
export const AGENT_WIRINGS: Readonly<Record<WiredAgent, AgentWiring>> = {
  claude: {
    title: 'Claude Code',
    plan: planWiring,
    planRemoval: planUnwiring,
    wiringOf: claudeWiringOf,
  },
  codex: timedWiring(
    CODEX,
    'Codex skips new hooks until you trust them: start `codex` here, trust the folder, and trust GuardKit’s hooks in /hooks.',
  ),
  gemini: timedWiring(
    GEMINI,
    'Gemini CLI uses the hooks of a project only in a trusted folder: start `gemini` here and trust the folder.',
  ),
};

function timedWiring(agent: TimedAgent, next: string): AgentWiring {
  return {
    title: agent.title,
    plan: (request) => planTimedWiring(agent, request),
    planRemoval: (root) => planTimedUnwiring(agent, root),
    wiringOf: (checkout) => timedWiringOf(agent, checkout),
    next,
    file: agent.file,
    sessions: agent.sessions,
  };
}

/** Agents with GuardKit's hooks in a checkout. */
export function wiredAgents(checkout: string): WiredAgent[] {
  return WIRED_AGENTS.filter((name) => AGENT_WIRINGS[name].wiringOf(checkout) === true);
}

/** Agents that are installed on this machine. */
export function installedAgents(env: NodeJS.ProcessEnv, root: string): WiredAgent[] {
  return WIRED_AGENTS.filter((name) => findProgram(name, env, root) !== undefined);
}
