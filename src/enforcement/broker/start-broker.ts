import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { essentialEnvironment } from '../../platform/processes/command-environment.ts';
import { isInsideAgent } from '../../platform/processes/wrapper-profile.ts';
import { programFile } from '../install/own-package.ts';
import { connectOnce } from './broker-client.ts';
import { agentsSocket, isWritable } from './broker-socket.ts';
import { WITHOUT_INSPECTOR } from './run-for-agent.ts';

const START_MS = 5000;
const POLL_MS = 20;

/**
 * Starts the broker of a data folder if none runs, and waits until it listens. Of several started at the same time, one
 * remains. False if none runs afterwards; inside the wrapper nothing is started.
 */
export async function startBroker(dataFolder: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  if (isInsideAgent(env) || !isWritable(dataFolder)) return false;
  const socket = agentsSocket(dataFolder);
  if (await isListening(socket)) return true;
  const child = spawn(process.execPath, [WITHOUT_INSPECTOR, programFile(), 'broker'], {
    cwd: dataFolder,
    env: { ...essentialEnvironment(env), GUARDKIT_HOME: dataFolder },
    // Detached from the agent's terminal and its signals.
    detached: true,
    stdio: 'ignore',
  });
  let failed = false;
  child.once('error', () => {
    failed = true;
  });
  child.unref();
  for (const began = Date.now(); Date.now() - began < START_MS && !failed; await delay(POLL_MS))
    if (await isListening(socket)) return true;
  return false;
}

async function isListening(socket: string): Promise<boolean> {
  try {
    (await connectOnce(socket)).destroy();
    return true;
  } catch {
    // Safe: the broker is then started, or the caller reports that none runs.
    return false;
  }
}
