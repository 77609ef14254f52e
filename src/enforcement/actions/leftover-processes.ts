import type { ProcessId, ProcessRow } from '../../platform/processes/process-row.ts';
import {
  allProcesses,
  environmentOf,
  isRunning,
  readProcess,
} from '../../platform/processes/process-table.ts';
import type { WatchContext } from '../watch/watch-context.ts';
import { agentMarks } from './agent-marks.ts';
import { type AgentAction, readActions, watchTables } from './open-actions.ts';
import { type AgentSession, knownSessions, noteSession } from './sessions.ts';

/** Programs that take over processes that lost their parent. */
const ADOPTERS = /^(?:init|systemd|launchd|tini|dumb-init|docker-init|catatonit|s6-svscan|runsvdir|conmon)$/;

const MAX_LEFT = 50;

/** Processes without a parent of their own. */
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

/** Processes that a session without a sandbox leaves behind: with its variables, or started in its actions and orphaned. */
export function leftoverProcesses(context: WatchContext, session: AgentSession): ProcessId[] {
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
  const orphaned = orphans().filter(({ started }) => actions.some((action) => isDuring(started, action)));
  const rows = [...marked.flatMap((pid) => readProcess(pid) ?? []), ...orphaned];
  return rows.slice(0, MAX_LEFT).map(({ pid, started }) => ({ pid, started }));
}

/** Notes what a session without a sandbox leaves running when it ends. */
export function noteLeftovers(context: WatchContext, session: AgentSession): void {
  if (session.wrapped === true || session.confined === true || session.acted !== true) return;
  const left = leftoverProcesses(context, session);
  if (left.length > 0) noteSession(context, { session: session.session, agent: session.agent, left });
}

/** A leftover process that has ended may have written until then: that counts for one look, and is forgotten after it. */
export function forgetEndedLeftovers(context: WatchContext): void {
  if (!hasLeftovers(context)) return;
  for (const session of knownSessions(watchTables(context.ledger))) {
    const { left = [], project } = session;
    if (left.length > 0 && project === context.project && !left.some(isRunning))
      noteSession(context, { session: session.session, agent: session.agent, left: [] });
  }
}

/** Cheaper than reading every session, since nearly always none has any. */
function hasLeftovers({ ledger, project }: WatchContext): boolean {
  const { database, attempt } = ledger.file;
  const query = `SELECT 1 FROM sessions WHERE project = ? AND body LIKE '%"left":[{%' LIMIT 1`;
  return attempt(() => database.prepare(query).get(project) !== undefined);
}
