import { homedir } from 'node:os';
import { configLocations } from '../../domain/protection/config-locations.ts';
import { readProcess } from '../../platform/processes/process-table.ts';
import { INSIDE_AGENT_VARIABLE } from '../../platform/processes/wrapper-profile.ts';
import type { EventClaim } from '../../store/ledger/claimed-event.ts';
import type { WarmLedgerFile } from '../../store/ledger/open-ledger-file.ts';
import { pausedUntil } from '../../store/ledger/pause.ts';
import { type AgentSession, noteSession, type SessionWork } from '../actions/sessions.ts';
import type { FeatureListContext } from '../feature-list/known-list.ts';
import { type GuardsInForce, guardsInForce } from '../provenance/guards-in-force.ts';
import { observeCommits } from '../provenance/observe-commits.ts';
import { pauseShell } from '../shell/refresh-profiles.ts';
import { shellTier } from '../shell/write-launcher.ts';
import type { WatchContext } from '../watch/watch-context.ts';
import type { HookAnswer, HookEvent, HookSource } from './hook-event.ts';
import { type KnownCheckout, openEnforcement } from './open-enforcement.ts';
import { forgedEvent, refuseForged } from './refuse-forged.ts';

/** Facts about an event that are not in its payload. */
export interface HookFacts {
  env: NodeJS.ProcessEnv;
  /** Folder that the agent was started in. */
  folder: string;
  /** GuardKit drives it (default: unchanged). */
  driven?: boolean;
  /** The agent's own process, if known. */
  agentPid: number | undefined;
  /** The process that started the hook; undefined without a hook, or if the system does not show it. */
  starter?: number | undefined;
  /** A command of the agent started the hook. */
  fromCommand?: boolean;
  /** Time of the agent's report, in milliseconds since 1970 (default: now). */
  reportedAt?: number;
  /** A sandbox keeps the agent, and everything it starts, in its checkout. */
  confined?: boolean;
  /** The agent's work (default: unchanged). */
  work?: SessionWork;
  /** The checkout, if it was determined before the agent started. */
  known?: KnownCheckout;
  /** Where another process may come to answer the same event. */
  claim?: EventClaim | undefined;
  /** Keeps the ledger open for the next event (default: closed). */
  warm?: WarmLedgerFile | undefined;
  /** Adds to the answer of the guards. */
  join?(event: HookEvent, answer: HookAnswer, context: HookContext): Promise<HookAnswer>;
}

/** One agent at work in one checkout. */
export interface HookContext extends GuardsInForce {
  source: HookSource;
  session: AgentSession;
  watch: WatchContext;
  list: FeatureListContext;
  confined: boolean;
  /** The agent's commands run in the shell wrapper. */
  wrapped: boolean;
  /** A person paused GuardKit until then. */
  paused: string | undefined;
  reportedAt: number;
  /** The action that a person's prompt interrupted, in one line. */
  interrupted?: string | undefined;
  close(): void;
}

/** Session state that an event changes. */
interface SessionEvent {
  ended?: boolean;
  acted?: boolean;
}

interface OpenOptions {
  session?: SessionEvent;
  /** Compare the contents of refs and index, which takes longer. */
  thorough?: boolean;
}

export async function openHookContext(
  source: HookSource,
  facts: HookFacts,
  { session: event = {}, thorough = false }: OpenOptions = {},
): Promise<HookContext> {
  const { env, folder, driven, agentPid, starter, reportedAt = Date.now(), confined = false, work } = facts;
  const enforcement = await openEnforcement(folder, env, facts);
  try {
    const { ledger, project, checkout, dataFolder, git } = enforcement;
    const insideAgent = env[INSIDE_AGENT_VARIABLE] !== undefined;
    if (facts.fromCommand) throw forgedEvent(enforcement, source, 'a command of the agent ran the hook');
    if (starter !== undefined) refuseForged(enforcement, source, { starter, agentPid, insideAgent });
    const home = env.HOME ?? homedir();
    const around = { ledger, project, checkout, git, dataFolder, home, globs: [] };
    const context: WatchContext = { ...around, configLocations: configLocations(env, home) };
    const paused = pausedUntil(ledger, project, Date.now());
    pauseShell(dataFolder, git, paused !== undefined);
    // An agent inside an agent runs in the outer one's wrapper.
    const kernel = insideAgent || shellTier(env, dataFolder, git).tier === 'kernel';
    const wrapped = !confined && paused === undefined && kernel;
    const process = agentPid === undefined ? undefined : readProcess(agentPid);
    // Before the session is recorded as acting: commits up to now are not its own.
    observeCommits(context, { thorough });
    const rules = await guardsInForce(context);
    const session = noteSession(context, {
      session: source.session,
      agent: source.agent,
      process: process && { pid: process.pid, started: process.started },
      type: source.actorType,
      ...(driven === undefined ? {} : { driven }),
      work,
      wrapped,
      confined,
      ...event,
    });
    const list = { ledger, project, checkout, dataFolder };
    return {
      ...rules,
      source,
      session,
      watch: { ...context, globs: rules.globs },
      list,
      confined,
      wrapped,
      paused,
      reportedAt,
      close: enforcement.close,
    };
  } catch (error) {
    enforcement.close();
    throw error;
  }
}
