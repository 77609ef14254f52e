import { type GitFolder, otherCheckouts } from '../../platform/git/git-folder.ts';
import { findProgram } from '../../platform/processes/find-program.ts';
import { opencodeSessions } from '../agents/opencode-sessions.ts';
import { claudeSessions, type SeenSession } from '../agents/seen-sessions.ts';
import type { ShellContext } from '../shell/collect-shell-facts.ts';
import type { LauncherContext } from './hook-launcher.ts';
import {
  planTimedUnwiring,
  planTimedWiring,
  type TimedAgent,
  timedWiringOf,
} from './hooks-with-deadlines.ts';
import {
  CODEX_MCP,
  type CodexSandbox,
  codexSandboxRemoval,
  codexSandboxStep,
} from './project-files/codex-config.ts';
import {
  geminiEnvRemoval,
  geminiEnvStep,
  geminiIsWrapped,
  hiddenEnvFile,
} from './project-files/gemini-env.ts';
import {
  CLAUDE_SESSION,
  CODEX_SESSION,
  COPILOT_SESSION,
  GEMINI_SESSION,
  OPENCODE_SESSION,
  QWEN_SESSION,
  type SessionForm,
} from './session-forms.ts';
import { LOCAL_SETTINGS, type WiringStep } from './settings-file.ts';
import { claudeIsGuarded, claudeIsWrapped, claudeWiringOf, planUnwiring, planWiring } from './wire-claude.ts';
import { CODEX } from './wire-codex.ts';
import { COPILOT } from './wire-copilot.ts';
import { GEMINI } from './wire-gemini.ts';
import { CLAUDE_MCP, COPILOT_MCP, GEMINI_MCP, type McpPlace, OPENCODE_MCP, QWEN_MCP } from './wire-mcp.ts';
import {
  OPENCODE_PLUGIN,
  opencodeIsWrapped,
  opencodeWiringOf,
  planOpencodeUnwiring,
  planOpencodeWiring,
} from './wire-opencode.ts';
import { QWEN } from './wire-qwen.ts';
import { hasClaudePrefix, type ShellWiring } from './wire-shell.ts';

export const WIRED_AGENTS = ['claude', 'codex', 'copilot', 'gemini', 'opencode', 'qwen'] as const;

export type WiredAgent = (typeof WIRED_AGENTS)[number];

interface WiringRequest {
  root: string;
  launcher: LauncherContext;
  shared?: boolean | undefined;
  /** Used by agents whose commands run in the shell wrapper. */
  shell?: ShellWiring | undefined;
  /** Used by Codex, which has a sandbox of its own. */
  codex?: CodexSandbox | undefined;
}

interface AgentWiring {
  /** For people. */
  title: string;
  plan(request: WiringRequest): WiringStep[];
  planRemoval(root: string, shell: Pick<ShellContext, 'git' | 'dataFolder'>): WiringStep[];
  wiringOf(checkout: string): boolean | 'unknown';
  /** The person's part before the hooks run. */
  next?: string;
  /** The project's settings file, for an agent that has none for one person only. */
  file?: string;
  /** The person's sessions since a moment, from the agent's own files (default: unknown). */
  sessions?(env: NodeJS.ProcessEnv, since: number): SeenSession[];
  /** Where GuardKit's tool server is listed (default: not supported). */
  mcp?: McpPlace;
  /** The agent's skills and commands (default: not supported). */
  session?: SessionForm;
  /** Whether the agent's commands in a checkout run in the shell wrapper (default: never). */
  wraps?(checkout: string, git: GitFolder, dataFolder: string): boolean;
}

/** How hooks get into the settings of each agent. */
export const AGENT_WIRINGS: Readonly<Record<WiredAgent, AgentWiring>> = {
  claude: {
    title: 'Claude Code',
    plan: planWiring,
    planRemoval: planUnwiring,
    wiringOf: claudeWiringOf,
    sessions: claudeSessions,
    mcp: CLAUDE_MCP,
    session: CLAUDE_SESSION,
    wraps: hasClaudePrefix,
  },
  codex: withCodexSandbox(
    timedWiring(
      CODEX,
      { mcp: CODEX_MCP, session: CODEX_SESSION },
      'Codex skips new hooks until you trust them: start `codex` here, trust the folder, and trust GuardKit’s hooks in /hooks.',
    ),
  ),
  copilot: timedWiring(
    COPILOT,
    { mcp: COPILOT_MCP, session: COPILOT_SESSION },
    'Copilot CLI uses the hooks of a project only in a trusted folder: start `copilot` here and trust the folder.',
  ),
  gemini: withGeminiShell(
    timedWiring(
      GEMINI,
      { mcp: GEMINI_MCP, session: GEMINI_SESSION },
      'Gemini CLI uses the hooks of a project only in a trusted folder: start `gemini` here and trust the folder.',
    ),
  ),
  opencode: {
    title: 'OpenCode',
    plan: planOpencodeWiring,
    planRemoval: planOpencodeUnwiring,
    wiringOf: opencodeWiringOf,
    file: OPENCODE_PLUGIN,
    sessions: opencodeSessions,
    mcp: OPENCODE_MCP,
    session: OPENCODE_SESSION,
    wraps: opencodeIsWrapped,
  },
  qwen: timedWiring(QWEN, { mcp: QWEN_MCP, session: QWEN_SESSION }),
};

