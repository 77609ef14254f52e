import { isWorkId } from '../../domain/entities/work-id.ts';
import {
  type Fits,
  isFlag,
  isListOf,
  isNumber,
  isShape,
  isText,
  isWhole,
  orNothing,
  orNull,
} from '../../domain/json/plain-shape.ts';
import { readHead } from '../../platform/git/git-refs.ts';
import type { ProcessId } from '../../platform/processes/process-row.ts';
import { isRunning } from '../../platform/processes/process-table.ts';
import { WatchTables } from '../../store/ledger/tables/watch-tables.ts';
import { repositoryFolder, type WatchContext } from '../watch/watch-context.ts';

interface SessionBody {
  agent: string;
  checkout: string;
  /** The agent's own process; null if unknown. */
  process: { pid: number; started: number } | null;
  driven: boolean;
  /** Kinds of subagents that have acted in it. */
  types: string[];
  ended: boolean;
  /** Set by a driven session or a command. */
  work?: SessionWork | undefined;
  /** Git's common folder of its checkout. */
  repository?: string | undefined;
  /** It has used a tool. */
  acted?: boolean | undefined;
  /** Its commands run in the shell wrapper. */
  wrapped?: boolean | undefined;
  /** A sandbox of GuardKit's keeps it in its checkout. */
  confined?: boolean | undefined;
  /** Processes that were running when it ended. */
  left?: ProcessId[] | undefined;
  /** The commit that was checked out when it began. */
  head?: string | undefined;
}

/** The feature, task and turn that a session works on. */
export interface SessionWork {
  feature: string | null;
  task: string | null;
  turn: number | null;
}

export const NO_WORK: SessionWork = { feature: null, task: null, turn: null };

const isBody: Fits<SessionBody> = isShape({
  agent: isText,
  checkout: isText,
  process: orNull(isShape({ pid: isWhole, started: isNumber })),
  driven: isFlag,
  types: isListOf(isText),
  ended: isFlag,
  work: orNothing(isShape({ feature: orNull(isText), task: orNull(isText), turn: orNull(isWhole) })),
  repository: orNothing(isText),
  acted: orNothing(isFlag),
  wrapped: orNothing(isFlag),
  confined: orNothing(isFlag),
  left: orNothing(isListOf(isShape({ pid: isWhole, started: isNumber }))),
  head: orNothing(isText),
});

export interface AgentSession extends SessionBody {
  project: string;
  session: string;
  began_at: number;
  seen_at: number;
}

export interface SessionNews {
  session: string;
  agent: string;
  /** The agent's own process, if known. */
  process?: ProcessId | undefined;
  /** GuardKit drives it (default: unchanged). */
  driven?: boolean;
  /** The kind of a subagent that acts. */
  type?: string | undefined;
  ended?: boolean;
  /** Default: unchanged. */
  work?: SessionWork | undefined;
  acted?: boolean;
  wrapped?: boolean;
  confined?: boolean;
  left?: readonly ProcessId[];
}

const MAX_TYPES = 100;

export function findSession({ ledger, project }: Pick<WatchContext, 'ledger' | 'project'>, session: string) {
  return readSession(new WatchTables(ledger), project, session);
}

function readSession(tables: WatchTables, project: string, session: string): AgentSession | undefined {
  const row = tables.session(project, session);
  if (!row) return undefined;
  const body = readBody(row.body);
  return body && { ...row, ...body };
}

const bodies = new Map<string, SessionBody | undefined>();
const MAX_BODIES = 1000;

/** An event reads the same sessions several times, and most events change nothing about them. */
function readBody(text: string): SessionBody | undefined {
  if (bodies.has(text)) return bodies.get(text);
  const parsed: unknown = JSON.parse(text);
  const body = isBody(parsed) ? bodyOf(parsed) : undefined;
  if (bodies.size >= MAX_BODIES) bodies.clear();
  bodies.set(text, body);
  return body;
}

/** The sessions of all projects, without unreadable ones. */
export function knownSessions(tables: WatchTables): AgentSession[] {
  return tables.sessions().flatMap((row) => {
    const body = readBody(row.body);
    return body ? [{ ...row, ...body }] : [];
  });
}

const KEPT_MS = 90 * 24 * 60 * 60 * 1000;

