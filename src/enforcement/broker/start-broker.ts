import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { essentialEnvironment } from '../../platform/processes/command-environment.ts';
import { isInsideAgent } from '../../platform/processes/wrapper-profile.ts';
import { programFile } from '../install/own-package.ts';
import { isWritable } from './broker-socket.ts';
import { WITHOUT_INSPECTOR } from './run-for-agent.ts';
import { findServer, markedAt, ownBuild, removeMark, setMark } from './server-record.ts';
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
  setMark(dataFolder, 'started');
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

function wasStartedLately(dataFolder: string): boolean {
  const startedAt = markedAt(dataFolder, 'started');
  return startedAt !== undefined && Math.abs(Date.now() - startedAt) < AGAIN_MS;
}

/** A process that has answered an event may be started again at once if it is killed. */
export function noteAnswered(dataFolder: string): void {
  removeMark(dataFolder, 'started');
}
