import { findProgram } from '../../platform/processes/find-program.ts';
import type { LauncherContext } from './hook-launcher.ts';
import type { WiringStep } from './settings-file.ts';
import { claudeWiringOf, planUnwiring, planWiring } from './wire-claude.ts';
import { codexWiringOf, planCodexUnwiring, planCodexWiring } from './wire-codex.ts';
import type { ShellWiring } from './wire-shell.ts';

export const WIRED_AGENTS = ['claude', 'codex'] as const;

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
}

/** How hooks get into the settings of each agent. */
export const AGENT_WIRINGS: Readonly<Record<WiredAgent, AgentWiring>> = {
  claude: {
    title: 'Claude Code',
    plan: planWiring,
    planRemoval: planUnwiring,
    wiringOf: claudeWiringOf,
  },
  codex: {
    title: 'Codex',
    plan: planCodexWiring,
    planRemoval: planCodexUnwiring,
    wiringOf: codexWiringOf,
    next: 'Codex skips new hooks until you trust them: start `codex` here, trust the folder, and trust GuardKit’s hooks in /hooks.',
  },
};

/** Agents with GuardKit's hooks in a checkout. */
export function wiredAgents(checkout: string): WiredAgent[] {
  return WIRED_AGENTS.filter((name) => AGENT_WIRINGS[name].wiringOf(checkout) === true);
}

/** Agents that are installed on this machine. */
export function installedAgents(env: NodeJS.ProcessEnv, root: string): WiredAgent[] {
  return WIRED_AGENTS.filter((name) => findProgram(name, env, root) !== undefined);
}
