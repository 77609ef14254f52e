import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Time between SIGTERM and SIGKILL. */
export const KILL_AFTER_MS = 2000;
/** Limit for waiting for an unkillable process, such as one blocked on a dead disk. */
const GIVE_UP_MS = 3000;
const POLL_MS = 20;

/** In the environment of everything that a command starts; a list, because GuardKit may run within GuardKit. */
export const RUN_VARIABLE = 'GUARDKIT_RUN';
const MAX_OUTER_RUNS = 7;

const joined = new Set<string>();

/** Until the run is left, everything that this process starts belongs to it, so that others can end it. */
export function joinRun(id: string): () => void {
  joined.add(id);
  return () => joined.delete(id);
}

/** The marker value for a run nested in the runs of this process. */
export function runMarker(id: string, outer: string | undefined = process.env[RUN_VARIABLE]): string {
  const runs = [...(outer ?? '').split(':'), ...joined].filter((run) => /^[0-9a-f-]{1,64}$/.test(run));
  return [...runs.slice(-MAX_OUTER_RUNS), id].join(':');
}

/** Sends SIGTERM to the group, then SIGKILL. */
export async function endGroup(group: number): Promise<void> {
  await endAll({
    anyLeft: () => groupLives(group),
    signal: (signal) => signalGroup(group, signal),
  });
}

/** Ends every process with the run's marker, in any group or session, including those started meanwhile. */
export async function endMarked(runId: string): Promise<void> {
  await endAll({
    anyLeft: () => markedProcesses(runId).length > 0,
    signal: (signal) => {
      for (const pid of markedProcesses(runId)) signalProcess(pid, signal);
    },
  });
}

export function signalGroup(group: number, signal: NodeJS.Signals): void {
  signalProcess(-group, signal);
}

interface Target {
  anyLeft(): boolean;
  signal(signal: NodeJS.Signals): void;
}

async function endAll(target: Target): Promise<void> {
  if (!target.anyLeft()) return;
  target.signal('SIGTERM');
  const asked = Date.now();
  while (Date.now() - asked < KILL_AFTER_MS) {
    await delay(POLL_MS);
    if (!target.anyLeft()) return;
  }
  // Repeated, because a process may start another before it ends.
  for (const made = Date.now(); Date.now() - made < GIVE_UP_MS; ) {
    target.signal('SIGKILL');
    await delay(POLL_MS);
    if (!target.anyLeft()) return;
  }
}

function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    // Safe: it has already ended, or belongs to another user and was not started here.
    return false;
  }
}

function groupLives(group: number): boolean {
  if (!signalProcess(-group, 0)) return false;
  const pids = processIds();
  // Without a process list, a zombie counts as alive.
  if (pids === undefined) return true;
  return pids.some((pid) => {
    const { state, group: of } = readStat(pid) ?? {};
    return of === group && state !== 'Z' && state !== 'X';
  });
}

function markedProcesses(runId: string): number[] {
  return (processIds() ?? []).filter((pid) => hasMarker(pid, runId));
}

function hasMarker(pid: number, runId: string): boolean {
  if (pid === process.pid) return false;
  try {
    // Readable only for this user's processes; empty for an ended one.
    const environment = readFileSync(`/proc/${pid}/environ`);
    if (!environment.includes(runId)) return false;
    return environment
      .toString('latin1')
      .split('\0')
      .some(
        (entry) =>
          entry.startsWith(`${RUN_VARIABLE}=`) &&
          entry
            .slice(RUN_VARIABLE.length + 1)
            .split(':')
            .includes(runId),
      );
  } catch {
    return false;
  }
}

function processIds(): number[] | undefined {
  try {
    const names = readdirSync('/proc').filter((name) => /^[1-9]\d*$/.test(name));
    return names.length > 0 ? names.map(Number) : undefined;
  } catch {
    return undefined;
  }
}

function readStat(pid: number): { state: string; group: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name may contain spaces and brackets; the last bracket ends it.
    const [state = '', , group = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state, group: Number(group) };
  } catch {
    return undefined;
  }
}

/** From a person or a system that ends a program. */
export const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const live = new Set<LiveGroup>();

/**
 * A process group that is ended if GuardKit ends first. Create it before its first process starts: otherwise a signal in
 * between would end GuardKit and leave the process running.
 */
export class LiveGroup {
  id: number | undefined;

  constructor() {
    if (live.size === 0) listen();
    live.add(this);
  }

  ended(): void {
    if (live.delete(this) && live.size === 0) unlisten();
  }
}

function listen(): void {
  process.on('exit', killAll);
  for (const signal of ENDING_SIGNALS) process.on(signal, endBySignal);
}

function unlisten(): void {
  process.off('exit', killAll);
  for (const signal of ENDING_SIGNALS) process.off(signal, endBySignal);
}

function killAll(): void {
  for (const { id } of live) if (id !== undefined) signalGroup(id, 'SIGKILL');
}

/** Other listeners decide what the signal means; without any, it ends this process as usual. */
function endBySignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  killAll();
  unlisten();
  process.kill(process.pid, signal);
}
