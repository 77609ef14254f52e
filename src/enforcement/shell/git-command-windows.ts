import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { namesIn } from '../../platform/files/names-in.ts';
import { type ShellRepository, shellFolder } from './shell-folder.ts';
import { hasGitAccess } from './wrapped-processes.ts';

/** A command of the git profile, in milliseconds since 1970. */
export interface GitCommandWindow {
  begin: number;
  /** Undefined while the command, or a leftover process of it, is running. */
  end: number | undefined;
  /** The profile file that it was started with. */
  mounts: string;
}

/** Timeout for the script that breaks hard links. */
const BREAK_MS = 5000;
const DAY_MS = 24 * 60 * 60 * 1000;
const BEGIN = '.begin';
const END = '.end';
const MOUNTS = '.args';
/** The launcher removes it when the command ends; it stays if the launcher is killed. */
const CODE = '.code';

/**
 * The commands of the git profile during the last day, from the marks that the launcher writes. A command whose launcher was
 * killed, or that left a process in its sandbox, counts as running until no process has the profile.
 */
export function gitCommandWindows(
  dataFolder: string,
  repository: ShellRepository,
  now: number = Date.now(),
): GitCommandWindow[] {
  noteEndedGitCommands(dataFolder, repository);
  const { gitCommands } = shellFolder(dataFolder, repository);
  // Safe: without the folder no launcher was ever installed.
  return namesIn(gitCommands)
    .filter((name) => name.endsWith(BEGIN))
    .flatMap((name): GitCommandWindow[] => {
      const mark = join(gitCommands, name.slice(0, -BEGIN.length));
      const begin = timeOf(mark + BEGIN);
      if (begin === undefined) return [];
      const end = timeOf(mark + END);
      if (end !== undefined && now - end > DAY_MS) {
        for (const path of [mark + BEGIN, mark + END, mark + MOUNTS, mark + CODE])
          rmSync(path, { force: true });
        return [];
      }
      return [{ begin, end, mounts: mark + MOUNTS }];
    })
    .sort((one, other) => one.begin - other.begin);
}

/** Call it at every observation: an end that is recorded late extends the window. */
export function noteEndedGitCommands(dataFolder: string, repository: ShellRepository): void {
  const { gitCommands, breakLinks } = shellFolder(dataFolder, repository);
  const names = new Set(namesIn(gitCommands));
  const ended = [...names]
    .filter((name) => name.endsWith(BEGIN))
    .map((name) => name.slice(0, -BEGIN.length))
    .filter((id) => !names.has(id + END) && !isLauncherAlive(join(gitCommands, id + BEGIN), id));
  if (ended.length === 0 || hasGitAccess(repository)) return;
  for (const id of ended) noteEnd(join(gitCommands, id + END), breakLinks);
}

function timeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}

/** The launcher did not record the end, so the end is now. */
function noteEnd(path: string, breakLinks: string): void {
  try {
    spawnSync('/bin/sh', [breakLinks], { stdio: 'ignore', timeout: BREAK_MS });
    writeFileSync(path, '');
  } catch {
    // Safe: in a sandbox nothing can be written; the next caller outside records it.
  }
}

/** The mark contains the launcher's /proc/PID/stat, whose start time tells it apart from a process that reuses the pid. */
function isLauncherAlive(begin: string, id: string): boolean {
  const pid = Number(id.split('-')[0]);
  const line = read(begin);
  const running = startOf(read(`/proc/${pid}/stat`));
  // The launcher has not written its line yet.
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
