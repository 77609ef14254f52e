import { spawn } from 'node:child_process';
import { GuardKitError } from '../guardkit-error.ts';

export interface ProcessOptions {
  cwd: string;
  env: NodeJS.ProcessEnv;
  timeoutMs: number;
  /** Each of stdout and stderr is kept up to this; the rest is read and dropped. */
  maxOutputBytes?: number;
  input?: string;
}

export interface ProcessResult {
  /** Null if a signal ended it. */
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  timedOut: boolean;
  stdout: string;
  stderr: string;
  /** Something was dropped. */
  truncated: boolean;
}

const DEFAULT_MAX_OUTPUT = 4 * 1024 * 1024;
const KILL_AFTER_MS = 2000;
/** How long output may still arrive after the program has ended. */
const DRAIN_MS = 1000;

/** Runs a program in a process group of its own, waits for it, and ends the whole group when its time is up. */
export function runProcess(
  command: string,
  args: readonly string[],
  options: ProcessOptions,
): Promise<ProcessResult> {
  const { cwd, env, timeoutMs, maxOutputBytes = DEFAULT_MAX_OUTPUT, input } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
    const stdout = new BoundedText(maxOutputBytes);
    const stderr = new BoundedText(maxOutputBytes);
    let timedOut = false;
    let escalation: NodeJS.Timeout | undefined;
    let drain: NodeJS.Timeout | undefined;
    const timer = setTimeout(() => {
      timedOut = true;
      killGroup(child.pid, 'SIGTERM');
      escalation = setTimeout(() => killGroup(child.pid, 'SIGKILL'), KILL_AFTER_MS);
    }, timeoutMs);
    child.stdout.on('data', (chunk: Buffer) => stdout.add(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.add(chunk));
    // A program that does not read its input closes the pipe; its exit tells the rest.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    child.on('error', (error) => {
      clearTimeout(timer);
      clearTimeout(escalation);
      reject(notStarted(command, error));
    });
    // A grandchild in a session of its own may hold the pipes open for as long as it likes; it is not waited for.
    child.on('exit', () => {
      drain = setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      }, DRAIN_MS);
    });
    child.on('close', (exitCode, signal) => {
      clearTimeout(timer);
      clearTimeout(escalation);
      clearTimeout(drain);
      resolve({
        exitCode,
        signal,
        timedOut,
        stdout: stdout.toString(),
        stderr: stderr.toString(),
        truncated: stdout.truncated || stderr.truncated,
      });
    });
  });
}

function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // Safe: the group is gone already.
  }
}

function notStarted(command: string, error: Error): GuardKitError {
  return new GuardKitError({
    code: 'process.not-started',
    kind: 'outside',
    message: `The program "${command}" could not be started: ${error.message}.`,
    hint: `Install ${command} or put it on the PATH.`,
    cause: error,
  });
}

class BoundedText {
  readonly #chunks: Buffer[] = [];
  #room: number;
  truncated = false;

  constructor(limit: number) {
    this.#room = limit;
  }

  add(chunk: Buffer): void {
    if (chunk.length > this.#room) this.truncated = true;
    if (this.#room === 0) return;
    const kept = chunk.subarray(0, this.#room);
    this.#chunks.push(kept);
    this.#room -= kept.length;
  }

  toString(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }
}
