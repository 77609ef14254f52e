import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { guardkitHome } from '../../platform/guardkit-home.ts';
import { wrapperProfile } from '../../platform/processes/wrapper-profile.ts';

/** Where sockets lie in the data folder. */
export function brokerFolder(dataFolder: string): string {
  return join(dataFolder, 'run');
}

/** The socket of the broker for wrapped commands. */
export function agentsSocket(dataFolder: string): string {
  return join(brokerFolder(dataFolder), 'agents.sock');
}

/**
 * The socket of the GuardKit outside, for a process that cannot write the data folder. In the wrapper it is the broker's,
 * also while that is not running. In the sandbox of a driven agent it is the only one that is shown there; neither it nor
 * its folder can be written, since an agent could otherwise have made the socket itself.
 */
export function findBroker(env: NodeJS.ProcessEnv): string | undefined {
  const dataFolder = folderOf(env);
  if (dataFolder === undefined || isWritable(dataFolder)) return undefined;
  if (wrapperProfile() !== undefined) return agentsSocket(dataFolder);
  const folder = brokerFolder(dataFolder);
  if (isWritable(folder)) return undefined;
  const [name, ...others] = socketsIn(folder);
  return name !== undefined && others.length === 0 ? join(folder, name) : undefined;
}

function folderOf(env: NodeJS.ProcessEnv): string | undefined {
  try {
    return guardkitHome(env);
  } catch {
    // Safe: whoever opens the ledger says what is wrong with it.
    return undefined;
  }
}

export function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function socketsIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter(
      (name) => name.endsWith('.sock') && statSync(join(folder, name)).isSocket(),
    );
  } catch {
    // Safe: without one the ledger is asked, which in a sandbox is not there, and that refuses.
    return [];
  }
}
