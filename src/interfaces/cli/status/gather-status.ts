import { readProjectConfig } from '../../../config/project/project-config.ts';
import { serveSettings } from '../../../config/project/serve-config.ts';
import { isOver, knownSessions } from '../../../enforcement/actions/sessions.ts';
import { type ServerStatus, serverStatus } from '../../../enforcement/broker/server-status.ts';
import {
  AGENT_WIRINGS,
  guardedAgents,
  WRAPPED_AGENTS,
  wrappedSessions,
} from '../../../enforcement/install/agent-wirings.ts';
import { type UnguardedSession, unguardedSessions } from '../../../enforcement/install/unguarded-sessions.ts';
import type { PendingDefinition } from '../../../enforcement/provenance/pending-definitions.ts';
import { type RunningBuild, runningBuilds } from '../../../orchestration/feature-build/build-locks.ts';
import {
  type LastBuild,
  lastBuilds,
  waitingBuilds,
} from '../../../orchestration/feature-build/last-builds.ts';
import { nextAction } from '../../../orchestration/session/project-session.ts';
import { openSessions } from '../../../orchestration/session-record/kept-session.ts';
import { systemClock } from '../../../platform/clock.ts';
import type { GitFolder } from '../../../platform/git/git-folder.ts';
import { recentEntries } from '../../../store/ledger/chain/recent-entries.ts';
import type { ProtectionPaused } from '../../../store/ledger/kinds/protection/pause.ts';
import { currentPause } from '../../../store/ledger/pause.ts';
import { readFeatures } from '../../../store/ledger/tables/feature-table.ts';
import { WatchTables } from '../../../store/ledger/tables/watch-tables.ts';
import { type UnseenChange, unseenChanges } from '../../../store/ledger/unseen-changes.ts';
import { type ActiveWaiver, activeWaivers } from '../../../store/ledger/waivers.ts';
import { DAY_MS } from '../input/time-input.ts';
import type { ProjectLedger } from '../open-project-ledger.ts';
import type { CliContext } from '../program/cli-command.ts';
import { readLog } from './log.ts';
import type { LogEvent } from './log-event.ts';

const REFUSALS = 5;

export async function gatherStatus(
  context: Pick<CliContext, 'findSandbox' | 'env'>,
  opened: ProjectLedger,
  git: GitFolder,
  pending: readonly ShownPending[],
): Promise<StatusFacts> {
  const { ledger, project, home } = opened;
  const now = systemClock();
  const builds = runningBuilds(home, project);
  const paused = currentPause(ledger, project, now) ?? null;
  const tier = await findTier(context, git, home);
  return {
    project,
    root: git.root,
    now,
    protection: { ...tier, paused },
    hooks: await findServing(git, home, tier.tier),
    unguarded: unguardedSessions({ ledger, project, root: git.root }, context.env, now),
    waivers: activeWaivers(ledger, project, now),
    pending,
    changes: unseenChanges(ledger, project),
    builds,
    built: builtFeatures(opened, builds),
    paused: pausedWork(opened, builds),
    sessions: runningSessions(opened),
    refusals: readLog(opened, { kind: 'refusals', limit: REFUSALS }),
    restored: restoredSince(opened, new Date(now - DAY_MS).toISOString()),
  };
}

async function findTier(
  { findSandbox }: Pick<CliContext, 'findSandbox'>,
  git: GitFolder,
  home: string,
): Promise<Omit<ProtectionStatus, 'paused'>> {
  const agents = guardedAgents(git);
  if (agents.length === 0)
    return {
      tier: 'off',
      why: 'no hooks are installed in this checkout',
      improve: 'guardkit init --agent claude',
    };
  const wrapping = agents.filter((name) => WRAPPED_AGENTS.includes(name));
  if (wrapping.length === 0)
    return {
      tier: 'none',
      why: `the commands of ${agents.map((name) => AGENT_WIRINGS[name].title).join(' and ')} are not wrapped by GuardKit`,
      improve: 'guardkit doctor',
    };
  const sandbox = await findSandbox();
  if (!sandbox.available) return { tier: 'none', why: sandbox.why, improve: sandbox.hint };
  const wrapped = wrappedSessions(git, home);
  const bare = wrapping.filter((name) => !wrapped.includes(name));
  if (bare.length > 0)
    return {
      tier: 'none',
      why: `the commands of ${bare.map((name) => AGENT_WIRINGS[name].title).join(' and ')} do not run in the sandbox`,
      improve: 'guardkit doctor --fix',
    };
  return { tier: 'kernel', why: null, improve: null };
}

