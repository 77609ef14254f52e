import { closeSync, constants, openSync } from 'node:fs';
import { basename, dirname } from 'node:path';

/** The system takes no longer address of a socket than about this. */
const MAX_ADDRESS_BYTES = 100;

/** A socket's address however deep its folder lies; `release` when it has been bound or connected to. */
export function shortAddress(socket: string): { address: string; release(): void } {
  if (Buffer.byteLength(socket) <= MAX_ADDRESS_BYTES || process.platform !== 'linux')
    return { address: socket, release: () => {} };
  const folder = openSync(dirname(socket), constants.O_RDONLY | constants.O_DIRECTORY);
  return { address: `/proc/self/fd/${folder}/${basename(socket)}`, release: () => closeSync(folder) };
}
