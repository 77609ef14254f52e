import { statSync } from 'node:fs';
import type { ProcessId, ProcessMark, ProcessRow } from '../../platform/process-row.ts';
import {
  allProcesses,
  commandOf,
  controlGroupOf,
  environmentOf,
  processesSince,
  programOf,
  readProcess,
} from '../../platform/process-table.ts';
import { isHookShell, shellProgram } from '../hook-starter.ts';
import { agentMarks } from './agent-marks.ts';

export interface LeftBehindQuestion {
  agent: string;
  session: string;
  /** The agent's own program; undefined where it is not known. */
  agentPid: number | undefined;
  /** When the action began. */
  mark: ProcessMark;
  /** Also what has cut every tie to its agent, as far as it can be told from what others started. */
  orphans: boolean;
  /** Where GuardKit's own hooks are started from. */
  dataFolder: string;
}

/** How often it is looked at most, where processes come and go all the time. */
const MAX_LOOKS = 8;

/**
 * What each of several actions started and that still runs. Whoever forks and ends while it is looked for could be missed
 * together with what it forked. So what is not found counts as none only where nobody came or went meanwhile.
 */
export function findLeftBehind(questions: readonly LeftBehindQuestion[]): ProcessId[][] {
  let first: ProcessMark | undefined;
  for (const { mark } of questions) if (!first || mark.now < first.now) first = mark;
  if (!first) return [];
  for (let count = 1; ; count += 1) {
    const look = processesSince(first);
    const found = questions.map((question) => findAmong(question, look.rows));
    if (count === MAX_LOOKS || found.every(({ length }) => length > 0) || look.holds()) return found;
  }
}

function findAmong(question: LeftBehindQuestion, since: readonly ProcessRow[]): ProcessId[] {
  const rows = since.filter(({ started }) => started >= question.mark.now);
  if (rows.length === 0) return [];
  return chooseLeftBehind(question, rows, systemFacts(question, rows)).map(({ pid, started }) => ({
    pid,
    started,
  }));
}

/** What is asked of the system for those few that are new. */
export interface ProcessFacts {
  /** This process and those above it, up to the agent. */
  own: ReadonlySet<number>;
  parent(pid: number): number | undefined;
  name(pid: number): string;
  /** It is a shell that runs nothing but GuardKit's own hook. */
  isHookShell(pid: number): boolean;
  environment(pid: number): readonly string[];
  /** It is accounted to the same as the agent. */
  sameGroup(pid: number): boolean;
  agentTerminal: string;
  /** Nothing is on its terminal but what it has started: no person has a shell there. */
  hasOwnTerminal(row: ProcessRow): boolean;
  /** The file of its program, if nobody but the system's administrator can have laid it there. */
  systemProgram(pid: number): string;
}

const MAX_ANCESTORS = 64;

/** Programs that take over what lost its parent. */
export const ADOPTERS =
  /^(?:init|systemd|launchd|tini|dumb-init|docker-init|catatonit|s6-svscan|runsvdir|conmon)$/;

/** Services of the machine that whatever needs them first starts, and that stay for all: none acts by itself. */
const SERVICES =
  /\/(?:gpg-agent|keyboxd|dirmngr|scdaemon|ssh-agent|dbus-daemon|git-credential-cache--daemon|adb|watchman)$/;

export function chooseLeftBehind(
  { agent, session, agentPid, orphans }: LeftBehindQuestion,
  rows: readonly ProcessRow[],
  facts: ProcessFacts,
): ProcessRow[] {
  const marks = agentMarks(agent);
  const above = (row: ProcessRow): number[] => {
    const chain: number[] = [];
    for (
      let pid: number | undefined = row.parent;
      pid !== undefined && pid > 1 && chain.length < MAX_ANCESTORS;
    ) {
      chain.push(pid);
      pid = pid === agentPid ? undefined : facts.parent(pid);
    }
    return chain;
  };
  /**
   * Other hooks of GuardKit run beside this one. A shell that became one has kept what it had started before: only what a
   * hook's shell has started alone is the hook.
   */
  const isHook = (row: ProcessRow, chain: readonly number[]): boolean => {
    const above = chain.slice(0, -1);
    if (!above.every(facts.isHookShell)) return false;
    if (above.length === 0) return facts.isHookShell(row.pid);
    return rows.filter((one) => one.parent === row.parent).length === 1;
  };
  return rows.filter((row) => {
    if (facts.own.has(row.pid) || SERVICES.test(facts.systemProgram(row.pid))) return false;
    const chain = above(row);
    const ofAgent = agentPid !== undefined && chain.includes(agentPid);
    if (ofAgent) return !isHook(row, chain);
    if (marks && facts.environment(row.pid).includes(`${marks.session}=${session}`)) return true;
    return (
      orphans &&
      (row.parent === 1 || ADOPTERS.test(facts.name(row.parent))) &&
      (row.terminal === '' || row.terminal === facts.agentTerminal || facts.hasOwnTerminal(row)) &&
      facts.sameGroup(row.pid)
    );
  });
}

function systemFacts(
  { agent, agentPid, dataFolder }: LeftBehindQuestion,
  rows: readonly ProcessRow[],
): ProcessFacts {
  const known = new Map<number, ProcessRow | undefined>(rows.map((row) => [row.pid, row]));
  const find = (pid: number): ProcessRow | undefined => {
    if (!known.has(pid)) known.set(pid, readProcess(pid));
    return known.get(pid);
  };
  const isShell = isHookShell(agent, dataFolder, shellProgram());
  const own = new Set<number>();
  for (let pid: number = process.pid; pid > 1 && pid !== agentPid && own.size < MAX_ANCESTORS; ) {
    own.add(pid);
    pid = find(pid)?.parent ?? 0;
  }
  const reference = agentPid ?? process.pid;
  const group = controlGroupOf(reference);
  return {
    own,
    parent: (pid) => find(pid)?.parent,
    name: (pid) => find(pid)?.name ?? '',
    isHookShell: (pid) => isShell({ program: programOf(pid), words: commandOf(pid) ?? [] }),
    environment: environmentOf,
    sameGroup: (pid) => controlGroupOf(pid) === group,
    agentTerminal: find(reference)?.terminal ?? '',
    hasOwnTerminal: ({ pid, terminal }) =>
      allProcesses().every(
        (one) => one === pid || find(one)?.terminal !== terminal || isBelow(one, pid, find),
      ),
    systemProgram,
  };
}

function isBelow(pid: number, above: number, find: (pid: number) => ProcessRow | undefined): boolean {
  let row = find(pid);
  for (let count = 0; row && count < MAX_ANCESTORS; count++) {
    if (row.parent === above) return true;
    row = find(row.parent);
  }
  return false;
}

function systemProgram(pid: number): string {
  const program = programOf(pid);
  if (!/^\/(?:usr|bin|opt)\//.test(program)) return '';
  const stat = statSync(program, { throwIfNoEntry: false });
  return stat?.uid === 0 && (stat.mode & 0o022) === 0 ? program : '';
}
