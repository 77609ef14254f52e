import { statSync } from 'node:fs';
import { constants } from 'node:os';
import { GuardKitError } from '../../guardkit-error.ts';

/** Without this check, a missing folder is reported as a missing program. */
export function requireFolder(cwd: string): void {
  let cause: unknown;
  try {
    if (statSync(cwd).isDirectory()) return;
  } catch (error) {
    cause = error;
  }
  const found = cause === undefined ? 'not a folder' : messageOf(cause);
  throw new GuardKitError({
    code: 'process.no-folder',
    kind: 'outside',
    message: `Cannot run a program in "${cwd}": ${found}.`,
    hint: 'Check whether it was moved or removed, then try again.',
    cause,
  });
}

export function notStarted(command: string, error: unknown): GuardKitError {
  return new GuardKitError({
    code: 'process.not-started',
    kind: 'outside',
    message: `Cannot start "${command}": ${messageOf(error)}.`,
    hint: `Install ${command} or put it on the PATH.`,
    cause: error,
  });
}

export function logNotWritten(path: string | undefined, error: unknown): GuardKitError {
  return new GuardKitError({
    code: 'process.log-not-written',
    kind: 'outside',
    message: `Cannot write the output log "${path}": ${messageOf(error)}.`,
    hint: 'Check that the folder is writable and the disk is not full, then try again.',
    cause: error,
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export interface ProcessExit {
  /** Null if a signal ended it. */
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  timedOut: boolean;
  /** The caller's signal ended it. */
  aborted: boolean;
  timeoutMs: number;
}

/** Describes how a program ended: "exit 1", "killed by SIGKILL", "timed out after 60 s". */
export function describeExit({ exitCode, signal, timedOut, aborted, timeoutMs }: ProcessExit): string {
  if (timedOut) return `timed out after ${seconds(timeoutMs)} s`;
  if (aborted) return 'stopped before it finished';
  if (signal !== null) return `killed by ${signal}`;
  if (exitCode === null) return 'ended without an exit code';
  const meant = signalOfExit(exitCode);
  return meant ? `exit ${exitCode} (killed by ${meant})` : `exit ${exitCode}`;
}

/** Shells and the sandbox return 128 + n for a program killed by signal n. */
function signalOfExit(exitCode: number): NodeJS.Signals | undefined {
  const entries = Object.entries(constants.signals) as [NodeJS.Signals, number][];
  return entries.find(([, number]) => number === exitCode - 128)?.[0];
}

function seconds(ms: number): string {
  return String(Math.round(ms / 100) / 10);
}