async function findServing(
  { root }: GitFolder,
  home: string,
  tier: ProtectionStatus['tier'],
): Promise<ServerStatus> {
  const config = await readProjectConfig(root);
  const { on } = serveSettings(config.ok ? config.value.serve : undefined);
  return serverStatus(home, { on, wrapped: tier === 'kernel' });
}

/** Files whose last restore was GuardKit's own. */
function restoredSince({ ledger, project }: ProjectLedger, since: string): number {
  const last = new Map<unknown, unknown>();
  for (const { body } of recentEntries(ledger, project, ['file_restored'], { since }))
    if (!last.has(body.absolute)) last.set(body.absolute, body.reason);
  return [...last.values()].filter((reason) => reason !== 'person').length;
}

/** Features whose build ended and that only a person can merge, continue or unblock. */
function builtFeatures({ ledger, project }: ProjectLedger, running: readonly RunningBuild[]): BuiltFeature[] {
  const features = readFeatures(ledger, project);
  const names = new Set(running.map(({ feature }) => feature));
  return [
    ...waitingBuilds(lastBuilds(ledger, project, names), features, names).map(
      ([feature, { outcome, why }]) => ({ feature, outcome, why }),
    ),
    ...features
      .filter(({ status }) => status === 'blocked')
      .map(({ id }) => ({ feature: id, outcome: 'blocked' as const, why: '' })),
  ];
}

/** Open work that no process goes on with, until a person continues it. */
function pausedWork({ ledger, project }: ProjectLedger, running: readonly RunningBuild[]): PausedWork[] {
  const isRunning = running.some(({ feature }) => feature === null);
  return openSessions(ledger, project)
    .filter(({ session }) => (session.driven_by === 'run' ? !isRunning : session.phase === 'paused'))
    .map(({ session }) => ({
      driven_by: session.driven_by,
      since: session.since,
      why:
        session.phase === 'paused'
          ? nextAction(session)
          : 'Its process was ended. Continue with `guardkit run`.',
    }));
}

function runningSessions({ ledger, project }: ProjectLedger): RunningSession[] {
  return knownSessions(new WatchTables(ledger))
    .filter((one) => one.project === project && one.process !== null && !isOver(one))
    .map(({ agent, session, checkout, began_at, driven, work }) => ({
      agent,
      session,
      checkout,
      since: new Date(began_at).toISOString(),
      driven,
      feature: work?.feature ?? null,
    }));
}

export interface BuiltFeature {
  feature: string;
  outcome: LastBuild['outcome'] | 'blocked';
  /** Empty if unknown. */
  why: string;
}

export interface PausedWork {
  driven_by: 'run' | 'hooks';
  since: string;
  /** With what continues it. */
  why: string;
}

export type ShownPending = Pick<PendingDefinition, 'path' | 'change' | 'needs'>;

export interface ProtectionStatus {
  /** `kernel`: agents' commands run in a sandbox; `none`: hooks without one; `off`: no hooks. */
  tier: 'kernel' | 'none' | 'off';
  /** Why the tier is not `kernel`; null if it is. */
  why: string | null;
  /** The command that improves it. */
  improve: string | null;
  paused: ProtectionPaused | null;
}

interface RunningSession {
  agent: string;
  session: string;
  checkout: string;
  since: string;
  /** GuardKit started it. */
  driven: boolean;
  feature: string | null;
}

export interface StatusFacts {
  project: string;
  root: string;
  now: number;
  protection: ProtectionStatus;
  hooks: ServerStatus;
  /** Recent sessions that no hook reported. */
  unguarded: readonly UnguardedSession[];
  waivers: readonly ActiveWaiver[];
  pending: readonly ShownPending[];
  changes: readonly UnseenChange[];
  builds: readonly RunningBuild[];
  built: readonly BuiltFeature[];
  paused: readonly PausedWork[];
  sessions: readonly RunningSession[];
  refusals: readonly LogEvent[];
  /** Files that GuardKit restored by itself in the last 24 hours. */
  restored: number;
}
