import { setTimeout as delay } from 'node:timers/promises';
import { GuardKitError } from '../../guardkit-error.ts';
import { isRunning } from '../../platform/processes/process-table.ts';
import { findServer, markedAt, type RunningServer, setMark } from './server-record.ts';

/** Makes the resident process take nothing new and end with its last client. */
export const RETIRE_SIGNAL = 'SIGUSR2';
/** How long it then serves those it has, if it is to end. */
export const DRAIN_MS = 10_000;
const WAIT_MS = DRAIN_MS + 2000;
const POLL_MS = 20;

/** Whether the resident process was stopped since then: one that was still starting must not take its place. */
export function wasStoppedSince(dataFolder: string, startedAt: number): boolean {
  const stoppedAt = markedAt(dataFolder, 'stopped');
  return stoppedAt !== undefined && stoppedAt >= startedAt;
}

/** Ends the resident process after it has answered what it was asked. Undefined if none runs. */
export async function stopServer(dataFolder: string): Promise<RunningServer | undefined> {
  setMark(dataFolder, 'stopped');
  const server = findServer(dataFolder);
  if (!server) return undefined;
  signal(server, 'SIGTERM');
  // It may be stopped, and would not notice.
  signal(server, 'SIGCONT');
  if (await untilGone(() => !isRunning(server), WAIT_MS)) return server;
  signal(server, 'SIGKILL');
  if (await untilGone(() => !isRunning(server), WAIT_MS)) return server;
  throw new GuardKitError({
    code: 'serve.not-stopped',
    kind: 'outside',
    message: `Process ${server.pid} did not exit.`,
    hint: `Kill it with \`kill -9 ${server.pid}\`.`,
  });
}

/** Makes room for a process of another build; the clients of this one keep it. */
export async function retireServer(dataFolder: string, server: RunningServer): Promise<void> {
  signal(server, RETIRE_SIGNAL);
  signal(server, 'SIGCONT');
  await untilGone(() => findServer(dataFolder)?.pid !== server.pid, WAIT_MS);
}

function signal({ pid }: RunningServer, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Safe: it has ended, or is another user's, which the caller then notices.
  }
}

async function untilGone(isGone: () => boolean, limitMs: number): Promise<boolean> {
  for (const began = Date.now(); Date.now() - began < limitMs; await delay(POLL_MS))
    if (isGone()) return true;
  return isGone();
}
