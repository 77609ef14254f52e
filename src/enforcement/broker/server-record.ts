import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Fits, isShape, isText } from '../../domain/json/plain-shape.ts';
import { writeFileAtomic } from '../../platform/files/atomic-file.ts';
import { makeFolder } from '../../platform/files/make-folder.ts';
import { isRunning, readProcess } from '../../platform/processes/process-table.ts';
import { VERSION } from '../../version.ts';
import { hooksFolder, serverFile } from '../install/hook-client.ts';
import { packageFolder } from '../install/own-package.ts';

/** Hooks read it, so it has no schema of zod's, which takes long to load. */
const isRecord = isShape({
  version: isText,
  /** Identifies program and Node. */
  build: isText,
  since: isText,
  /** Why it does not answer hooks; empty if it does. */
  noHooks: isText,
});
type ServerRecord = typeof isRecord extends Fits<infer Value> ? Value : never;

/** The resident process of a data folder. */
export interface RunningServer extends ServerRecord {
  pid: number;
  /** As the system counts it. */
  started: number;
}

/**
 * The program that hooks start, and its Node. A hook's client sends the same text, so that a process of another build, or
 * one whose files were replaced, does not answer.
 */
export function ownBuild(): string {
  return [join(packageFolder(), 'dist', 'hook.cjs'), process.execPath].map(stampOf).join('\n');
}

/** Perl sees only the seconds. */
function stampOf(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat ? `${stat.ino} ${stat.mtimeNs / 1_000_000_000n} ${stat.size} ${path}` : `missing ${path}`;
}

/** The first line is for the hooks' client. */
export function writeServerRecord(
  dataFolder: string,
  { build, noHooks, now }: { build: string; noHooks: string; now: number },
): void {
  const record: ServerRecord = {
    version: VERSION,
    build,
    since: new Date(now).toISOString(),
    noHooks,
  };
  const first = `${process.pid} ${readProcess(process.pid)?.started} `;
  makeFolder(hooksFolder(dataFolder), 0o700);
  writeFileAtomic(serverFile(dataFolder), `${first}\n${JSON.stringify(record)}\n`, 0o600);
}

/** Undefined if none runs. */
export function findServer(dataFolder: string): RunningServer | undefined {
  try {
    const [first = '', second = ''] = readFileSync(serverFile(dataFolder), 'utf8').split('\n');
    const [pid, started] = first.split(' ').map(Number);
    if (pid === undefined || started === undefined || !isRunning({ pid, started })) return undefined;
    const record: unknown = JSON.parse(second);
    return isRecord(record) ? { pid, started, ...record } : undefined;
  } catch {
    // Safe: hooks take the cold path, and the next session starts a process.
    return undefined;
  }
}

/** Removes the record of this process, not of its successor. */
export function removeServerRecord(dataFolder: string): void {
  if (findServer(dataFolder)?.pid === process.pid) rmSync(serverFile(dataFolder), { force: true });
}

/** What last happened to the resident process of a data folder; agents cannot reach these files. */
type Mark = 'started' | 'stopped';

function markFile(dataFolder: string, mark: Mark): string {
  return join(hooksFolder(dataFolder), mark);
}

export function setMark(dataFolder: string, mark: Mark): void {
  makeFolder(hooksFolder(dataFolder), 0o700);
  writeFileSync(markFile(dataFolder, mark), '', { mode: 0o600 });
}

/** In milliseconds since 1970; undefined if it was never set, or removed. */
export function markedAt(dataFolder: string, mark: Mark): number | undefined {
  return statSync(markFile(dataFolder, mark), { throwIfNoEntry: false })?.mtimeMs;
}

export function removeMark(dataFolder: string, mark: Mark): void {
  rmSync(markFile(dataFolder, mark), { force: true });
}
