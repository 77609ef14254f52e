import { spawn } from 'node:child_process';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makeFolder } from '../../platform/files/make-folder.ts';
import { essentialEnvironment } from '../../platform/processes/command-environment.ts';
import { isInsideAgent } from '../../platform/processes/wrapper-profile.ts';
import { hooksFolder } from '../install/hook-client.ts';
import { programFile } from '../install/own-package.ts';
import { isWritable } from './broker-socket.ts';
import { WITHOUT_INSPECTOR } from './run-for-agent.ts';
import { findServer, ownBuild } from './server-record.ts';
import { retireServer } from './stop-server.ts';

const START_MS = 5000;
/** One that ends before it has answered an event is not started by every hook. */
const AGAIN_MS = 20_000;
const POLL_MS = 20;

/**
 * Starts the resident process of a data folder if none of this build runs, and waits until it listens. Of several started at
 * the same time, one remains. False if none runs afterwards; inside the wrapper nothing is started.
 */
export async function startBroker(
  dataFolder: string,
  env: NodeJS.ProcessEnv,
  { wait = true }: { wait?: boolean } = {},
): Promise<boolean> {
  if (isInsideAgent(env) || !isWritable(dataFolder)) return false;
  const server = findServer(dataFolder);
  if (server?.build === ownBuild()) return true;
  if (!wait && wasStartedLately(dataFolder)) return false;
  if (server) await retireServer(dataFolder, server);
  noteStart(dataFolder);
  const child = spawn(process.execPath, [WITHOUT_INSPECTOR, '--optimize-for-size', programFile(), 'serve'], {
    cwd: dataFolder,
    // One malloc arena for all threads: those of the compiler would each keep their largest size.
    env: { ...essentialEnvironment(env), GUARDKIT_HOME: dataFolder, MALLOC_ARENA_MAX: '1' },
    // Detached from the agent's terminal and its signals.
    detached: true,
    stdio: 'ignore',
  });
  let failed = false;
  child.once('error', () => {
    failed = true;
  });
  child.unref();
  if (!wait) return false;
  for (const began = Date.now(); Date.now() - began < START_MS && !failed; await delay(POLL_MS))
    if (findServer(dataFolder)) return true;
  return false;
}

function startMark(dataFolder: string): string {
  return join(hooksFolder(dataFolder), 'started');
}

function wasStartedLately(dataFolder: string): boolean {
  const stat = statSync(startMark(dataFolder), { throwIfNoEntry: false });
  return stat !== undefined && Math.abs(Date.now() - stat.mtimeMs) < AGAIN_MS;
}

function noteStart(dataFolder: string): void {
  makeFolder(hooksFolder(dataFolder), 0o700);
  writeFileSync(startMark(dataFolder), '', { mode: 0o600 });
}

/** A process that has answered an event may be started again at once if it is killed. */
export function noteAnswered(dataFolder: string): void {
  rmSync(startMark(dataFolder), { force: true });
}