function timedWiring(
  agent: TimedAgent,
  more: Pick<AgentWiring, 'mcp' | 'session'>,
  next?: string,
): AgentWiring {
  return {
    ...more,
    title: agent.title,
    plan: (request) => planTimedWiring(agent, request),
    planRemoval: (root) => planTimedUnwiring(agent, root),
    wiringOf: (checkout) => timedWiringOf(agent, checkout),
    ...(next === undefined ? {} : { next }),
    file: agent.file,
    sessions: agent.sessions,
  };
}

/** Not for a team, whose members have their own wrappers, and not if it would hide the person's own variables. */
function withGeminiShell(wiring: AgentWiring): AgentWiring {
  return {
    ...wiring,
    plan: (request) => {
      const { root, shared, shell } = request;
      const can =
        shell?.ok && !shared && !shell.bashEnv.includes("'") && hiddenEnvFile(root, shell.home) === undefined;
      return [
        ...wiring.plan(request),
        ...(can ? [...shell.steps, geminiEnvStep(root, shell.bashEnv)] : geminiEnvRemoval(root)),
      ];
    },
    planRemoval: (root, shell) => [...wiring.planRemoval(root, shell), ...geminiEnvRemoval(root)],
    wraps: geminiIsWrapped,
  };
}

/** A team's settings cannot have the paths of one machine. */
function withCodexSandbox(wiring: AgentWiring): AgentWiring {
  return {
    ...wiring,
    plan: (request) => [
      ...wiring.plan(request),
      ...(request.codex?.ok && !request.shared ? [codexSandboxStep(request.codex)] : []),
    ],
    planRemoval: (root, shell) => [...wiring.planRemoval(root, shell), ...codexSandboxRemoval(root)],
  };
}

/** Agents with GuardKit's hooks in a checkout. */
export function wiredAgents(checkout: string): WiredAgent[] {
  return WIRED_AGENTS.filter((name) => AGENT_WIRINGS[name].wiringOf(checkout) === true);
}

/** Agents whose sessions in a checkout have GuardKit's hooks, from the settings of this or of the main checkout. */
export function guardedAgents(git: GitFolder): WiredAgent[] {
  return WIRED_AGENTS.filter((name) =>
    name === 'claude' ? claudeIsGuarded(git) : AGENT_WIRINGS[name].wiringOf(git.root) === true,
  );
}

/** Agents whose sessions in a checkout run commands in the shell wrapper, by the settings of this or of the main checkout. */
export function wrappedSessions(git: GitFolder, dataFolder: string): WiredAgent[] {
  return WRAPPED_AGENTS.filter((name) =>
    name === 'claude'
      ? claudeIsWrapped(git, dataFolder)
      : AGENT_WIRINGS[name].wraps?.(git.root, git, dataFolder),
  );
}

/** Agents whose commands can run in the shell wrapper. */
export const WRAPPED_AGENTS: readonly WiredAgent[] = WIRED_AGENTS.filter((name) => AGENT_WIRINGS[name].wraps);

/** Agents whose commands in a checkout run in the shell wrapper. */
export function wrappedAgents(checkout: string, git: GitFolder, dataFolder: string): WiredAgent[] {
  return WRAPPED_AGENTS.filter((name) => AGENT_WIRINGS[name].wraps?.(checkout, git, dataFolder));
}

/** Another agent here, or any agent in another checkout of the repository, uses the shell wrapper. */
export function isShellUsed(git: GitFolder, dataFolder: string, leaving: readonly WiredAgent[]): boolean {
  const here = wrappedAgents(git.root, git, dataFolder).some((name) => !leaving.includes(name));
  return here || otherCheckouts(git).some((checkout) => wrappedAgents(checkout, git, dataFolder).length > 0);
}

/** The files in which these agents start the shell wrapper. */
export function shellSettings(agents: readonly WiredAgent[]): string[] {
  return agents
    .filter((name) => WRAPPED_AGENTS.includes(name))
    .map((name) => AGENT_WIRINGS[name].file ?? LOCAL_SETTINGS);
}

/** Agents that are installed on this machine. */
export function installedAgents(env: NodeJS.ProcessEnv, root: string): WiredAgent[] {
  return WIRED_AGENTS.filter((name) => findProgram(name, env, root) !== undefined);
}
