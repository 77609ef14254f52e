import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { guardkitHome } from '../../platform/guardkit-home.ts';

/** Where sockets lie in the data folder. */
export function brokerFolder(dataFolder: string): string {
  return join(dataFolder, 'run');
}

/**
 * The socket of the GuardKit that runs this agent in a sandbox. In there the data folder holds nothing else, and neither
 * it nor what is in it can be written: a socket that the agent could have made itself is none.
 */
export function findBroker(env: NodeJS.ProcessEnv): string | undefined {
  const dataFolder = folderOf(env);
  if (dataFolder === undefined || isWritable(dataFolder)) return undefined;
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

function isWritable(path: string): boolean {
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
