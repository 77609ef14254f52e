import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { keysFolder } from '../../../platform/signing/machine-key.ts';

/**
 * The file marks that this machine signs its records. It is next to the key, where agents' commands see an empty folder:
 * whoever can write into the ledger still cannot remove the mark and have their own records signed as earlier ones.
 */
export function markPath(dataFolder: string): string {
  return join(keysFolder(dataFolder), 'records.json');
}

/** In a file of its own: every hook asks, and must not load the schema for it. */
export function hasMark(dataFolder: string): boolean {
  return lstatSync(markPath(dataFolder), { throwIfNoEntry: false }) !== undefined;
}
