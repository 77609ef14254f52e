import { fstatSync } from 'node:fs';

/**
 * Whether a descriptor may be a terminal. Node's own streams know for certain, and to make one ready takes longer than
 * many a command: files and pipes need none.
 */
export function mayBeTerminal(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice();
  } catch {
    // Safe: whoever asks looks more closely then.
    return true;
  }
}
