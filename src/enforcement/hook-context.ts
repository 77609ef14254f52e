import { homedir } from 'node:os';
import { orderFolders } from '../domain/order-folders.ts';
import { readProcess } from '../platform/process-table.ts';
import type { ListPlace } from './features/known-list.ts';
import { type GuardsInForce, guardsInForce } from './guards-in-force.ts';
import type { HookAnswer, HookEvent, HookSource } from './hook-event.ts';
import { type KnownCheckout, openEnforcement } from './open-enforcement.ts';
import { refuseForged } from './refuse-forged.ts';
import { findStray } from './windows/find-stray.ts';
import { type AgentSession, noteSession, type SessionWork } from './windows/sessions.ts';
import { watchTables } from './windows/watch.ts';
import type { WatchPlace } from './windows/watch-place.ts';

/** Where an event comes from, beside what the event tells. */
export interface HookWorldFacts {
  env: NodeJS.ProcessEnv;
  /** Folder that the agent was started in. */
  folder: string;
  /** GuardKit drives it. Left out, it is as the session was. */
  driven?: boolean;
  /** Of the agent's own program, if that is known. */
  agentPid: number | undefined;
  /** The process that had the hook run; undefined where no hook was, or the system does not tell. */
  starter?: number | undefined;
  /** When the agent told of it, in milliseconds since 1970: now, unless a program had to be started for it. */
  toldAt?: number;
  /** A sandbox keeps the agent, and all that it starts, in its checkout. */
  confined?: boolean;
  /** What the agent is to work on; left out, it is as the session was. */
  work?: SessionWork;
  /** Whose checkout the folder is, where that was settled before an agent came to it. */
  known?: KnownCheckout;
  /** Has a say beside the guards, and after them. */
  join?(event: HookEvent, answer: HookAnswer, work: AtWork): Promise<HookAnswer>;
}

/** One agent at work in one checkout, and all that is known of both. */
export interface AtWork extends GuardsInForce {
  source: HookSource;
  session: AgentSession;
  place: WatchPlace;
  list: ListPlace;
  confined: boolean;
  toldAt: number;
  /** What the agent was about when a person spoke, in a line. */
  interrupted?: string | undefined;
  /** No action of any agent goes on here: what has changed is a person's. */
  quiet: boolean;
  close(): void;
}

/** What an event says beside itself. */
interface EventNews {
  /** The session is over. */
  ended?: boolean;
  /** It tells of an action that went on until now: whatever the tables say, it was not quiet. */
  during?: boolean;
}

export async function openAtWork(
  source: HookSource,
  {
    env,
    folder,
    driven,
    agentPid,
    starter,
    toldAt = Date.now(),
    confined = false,
    known,
    work,
  }: HookWorldFacts,
  { during = false, ...news }: EventNews = {},
): Promise<AtWork> {
  const enforcement = await openEnforcement(folder, env, known);
  try {
    const { ledger, project, checkout, dataFolder, git } = enforcement;
    if (starter !== undefined) refuseForged(enforcement, source, { starter, agentPid });
    const quiet = !during && isQuiet(enforcement);
    const home = env.HOME ?? homedir();
    const around = {
      ledger,
      project,
      checkout,
      git,
      dataFolder,
      home,
      orderFolders: orderFolders(env, home),
    };
    const here = { kind: 'checkout', folder: checkout } as const;
    const rules = await guardsInForce(enforcement, {
      quiet: () => quiet && !findStray({ ...around, globs: [] }, watchTables(ledger), here),
    });
    const place: WatchPlace = { ...around, globs: rules.globs };
    const process = agentPid === undefined ? undefined : readProcess(agentPid);
    const session = noteSession(place, {
      session: source.session,
      agent: source.agent,
      process: process && { pid: process.pid, started: process.started },
      type: source.actorType,
      ...(driven === undefined ? {} : { driven }),
      work,
      ...news,
    });
    const list = { ledger, project, checkout, dataFolder };
    return { ...rules, source, session, place, list, confined, toldAt, quiet, close: enforcement.close };
  } catch (error) {
    enforcement.close();
    throw error;
  }
}

/** Nothing of an agent has begun here and not ended. */
export function isQuiet({ ledger, checkout }: Pick<WatchPlace, 'ledger' | 'checkout'>): boolean {
  const { database, attempt } = ledger.file;
  return attempt(
    () => database.prepare('SELECT 1 FROM windows WHERE checkout = ? LIMIT 1').get(checkout) === undefined,
  );
}
