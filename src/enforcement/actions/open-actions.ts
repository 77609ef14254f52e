import { join } from 'node:path';
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
import { fileClock } from '../../platform/files/file-stamp.ts';
import type { ProcessId } from '../../platform/processes/process-row.ts';
import { isRunning, markProcesses } from '../../platform/processes/process-table.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { WatchTables, type WindowRow } from '../../store/ledger/tables/watch-tables.ts';
import type { TimeSpan } from '../effective/change-time.ts';
import { repositoryFolder, type WatchContext } from '../watch/watch-context.ts';
import { GIVE_UP_MS } from './sessions.ts';
import { noteWork } from './work-spans.ts';

/** The record of an action while it is open, and for a while after it. */
export interface ActionBody {
  agent: string;
  agent_type: string | null;
  agent_id: string | null;
  /** It may start programs. */
  runs: boolean;
  summary: string;
  /** Git's common folder. */
  repository: string;
  /** A sandbox of GuardKit's keeps it in its checkout. */
  confined?: boolean | undefined;
  /** Its commands run in the shell wrapper. */
  wrapped?: boolean | undefined;
  agent_process: ProcessId | null;
  /** State of the process table at the start. */
  mark: { now: number; lastPid: number; forks: number } | null;
  /** Definitions that the edit tool was asked to write, relative to the checkout. */
  edits?: string[] | undefined;
  /** Set when it has ended. */
  ended_at?: number | undefined;
  /** The same on the process table's clock. */
  ended_mark?: number | undefined;
}

const isProcess = isShape({ pid: isWhole, started: isNumber });

const isBody: Fits<ActionBody> = isShape({
  agent: isText,
  agent_type: orNull(isText),
  agent_id: orNull(isText),
  runs: isFlag,
  summary: isText,
  repository: isText,
  confined: orNothing(isFlag),
  wrapped: orNothing(isFlag),
  agent_process: orNull(isProcess),
  mark: orNull(isShape({ now: isNumber, lastPid: isNumber, forks: isNumber })),
  edits: orNothing(isListOf(isText)),
  ended_at: orNothing(isNumber),
  ended_mark: orNothing(isNumber),
});

export interface AgentAction extends Omit<WindowRow, 'body'> {
  body: ActionBody;
}

export interface NewAction {
  session: string;
  /** The agent's own id of the action. */
  action: string;
  agent: string;
  agentType?: string | undefined;
  agentId?: string | undefined;
  agentProcess?: ProcessId | undefined;
  runs: boolean;
  confined?: boolean;
  wrapped?: boolean;
  edits?: readonly string[] | undefined;
  /** One line, without secrets. */
  summary: string;
}

const MAX_SUMMARY = 500;

const tablesOf = new WeakMap<Ledger, WatchTables>();

/** Cached per ledger, since a hook needs it several times. */
export function watchTables(ledger: Ledger): WatchTables {
  const known = tablesOf.get(ledger) ?? new WatchTables(ledger);
  tablesOf.set(ledger, known);
  return known;
}

/** All recorded actions, including ended ones of live sessions. Unreadable rows are skipped. */
export function readActions(tables: WatchTables): AgentAction[] {
  return tables.windows().flatMap((row) => {
    const body = readBody(row.body);
    return body ? [{ ...row, body }] : [];
  });
}

/** Actions that have not ended and whose agent still runs. */
export function openActions(
  tables: WatchTables,
  isEnding: (action: AgentAction) => boolean = () => false,
): AgentAction[] {
  const now = Date.now();
  const isGone = goneAgents(now);
  return readActions(tables).filter(
    (action) => action.body.ended_at === undefined && !isEnding(action) && !isGone(action),
  );
}

/** Whether an action's agent has exited. Most actions are of one agent, whose process is looked up once. */
function goneAgents(now: number): (action: AgentAction) => boolean {
  const running = new Map<string, boolean>();
  return ({ body: { agent_process }, opened_at }) => {
    if (!agent_process) return now - opened_at > GIVE_UP_MS;
    const key = `${agent_process.pid} ${agent_process.started}`;
    const known = running.get(key) ?? isRunning(agent_process);
    running.set(key, known);
    return !known;
  };
}

