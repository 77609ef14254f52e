import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { programFile } from '../../../enforcement/install/own-package.ts';
import { requireSharedProject } from '../../../store/shared/shared-projects.ts';
import type { CliContext, Report } from '../program/cli-command.ts';
import { endOnSignal } from '../verification/end-on-signal.ts';
import { contextIn } from './one-worker.ts';
import { openClone, withQueue } from './open-queue.ts';
import { agentArguments, type WorkerInput } from './worker-input.ts';

/** Doubled each time if the one before ended soon, as it does while the server is away. */
const RESTART_MS = 1000;
const MAX_RESTART_MS = 30_000;
/** The exit code of a command whose input is wrong. */
const WRONG_INPUT = 2;

/** Runs several workers as processes, and starts one again that died. */
export async function superviseWorkers(
  context: CliContext,
  clones: readonly string[],
  input: WorkerInput,
): Promise<Report> {
  // Reported once here, not by every process.
  for (const folder of clones) {
    const { url, remote, project, identity } = await openClone(contextIn(context, folder));
    await remote.requireNoSecret();
    await withQueue(url, (database) => requireSharedProject(database, project, identity));
  }
  const ending = endOnSignal();
  const places = clones.flatMap((folder) => Array.from({ length: input.concurrency }, () => folder));
  try {
    const codes = await Promise.all(
      places.map((folder) => keepRunning(context, folder, input, ending.signal)),
    );
    const report = { json: { workers: places.length }, text: 'All workers have ended.' };
    return { ...report, exitCode: codes.includes(WRONG_INPUT) ? 1 : 0 };
  } finally {
    ending.forget();
  }
}

async function keepRunning(
  context: CliContext,
  folder: string,
  input: WorkerInput,
  signal: AbortSignal,
): Promise<number> {
  for (let wait = RESTART_MS; !signal.aborted; ) {
    const began = performance.now();
    const args = ['worker', '--concurrency', '1', '--project', folder, ...agentArguments(input)];
    const child = spawn(process.execPath, [programFile(), ...args], {
      cwd: folder,
      env: context.env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const forward = () => child.kill('SIGTERM');
    signal.addEventListener('abort', forward);
    const code = await exitOf(child);
    signal.removeEventListener('abort', forward);
    // It ended by itself, or its input is wrong: starting it again would not help.
    if (code === 0 || code === WRONG_INPUT) return code;
    if (signal.aborted) break;
    context.progress(`A worker ended (${code ?? 'killed'}); starting another.`);
    if (performance.now() - began > MAX_RESTART_MS) wait = RESTART_MS;
    await sleep(wait, undefined, { signal }).catch(() => undefined);
    wait = Math.min(wait * 2, MAX_RESTART_MS);
  }
  return 0;
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((settle, fail) => {
    child.once('error', fail);
    child.once('exit', settle);
  });
}
