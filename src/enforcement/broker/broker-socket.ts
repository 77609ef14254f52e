import { accessSync, closeSync, constants, openSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { guardkitHome } from '../../platform/guardkit-home.ts';
import { wrapperProfile } from '../../platform/processes/wrapper-profile.ts';

/** The folder with the brokers' sockets. */
export function brokerFolder(dataFolder: string): string {
  return join(dataFolder, 'run');
}

/** The socket of the broker for wrapped commands. */
export function agentsSocket(dataFolder: string): string {
  return join(brokerFolder(dataFolder), 'agents.sock');
}

/**
 * The broker's socket, for a process that cannot write the data folder. In the wrapper it is the common broker's, even if
 * that is not running. In the sandbox of a driven agent it is the only visible one; its folder must be read-only, since an
 * agent could otherwise create the socket itself.
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
    // Safe: opening the ledger reports the same error.
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
    // Safe: without a socket the ledger is opened, which fails in a sandbox, and the hook refuses.
    return [];
  }
}

/** About the longest socket address that the system accepts. */
const MAX_ADDRESS_BYTES = 100;

/** An address for a socket with a path of any length; call `release` after bind or connect. */
export function shortAddress(socket: string): { address: string; release(): void } {
  if (Buffer.byteLength(socket) <= MAX_ADDRESS_BYTES || process.platform !== 'linux')
    return { address: socket, release: () => {} };
  const folder = openSync(dirname(socket), constants.O_RDONLY | constants.O_DIRECTORY);
  return { address: `/proc/self/fd/${folder}/${basename(socket)}`, release: () => closeSync(folder) };
}
