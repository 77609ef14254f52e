import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import {
  endGroup,
  endMarked,
  KILL_AFTER_MS,
  LiveGroup,
  RUN_VARIABLE,
  runMarker,
  signalGroup,
} from './end-processes.ts';
import { openPipes, type Pipes } from './open-pipes.ts';
import type { OutputLogOptions } from './output-log.ts';
import { logNotWritten, notStarted, type ProcessExit, requireFolder } from './process-failures.ts';
import { type OutputStream, ProcessOutput } from './process-output.ts';

export interface ProcessOptions {
  cwd: string;
  env: NodeJS.ProcessEnv;
  timeoutMs: number;
  /** Limit for each of stdout and stderr; the rest is dropped. */
  maxOutputBytes?: number;
  /** Default: no input. */
  input?: string;
  /** Receives both outputs as they arrive. */
  onOutput?: (chunk: Buffer) => void;
  /** Both outputs are also written to this file. */
  log?: OutputLogOptions;
  /** Ends the program like a timeout. */
  signal?: AbortSignal;
  /** Also ends processes that left the group; needs a scan of all processes. */
  endStrays?: boolean;
  /** Gives the program file descriptor 3; its output there is returned as `report`. */
  withReport?: boolean;
  /** Connects the program as a shell does, at the cost of starting `mkfifo` (default: by Node's sockets). */
  withPipes?: boolean;
}

export interface ProcessResult extends ProcessExit {
  durationMs: number;
  stdout: string;
  stderr: string;
  /** Part of stdout or stderr was dropped. */
  truncated: boolean;
  /** The end of both outputs, in order of arrival. */
  tail: string;
  /** Bytes of both outputs, dropped ones included. */
  outputBytes: number;
  /** SHA-256 of both outputs, in order of arrival. */
  outputDigest: string;
  report: string;
}

const DEFAULT_MAX_OUTPUT = 4 * 1024 * 1024;
/** A longer timer would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;
const MAX_REPORT = 64 * 1024;
/** How long to wait for output after all processes have ended. */
const DRAIN_MS = 1000;

/** Runs a program in its own process group, waits for it, and ends everything that it started. */
export function runProcess(
  command: string,
  args: readonly string[],
  options: ProcessOptions,
): Promise<ProcessResult> {
  return new Promise((resolve, reject) => {
    const { cwd, timeoutMs, maxOutputBytes = DEFAULT_MAX_OUTPUT, log, signal } = options;
    requireFolder(cwd);
    const output = openOutput(maxOutputBytes, log);
    const runId = randomUUID();
    const live = new LiveGroup();
    const pipes = options.withPipes ? openPipes(options.input) : undefined;
    const child = start(command, args, options, runId, pipes, () => {
      live.ended();
      output.discard();
      pipes?.stdout.destroy();
      pipes?.stderr.destroy();
    });
    const { stdout, stderr } = pipes ?? child;
    const streams = [...child.stdio, stdout, stderr];
    const startedAt = performance.now();
    const group = child.pid;
    live.id = group;
    let timedOut = false;
    let aborted = false;
    let durationMs = 0;
    let escalation: NodeJS.Timeout | undefined;
    let drain: NodeJS.Timeout | undefined;
    let cleaned: Promise<void> = Promise.resolve();
    let report = '';
    let failed = false;

    const end = () => {
      if (group === undefined || escalation) return;
      signalGroup(group, 'SIGTERM');
      escalation = setTimeout(() => signalGroup(group, 'SIGKILL'), KILL_AFTER_MS);
    };
    const timer = setTimeout(
      () => {
        timedOut = true;
        end();
      },
      Math.min(timeoutMs, MAX_TIMER_MS),
    );
    const abort = () => {
      aborted = true;
      end();
    };
    const settle = () => {
      clearTimeout(timer);
      clearTimeout(escalation);
      clearTimeout(drain);
      signal?.removeEventListener('abort', abort);
      live.ended();
    };

    for (const [name, stream] of Object.entries({ stdout, stderr }))
      stream?.on('data', (chunk: Buffer) => {
        output.add(name as OutputStream, chunk);
        options.onOutput?.(chunk);
      });
    const reporting = child.stdio[3] as Readable | null | undefined;
    reporting?.on('data', (chunk: Buffer) => {
      report = (report + chunk.toString('latin1')).slice(0, MAX_REPORT);
    });
    // A program that does not read its input closes the pipe; its exit code is what counts.
    child.stdin?.on('error', () => {});
    child.stdin?.end(options.input);
    child.on('error', (error) => {
      if (failed) return;
      failed = true;
      settle();
      output.discard();
      reject(notStarted(command, error));
    });
    child.on('exit', () => {
      durationMs = performance.now() - startedAt;
      clearTimeout(timer);
      clearTimeout(escalation);
      signal?.removeEventListener('abort', abort);
      cleaned = endRest(group, options.endStrays ? runId : undefined).then(() => {
        // An escaped process may keep the pipes open; do not wait for it.
        drain = setTimeout(() => {
          // A busy event loop may get here before it has read pending output; give it two turns.
          setImmediate(() =>
            setImmediate(() => {
              for (const stream of streams) stream?.destroy();
            }),
          );
        }, DRAIN_MS);
      });
    });
    child.on('close', (exitCode, endSignal) => {
      // Also emitted if the program never started; its log is already discarded.
      if (failed) return;
      void Promise.all([cleaned, pipes?.closed]).then(() => {
        settle();
        try {
          const kept = output.finish();
          resolve({ exitCode, signal: endSignal, timedOut, aborted, timeoutMs, durationMs, ...kept, report });
        } catch (error) {
          reject(logNotWritten(log?.path, error));
        }
      });
    });
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}

async function endRest(group: number | undefined, runId: string | undefined): Promise<void> {
  if (group !== undefined) await endGroup(group);
  if (runId !== undefined) await endMarked(runId);
}

function start(
  command: string,
  args: readonly string[],
  { cwd, env, input, endStrays, withReport }: ProcessOptions,
  runId: string,
  pipes: Pipes | undefined,
  giveUp: () => void,
): ChildProcess {
  try {
    return spawn(command, args, {
      cwd,
      env: endStrays ? { ...env, [RUN_VARIABLE]: runMarker(runId) } : env,
      detached: true,
      stdio: [
        ...(pipes?.ends ?? [
          input === undefined ? ('ignore' as const) : ('pipe' as const),
          'pipe' as const,
          'pipe' as const,
        ]),
        ...(withReport ? ['pipe' as const] : []),
      ],
    });
  } catch (error) {
    giveUp();
    throw notStarted(command, error);
  } finally {
    pipes?.handOver();
  }
}

function openOutput(maxBytes: number, log: OutputLogOptions | undefined): ProcessOutput {
  try {
    return new ProcessOutput(maxBytes, log);
  } catch (error) {
    throw logNotWritten(log?.path, error);
  }
}
