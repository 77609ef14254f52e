import type { ProcessId, ProcessRow } from '../../platform/processes/process-row.ts';
import {
  allProcesses,
  environmentOf,
  isRunning,
  readProcess,
} from '../../platform/processes/process-table.ts';
import { cacheRead, findLastCached } from '../../store/ledger/tables/read-cache.ts';
import { hasWrappedProcesses } from '../shell/wrapped-processes.ts';
import { repositoryFolder, type WatchContext } from '../watch/watch-context.ts';
import { type AgentAction, openActions, readActions, watchTables } from './open-actions.ts';
import { type AgentSession, isOver, knownSessions, noteSession } from './sessions.ts';

/**
 * Whether an agent may be writing in this repository now: an open action, a live session without a sandbox that has acted,
 * or a process in the shell wrapper, also one that has ended since the last event. Call it only when something changed: it
 * reads the process table.
 */
export function agentsAtWork(context: WatchContext): boolean {
  return unwrappedAgentsAtWork(context) || agentsActing(context);
}

/** The same without sessions that are live and, as far as is known, running nothing now. */
export function agentsActing(context: WatchContext): boolean {
  const repository = repositoryFolder(context);
  const isHere = ({ body }: AgentAction) => body.repository === repository && body.confined !== true;
  return (
    openActions(watchTables(context.ledger)).some(isHere) ||
    leftInWrapper(context) !== undefined ||
    hasWrappedProcesses(context.git) ||
    unwrappedSessions(context).some(hasLeft)
  );
}

/** Processes that an action left in the shell wrapper: running at the last event, or found ended by this one. */
export function leftInWrapper(context: WatchContext): 'running' | 'ended' | undefined {
  const stamp = findLastCached(context.ledger, leftKey(context))?.stamp;
  return stamp === 'running' || stamp === 'ended' ? stamp : undefined;
}

/** After an action that ran programs: what it left running may write files and refs until the next event. */
export function noteLeftInWrapper(context: WatchContext): void {
  if (leftInWrapper(context) !== 'running' && hasWrappedProcesses(context.git)) setLeft(context, 'running');
}

/** At the start of an event or command. Processes that have ended count for this one, which finds what they did. */
export function followLeftInWrapper(context: WatchContext): void {
  const left = leftInWrapper(context);
  if (left === 'ended') setLeft(context, '');
  if (left === 'running' && !hasWrappedProcesses(context.git)) setLeft(context, 'ended');
}

function setLeft(context: WatchContext, left: 'running' | 'ended' | ''): void {
  cacheRead(context.ledger, leftKey(context), left, null);
}

function leftKey(context: WatchContext): string {
  return `left in the wrapper of ${repositoryFolder(context)}`;
}

/** Whether a session without a sandbox, live or with leftover processes, can write protected files. */
export function unwrappedAgentsAtWork(context: WatchContext): boolean {
  return unwrappedSessions(context).some((one) => !isOver(one) || hasLeft(one));
}

function unwrappedSessions(context: WatchContext): AgentSession[] {
  const repository = repositoryFolder(context);
  return knownSessions(watchTables(context.ledger)).filter(
    (one) =>
      one.acted === true && one.wrapped !== true && one.confined !== true && one.repository === repository,
  );
}

function hasLeft({ left = [] }: AgentSession): boolean {
  return left.length > 0;
}

/** The variables that an agent's program sets for the processes it starts. */
interface AgentMarks {
  /** Variable with the session id. */
  session: string;
  /** Variable with the pid of the agent's own process. */
  process: string;
  /** Variable whose value has this ending in the program's own hooks and servers. */
  own: readonly [name: string, ending: string];
}

const MARKS: Readonly<Record<string, AgentMarks>> = {
  claude: { session: 'CLAUDE_CODE_SESSION_ID', process: 'CLAUDE_PID', own: ['AI_AGENT', '_harness'] },
};

/** Undefined for an agent that sets none. */
export function agentMarks(agent: string): AgentMarks | undefined {
  return Object.hasOwn(MARKS, agent) ? MARKS[agent] : undefined;
}

/** Programs that adopt orphaned processes. */
const ADOPTERS = /^(?:init|systemd|launchd|tini|dumb-init|docker-init|catatonit|s6-svscan|runsvdir|conmon)$/;

const MAX_LEFT = 50;

export function orphans(): ProcessRow[] {
  return allProcesses().flatMap((pid) => {
    const row = readProcess(pid);
    return row && (row.parent === 1 || isAdopter(readProcess(row.parent)?.name)) ? [row] : [];
  });
}

export function isAdopter(name: string | undefined): boolean {
  return name !== undefined && ADOPTERS.test(name);
}

/** Whether a process was started while an action ran. */
export function isDuring(started: number, { body: { mark, ended_mark } }: AgentAction): boolean {
  return mark !== null && started >= mark.now && (ended_mark === undefined || started <= ended_mark);
}

/** Leftover processes of a session: those with its variables, and orphans started during its actions. */
function leftoverProcesses(context: WatchContext, session: AgentSession): ProcessId[] {
  const actions = readActions(watchTables(context.ledger)).filter((one) => one.session === session.session);
  const marks = agentMarks(session.agent);
  const entry = marks && `${marks.session}=${session.session}`;
  const own = new Set([process.pid, process.ppid, session.process?.pid]);
  const marked = allProcesses().filter((pid) => {
    if (!marks || !entry || own.has(pid)) return false;
    const environment = environmentOf(pid);
    const isHook = environment.some(
      (one) => one.startsWith(`${marks.own[0]}=`) && one.endsWith(marks.own[1]),
    );
    return environment.includes(entry) && !isHook;
  });
  // The resident process may have been started during an action, and answers this event.
  const orphaned = orphans().filter(
    ({ pid, started }) => !own.has(pid) && actions.some((action) => isDuring(started, action)),
  );
  const rows = [...marked.flatMap((pid) => readProcess(pid) ?? []), ...orphaned];
  return rows.slice(0, MAX_LEFT).map(({ pid, started }) => ({ pid, started }));
}

/** Records the processes that a session without a sandbox leaves running when it ends. */
export function noteLeftovers(context: WatchContext, session: AgentSession): void {
  if (session.wrapped === true || session.confined === true || session.acted !== true) return;
  const left = leftoverProcesses(context, session);
  if (left.length > 0) noteSession(context, { session: session.session, agent: session.agent, left });
}

/** A leftover process may have written files until it ended, so it counts for one more observation before it is dropped. */
export function forgetEndedLeftovers(context: WatchContext): void {
  if (!hasLeftovers(context)) return;
  for (const session of knownSessions(watchTables(context.ledger))) {
    const { left = [], project } = session;
    if (left.length > 0 && project === context.project && !left.some(isRunning))
      noteSession(context, { session: session.session, agent: session.agent, left: [] });
  }
}

/** Nearly always false, and cheaper than reading every session. */
export function hasLeftovers({ ledger, project }: WatchContext): boolean {
  const { database, attempt } = ledger.file;
  const query = `SELECT 1 FROM sessions WHERE project = ? AND body LIKE '%"left":[{%' LIMIT 1`;
  return attempt(() => database.prepare(query).get(project) !== undefined);
}
