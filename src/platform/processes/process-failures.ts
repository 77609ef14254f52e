import { statSync } from 'node:fs';
import { GuardKitError } from '../../guardkit-error.ts';

/** Without this a missing folder reads as a missing program. */
export function requireFolder(cwd: string): void {
  let cause: unknown;
  try {
    if (statSync(cwd).isDirectory()) return;
  } catch (error) {
    cause = error;
  }
  const found = cause === undefined ? 'it is no folder' : messageOf(cause);
  throw new GuardKitError({
    code: 'process.no-folder',
    kind: 'outside',
    message: `A program cannot run in the folder "${cwd}": ${found}.`,
    hint: 'Look whether it was moved or removed, and run the command again.',
    cause,
  });
}

export function notStarted(command: string, error: unknown): GuardKitError {
  return new GuardKitError({
    code: 'process.not-started',
    kind: 'outside',
    message: `The program "${command}" could not be started: ${messageOf(error)}.`,
    hint: `Install ${command} or put it on the PATH.`,
    cause: error,
  });
}

export function logNotWritten(path: string | undefined, error: unknown): GuardKitError {
  return new GuardKitError({
    code: 'process.log-not-written',
    kind: 'outside',
    message: `The log "${path}" of a program's output could not be written: ${messageOf(error)}.`,
    hint: 'Look whether the folder can be written to and the disk has room, and run the command again.',
    cause: error,
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
