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
import type { ProcessId, ProcessLook, ProcessMark, ProcessRow } from './process-row.ts';
import { lookAtPs, markPs, readPsEnvironment, readPsProcess, readPsProgram } from './ps-processes.ts';

const LINUX = existsSync('/proc/self/stat');

export function markProcesses(): ProcessMark {
  return LINUX ? markProc() : markPs();
}

/** Those that began after the mark and live. */
export function processesSince(mark: ProcessMark): ProcessLook {
  return LINUX ? lookAtProc(mark) : lookAtPs(mark);
}

/** Undefined for one that has ended, whether or not somebody has fetched its exit code. */
export function readProcess(pid: number): ProcessRow | undefined {
  return LINUX ? readProcProcess(pid) : readPsProcess(pid);
}

export function isRunning({ pid, started }: ProcessId): boolean {
  return readProcess(pid)?.started === started;
}

/** `NAME=value` each, as it was when its program began; empty where the system does not show it. */
export function environmentOf(pid: number): readonly string[] {
  return LINUX ? readProcEnvironment(pid) : readPsEnvironment(pid);
}

/** The words that it was started with; undefined where the system does not show them one by one. */
export function commandOf(pid: number): readonly string[] | undefined {
  return LINUX ? readProcCommand(pid) : undefined;
}

/** Every process whose environment this user may see; none where the system does not list them. */
export function allProcesses(): readonly number[] {
  return LINUX ? processIds() : [];
}

/** What the system accounts the process to; empty where it knows no such thing. */
export function controlGroupOf(pid: number): string {
  return LINUX ? readProcGroup(pid) : '';
}

/** The file of the program that it runs; empty where the system does not show it. */
export function programOf(pid: number): string {
  return LINUX ? readProcProgram(pid) : readPsProgram(pid);
}
