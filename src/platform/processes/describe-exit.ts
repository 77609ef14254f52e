import { constants } from 'node:os';
import type { ProcessResult } from './run-process.ts';

export type ExitFacts = Pick<ProcessResult, 'exitCode' | 'signal' | 'timedOut' | 'aborted' | 'timeoutMs'>;

/** How a program ended, in words: "exit 1", "killed by SIGKILL", "timed out after 60 s". */
export function describeExit({ exitCode, signal, timedOut, aborted, timeoutMs }: ExitFacts): string {
  if (timedOut) return `timed out after ${seconds(timeoutMs)} s`;
  if (aborted) return 'stopped before its end';
  if (signal !== null) return `killed by ${signal}`;
  if (exitCode === null) return 'ended without an exit code';
  const meant = signalOfExit(exitCode);
  return meant ? `exit ${exitCode} (killed by ${meant})` : `exit ${exitCode}`;
}

/** A shell, and the sandbox, give 128 + n for a program that signal n ended. */
export function signalOfExit(exitCode: number): NodeJS.Signals | undefined {
  const entries = Object.entries(constants.signals) as [NodeJS.Signals, number][];
  return entries.find(([, number]) => number === exitCode - 128)?.[0];
}

function seconds(ms: number): string {
  return String(Math.round(ms / 100) / 10);
}
