import { spawnSync } from 'node:child_process';
import { areSame, type ProcessLook, type ProcessMark, type ProcessRow } from './process-row.ts';

const TIMEOUT_MS = 2000;
const COLUMNS = 'pid=,ppid=,state=,tty=,lstart=,comm=';

export function markPs(): ProcessMark {
  // The start of a process is only known to the second.
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

/** Words rather than variables: `ps` separates them by spaces, and says the command first. */
export function readPsEnvironment(pid: number): readonly string[] {
  const { text } = ps(['-Eww', '-o', 'command=', '-p', String(pid)]);
  return text.split(/\s/).filter(Boolean);
}

export function readPsProgram(pid: number): string {
  return ps(['-o', 'comm=', '-p', String(pid)]).text.trim();
}

/** Rows such as `501  1 S  ??  Sun Nov 15 09:30:00 2026 /bin/sleep`; ended ones are left out. */
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

/** With the number that `ps` itself had, since it shows itself too. */
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
