import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** How long something may take to end when it is asked, before it is made to. */
export const KILL_AFTER_MS = 2000;
/** A process that the system cannot end (it waits for a dead disk, say) is not waited for longer than this. */
const GIVE_UP_MS = 3000;
const POLL_MS = 20;

/** In the environment of everything that a command starts; a list, since GuardKit may run within GuardKit. */
export const RUN_VARIABLE = 'GUARDKIT_RUN';
const MAX_OUTER_RUNS = 7;

const joined = new Set<string>();

/** Until it is left again, everything that this process starts belongs to the run too, so that others can end it. */
export function joinRun(id: string): () => void {
  joined.add(id);
  return () => joined.delete(id);
}

/** The marker's value for a run within the runs that this process itself belongs to. */
export function runMarker(id: string, outer: string | undefined = process.env[RUN_VARIABLE]): string {
  const runs = [...(outer ?? '').split(':'), ...joined].filter((run) => /^[0-9a-f-]{1,64}$/.test(run));
  return [...runs.slice(-MAX_OUTER_RUNS), id].join(':');
}

/** Asks every process of the group to end, then makes it. */
export async function endGroup(group: number): Promise<void> {
  await endAll({
    anyLeft: () => groupLives(group),
    signal: (signal) => signalGroup(group, signal),
  });
}

/** Ends what carries the run's marker, in whatever group or session it is, and what it still starts meanwhile. */
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
  // Again and again, since what is ended may have started another in between.
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
    // Safe: it is gone already, or another user's, which was not started here.
    return false;
  }
}

function groupLives(group: number): boolean {
  if (!signalProcess(-group, 0)) return false;
  const pids = processIds();
  // Where the system does not list its processes, an ended one that nobody has fetched counts as living.
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
    // Readable only for processes of this user, and empty for an ended one.
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
    // The name may itself hold spaces and brackets; the last bracket ends it.
    const [state = '', , group = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state, group: Number(group) };
  } catch {
    return undefined;
  }
}
