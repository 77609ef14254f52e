import { fstatSync } from 'node:fs';

/**
 * Whether a descriptor may be a terminal. Node's streams give a certain answer, but creating one takes longer than many
 * commands; files and pipes do not need it.
 */
export function mayBeTerminal(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice();
  } catch {
    // Safe: the caller then checks with a stream.
    return true;
  }
}
