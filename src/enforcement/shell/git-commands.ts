import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ShellRepository, shellFolder } from './shell-folder.ts';
import { hasGitAccess, isWrapped } from './wrapped-processes.ts';

export { isWrapped };

/** A command of the git profile, in milliseconds since 1970. */
export interface GitCommandWindow {
  begin: number;
  /** Undefined while the command, or a process that it left, is running. */
  end: number | undefined;
  /** The list of mounts that it was started with. */
  mounts: string;
}

/** A look through the protected folders. */
const BREAK_MS = 5000;
const DAY_MS = 24 * 60 * 60 * 1000;
const BEGIN = '.begin';
const END = '.end';
const MOUNTS = '.args';

/**
 * When commands of the git profile ran in a repository during the last day, by the marks that the launcher writes. A command
 * whose launcher was killed, or that left a process in its sandbox, runs until no process shows the profile any more.
 */
export function gitCommandWindows(
  dataFolder: string,
  repository: ShellRepository,
  now: number = Date.now(),
): GitCommandWindow[] {
  noteEndedGitCommands(dataFolder, repository);
  const { gitCommands } = shellFolder(dataFolder, repository);
  return marksIn(gitCommands)
    .filter((name) => name.endsWith(BEGIN))
    .flatMap((name): GitCommandWindow[] => {
      const mark = join(gitCommands, name.slice(0, -BEGIN.length));
      const begin = timeOf(mark + BEGIN);
      if (begin === undefined) return [];
      const end = timeOf(mark + END);
      if (end !== undefined && now - end > DAY_MS) {
        for (const path of [mark + BEGIN, mark + END, mark + MOUNTS]) rmSync(path, { force: true });
        return [];
      }
      return [{ begin, end, mounts: mark + MOUNTS }];
    })
    .sort((one, other) => one.begin - other.begin);
}

/** For every look: an end that is noted later makes the command seem to have run for longer. */
export function noteEndedGitCommands(dataFolder: string, repository: ShellRepository): void {
  const { gitCommands, breakLinks } = shellFolder(dataFolder, repository);
  const names = new Set(marksIn(gitCommands));
  const ended = [...names]
    .filter((name) => name.endsWith(BEGIN))
    .map((name) => name.slice(0, -BEGIN.length))
    .filter((id) => !names.has(id + END) && !isLauncherAlive(join(gitCommands, id + BEGIN), id));
  if (ended.length === 0 || hasGitAccess(repository)) return;
  for (const id of ended) noteEnd(join(gitCommands, id + END), breakLinks);
}

function marksIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Safe: without a folder no launcher was ever installed.
    return [];
  }
}

function timeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}

/** Nobody wrote when it ended; it is known to have ended now. */
function noteEnd(path: string, breakLinks: string): void {
  try {
    spawnSync('/bin/sh', [breakLinks], { stdio: 'ignore', timeout: BREAK_MS });
    writeFileSync(path, '');
  } catch {
    // Safe: inside a sandbox nothing can be written, and the next caller outside notes it.
  }
}

/** The mark contains the launcher's line of /proc/PID/stat: another process of the same number began at another time. */
function isLauncherAlive(begin: string, id: string): boolean {
  const pid = Number(id.split('-')[0]);
  const line = read(begin);
  const running = startOf(read(`/proc/${pid}/stat`));
  // Until the launcher has written its line.
  if (line === '') return running !== undefined;
  const noted = startOf(line);
  return noted !== undefined && running === noted;
}

function startOf(stat: string): string | undefined {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    // Safe: the process has ended, or is another user's.
    return '';
  }
}