function readBody(text: string): ActionBody | undefined {
  try {
    const body: unknown = JSON.parse(text);
    if (!isBody(body)) return undefined;
    // Earlier versions also kept rows for background work, which are ignored now.
    const { state = 'open' } = body as { state?: unknown };
    return state === 'open' ? body : undefined;
  } catch {
    // Safe: nothing is decided in an agent's favour because a row is missing.
    return undefined;
  }
}

export function beginAction(context: WatchContext, opened: NewAction): AgentAction {
  const { project, checkout } = context;
  const { session, action, runs, agentProcess, confined, wrapped } = opened;
  const row: AgentAction = {
    project,
    checkout,
    session,
    action,
    opened_at: runs ? fileClock(join(context.dataFolder, 'clock')) : Date.now(),
    body: {
      agent: opened.agent,
      agent_type: opened.agentType ?? null,
      agent_id: opened.agentId ?? null,
      runs,
      summary: opened.summary.slice(0, MAX_SUMMARY),
      repository: repositoryFolder(context),
      ...(confined ? { confined } : {}),
      ...(wrapped ? { wrapped } : {}),
      agent_process: agentProcess ? { pid: agentProcess.pid, started: agentProcess.started } : null,
      mark: runs ? markProcesses() : null,
      ...(opened.edits && opened.edits.length > 0 ? { edits: [...opened.edits] } : {}),
    },
  };
  const tables = watchTables(context.ledger);
  tables.exclusively(() => keep(tables, row));
  return row;
}

/** Ends actions. Those that ran programs without a sandbox are kept, with their times, until the agent exits. */
export function endActions(context: WatchContext, actions: readonly AgentAction[], now = Date.now()): void {
  if (actions.length === 0) return;
  const tables = watchTables(context.ledger);
  tables.exclusively(() => {
    for (const one of actions) {
      if (one.body.runs && !one.body.confined) noteWork(context, { begin: one.opened_at, end: now });
      if (one.body.runs && !one.body.confined && !one.body.wrapped) keep(tables, ended(one, now));
      else tables.removeWindow(one);
    }
    prune(tables, now);
  });
}

/** `markProcesses` is up to two ticks early, so that no process is missed at a start; an end needs the opposite. */
const MARK_LAG = 2;

function ended(action: AgentAction, now: number): AgentAction {
  const { edits: _edits, ...body } = action.body;
  return { ...action, body: { ...body, ended_at: now, ended_mark: markProcesses().now + MARK_LAG } };
}

function keep(tables: WatchTables, action: AgentAction): void {
  tables.setWindow({ ...action, body: JSON.stringify(action.body) });
}

const MAX_ENDED = 200;

/** Removes unreadable rows, rows of agents that have exited, and the oldest ended actions. */
function prune(tables: WatchTables, now: number): void {
  const isGone = goneAgents(now);
  const ended: WindowRow[] = [];
  for (const row of tables.windows()) {
    const body = readBody(row.body);
    // An action whose end was never reported may still be looked up for a while.
    const isOver = body?.ended_at !== undefined || now - row.opened_at > GIVE_UP_MS;
    if (!body || (isOver && isGone({ ...row, body }))) tables.removeWindow(row);
    else if (body.ended_at !== undefined) ended.push(row);
  }
  for (const row of ended.slice(0, -MAX_ENDED)) tables.removeWindow(row);
}

/** Selects actions of a session that are over although no end was reported. */
export interface Ending {
  session: string;
  /** The whole session, not only one agent of it. */
  whole?: boolean;
  /** A subagent; default: the main agent. */
  agentId?: string | undefined;
  /** Only these actions. */
  actions?: readonly string[];
}

export function unendedActions(
  { ledger, project, checkout }: WatchContext,
  { session, whole = false, agentId, actions }: Ending,
): AgentAction[] {
  return readActions(watchTables(ledger)).filter((one) => {
    const here = one.project === project && one.checkout === checkout && one.session === session;
    if (!here || one.body.ended_at !== undefined) return false;
    if (actions) return actions.includes(one.action);
    return whole || one.body.agent_id === (agentId ?? null);
  });
}

/** An action that has just ended, and the time it really ran, without the permission prompt. */
export interface EndedAction {
  action: AgentAction;
  span: TimeSpan;
}
