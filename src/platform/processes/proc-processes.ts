import { closeSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs';
import { areSame, type ProcessLook, type ProcessMark, type ProcessRow } from './process-row.ts';

/** Fewer than the pids of any system, so that none was reused in between. */
const MAX_FORKS = 20_000;
const MAX_BYTES = 1024 * 1024;
const buffer = Buffer.alloc(64 * 1024);

export function markProc(): ProcessMark {
  const uptime = Number(read('/proc/uptime').split(' ')[0]);
  return {
    // In hundredths of a second, like process start times; minus one, because both are truncated.
    now: Number.isFinite(uptime) ? Math.floor(uptime * 100) - 1 : 0,
    lastPid: lastPid(),
    forks: forkCount(),
  };
}

function lastPid(): number {
  const pid = Number(read('/proc/loadavg').trim().split(' ')[4]);
  return Number.isSafeInteger(pid) ? pid : 0;
}

function forkCount(): number {
  const count = Number(/^processes (\d+)$/m.exec(read('/proc/stat'))?.[1]);
  return Number.isSafeInteger(count) ? count : 0;
}

export function lookAtProc(mark: ProcessMark): ProcessLook {
  const last = lastPid();
  const rows = readSince(mark, last);
  return {
    rows,
    // Some Linux-like systems do not provide the last pid.
    holds: () =>
      last > 0 ? lastPid() === last && rows.every(isAsRead) : areSame(readSince(mark, last), rows),
  };
}

function readSince(mark: ProcessMark, last: number): ProcessRow[] {
  const inOrder = mark.lastPid > 0 && last > 0 && forkCount() - mark.forks < MAX_FORKS;
  return processIds()
    .filter((pid) => !inOrder || isBetween(pid, mark.lastPid, last))
    .flatMap((pid) => {
      const row = readProcProcess(pid);
      return row && row.started >= mark.now ? [row] : [];
    });
}

/** Pids are assigned in order and wrap around. */
function isBetween(pid: number, after: number, last: number): boolean {
  return after <= last ? pid > after && pid <= last : pid > after || pid <= last;
}

function isAsRead(row: ProcessRow): boolean {
  const now = readProcProcess(row.pid);
  return now !== undefined && areSame([now], [row]);
}

export function processIds(): number[] {
  try {
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => Number.isSafeInteger(pid) && pid > 0);
  } catch {
    return [];
  }
}

export function readProcProcess(pid: number): ProcessRow | undefined {
  const stat = read(`/proc/${pid}/stat`);
  // The name may contain spaces and brackets; the last bracket ends it.
  const end = stat.lastIndexOf(')');
  if (end < 0) return undefined;
  const fields = stat.slice(end + 2).split(' ');
  const state = fields[0];
  if (state === 'Z' || state === 'X') return undefined;
  const terminal = fields[4] ?? '0';
  return {
    pid,
    started: Number(fields[19]),
    parent: Number(fields[1]),
    name: stat.slice(stat.indexOf('(') + 1, end),
    terminal: terminal === '0' ? '' : terminal,
  };
}

export function readProcEnvironment(pid: number): readonly string[] {
  return read(`/proc/${pid}/environ`).split('\0').filter(Boolean);
}

/** The command line, which the process itself can change. */
export function readProcCommand(pid: number): readonly string[] {
  const words = Buffer.from(read(`/proc/${pid}/cmdline`), 'latin1')
    .toString('utf8')
    .split('\0');
  return words.slice(0, -1);
}

export function readProcGroup(pid: number): string {
  return read(`/proc/${pid}/cgroup`);
}

export function readProcProgram(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    // Safe: an unreadable program is treated as unknown.
    return '';
  }
}

/** Reads without stat: files in /proc have no size. */
function read(path: string): string {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, 'r');
    let text = '';
    for (;;) {
      const length = readSync(descriptor, buffer, 0, buffer.length, null);
      text += buffer.toString('latin1', 0, length);
      if (length === 0 || text.length >= MAX_BYTES) return text;
      // Short files are read at once; another call would return nothing.
      if (length < 2048) return text;
    }
  } catch {
    // Safe: it has ended, or belongs to another user, whom this user's agents cannot act as.
    return '';
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