/** Forgets sessions that ended long ago and left no process running. */
export function forgetOldSessions(tables: WatchTables, now: number): void {
  const old = knownSessions(tables).filter(
    (one) => now - one.seen_at > KEPT_MS && (one.left?.length ?? 0) === 0 && isOver(one, now),
  );
  for (const { project, session } of old) tables.removeSession(project, session);
}

type SessionContext = Pick<WatchContext, 'ledger' | 'project' | 'checkout' | 'git'>;

/** Records what is new about a session, and once a minute that it is still alive. */
export function noteSession(context: SessionContext, news: SessionNews): AgentSession {
  const { ledger, project, checkout } = context;
  const { session, agent, process, driven, type, ended, work } = news;
  const tables = new WatchTables(ledger);
  const now = Date.now();
  const known = readSession(tables, project, session);
  const merged = mergeNews(known);
  if (
    known &&
    now - known.seen_at < 60_000 &&
    JSON.stringify(bodyOf(known)) === JSON.stringify(bodyOf(merged))
  )
    return known;
  return tables.exclusively(() => {
    // Read again: a hook of another subagent may have written meanwhile.
    const latest = mergeNews(readSession(tables, project, session));
    const row = { project, session, began_at: latest.began_at, seen_at: now };
    tables.setSession({ ...row, body: JSON.stringify(bodyOf(latest)) });
    return { ...latest, seen_at: now };
  });

  function mergeNews(before: AgentSession | undefined): AgentSession {
    const types = before?.types ?? [];
    return {
      project,
      session,
      began_at: before?.began_at ?? now,
      seen_at: before?.seen_at ?? now,
      agent,
      checkout: before?.checkout ?? checkout,
      process: process ? { pid: process.pid, started: process.started } : (before?.process ?? null),
      driven: driven ?? before?.driven ?? false,
      types:
        type === undefined || types.includes(type) || types.length >= MAX_TYPES ? types : [...types, type],
      // A resumed session is no longer ended.
      ended: ended ?? (process ? false : (before?.ended ?? false)),
      work: work === undefined ? before?.work : soundWork(work),
      repository: repositoryFolder(context),
      acted: news.acted === true || before?.acted === true,
      wrapped: news.wrapped ?? before?.wrapped ?? false,
      confined: news.confined ?? before?.confined ?? false,
      left: news.left ? [...news.left] : (before?.left ?? []),
      head: before ? before.head : readHead(context.git),
    };
  }
}

/** Changes from before a session's first action are not attributed to it. */
export function noteActed(
  context: SessionContext,
  { session, agent }: Pick<SessionNews, 'session' | 'agent'>,
): void {
  noteSession(context, { session, agent, acted: true });
}

function bodyOf(body: SessionBody): SessionBody {
  const { agent, checkout, process, driven, types, ended, work } = body;
  const { repository, acted, wrapped, confined, left, head } = body;
  const state = { acted, wrapped, confined, left, head };
  return { agent, checkout, process, driven, types, ended, work, repository, ...state };
}

/** A run without a feature may pass arbitrary text as its id. */
function soundWork({ feature, task, turn }: SessionWork): SessionWork {
  return {
    feature: isWorkId(feature) ? feature : null,
    task: isWorkId(task) ? task : null,
    turn: turn !== null && turn >= 1 ? turn : null,
  };
}

export function workOf(context: Pick<WatchContext, 'ledger' | 'project'>, session: string): SessionWork {
  return findSession(context, session)?.work ?? NO_WORK;
}

/** Limit for sessions and actions without a known agent process that never reported an end. */
export const GIVE_UP_MS = 24 * 60 * 60 * 1000;

/** A session is over when its end was reported or its process has exited. */
export function isOver({ ended, process, seen_at }: AgentSession, now = Date.now()): boolean {
  return ended || (process ? !isRunning(process) : now - seen_at > GIVE_UP_MS);
}

/** HEAD at the start of the oldest live session in a checkout; undefined without one. */
export function headBeforeAgents({
  ledger,
  checkout,
}: Pick<WatchContext, 'ledger' | 'checkout'>): string | undefined {
  const [oldest] = knownSessions(new WatchTables(ledger))
    .filter((one) => one.checkout === checkout && one.head !== undefined && !isOver(one))
    .sort((a, b) => a.began_at - b.began_at);
  return oldest?.head;
}
