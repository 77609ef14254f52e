import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  lookAtProc,
  markProc,
  processIds,
  readProcCommand,
  readProcEnvironment,
  readProcGroup,
  readProcProcess,
  readProcProgram,
} from './proc-processes.ts';
import {
  areSame,
  type ProcessId,
  type ProcessLook,
  type ProcessMark,
  type ProcessRow,
} from './process-row.ts';

const LINUX = existsSync('/proc/self/stat');

export function markProcesses(): ProcessMark {
  return LINUX ? markProc() : markPs();
}

/** Running processes that started after the mark. */
export function processesSince(mark: ProcessMark): ProcessLook {
  return LINUX ? lookAtProc(mark) : lookAtPs(mark);
}

/** Undefined for an ended process, zombies included. */
export function readProcess(pid: number): ProcessRow | undefined {
  return LINUX ? readProcProcess(pid) : readPsProcess(pid);
}

export function isRunning({ pid, started }: ProcessId): boolean {
  return readProcess(pid)?.started === started;
}

/** The environment at its start, as `NAME=value`; empty if the system does not show it. */
export function environmentOf(pid: number): readonly string[] {
  return LINUX ? readProcEnvironment(pid) : readPsEnvironment(pid);
}

/** The command line as words; undefined if the system does not separate them. */
export function commandOf(pid: number): readonly string[] | undefined {
  return LINUX ? readProcCommand(pid) : undefined;
}

/** Every process whose environment this user can read; empty if the system does not list them. */
export function allProcesses(): readonly number[] {
  return LINUX ? processIds() : [];
}

/** The control group of a process; empty on systems without them. */
export function controlGroupOf(pid: number): string {
  return LINUX ? readProcGroup(pid) : '';
}

/** The executable of a process; empty if the system does not show it. */
export function programOf(pid: number): string {
  return LINUX ? readProcProgram(pid) : readPsProgram(pid);
}

const TIMEOUT_MS = 2000;
const COLUMNS = 'pid=,ppid=,state=,tty=,lstart=,comm=';

function markPs(): ProcessMark {
  // Start times are exact only to the second.
  return { now: Math.floor(Date.now() / 1000), lastPid: 0, forks: 0 };
}

export function lookAtPs(mark: ProcessMark): ProcessLook {
  const rows = readSince(mark);
  return { rows, holds: () => areSame(readSince(mark), rows) };
}

function readSince(mark: ProcessMark): ProcessRow[] {
  const { text, own } = ps(['-axo', COLUMNS]);
  return parsePs(text).filter(({ pid, started }) => started >= mark.now && pid !== own);
}

export function readPsProcess(pid: number): ProcessRow | undefined {
  return parsePs(ps(['-o', COLUMNS, '-p', String(pid)]).text)[0];
}

/** Words, not variables: `ps` separates them by spaces, after the command. */
function readPsEnvironment(pid: number): readonly string[] {
  const { text } = ps(['-Eww', '-o', 'command=', '-p', String(pid)]);
  return text.split(/\s/).filter(Boolean);
}

function readPsProgram(pid: number): string {
  return ps(['-o', 'comm=', '-p', String(pid)]).text.trim();
}

/** Rows such as `501  1 S  ??  Sun Nov 15 09:30:00 2026 /bin/sleep`; without ended processes. */
export function parsePs(text: string): ProcessRow[] {
  return text.split('\n').flatMap((line) => {
    const [pid, parent, state = 'Z', terminal = '', ...rest] = line.trim().split(/\s+/);
    const started = Date.parse(`${rest.slice(0, 5).join(' ')}`) / 1000;
    if (state.startsWith('Z') || !Number.isFinite(started)) return [];
    return [
      {
        pid: Number(pid),
        started,
        parent: Number(parent),
        name: rest.slice(5).join(' ').split('/').pop() ?? '',
        terminal: /^\?+$|^-$/.test(terminal) ? '' : terminal,
      },
    ];
  });
}

/** Also returns the pid of `ps`, which lists itself too. */
function ps(args: readonly string[]): { text: string; own: number } {
  const { stdout, pid } = spawnSync('ps', args, {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
    maxBuffer: 8 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return { text: stdout ?? '', own: pid };
}
