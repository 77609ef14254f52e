import { hash } from 'node:crypto';
import { isShape, isText } from '../../domain/json/plain-shape.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { cacheRead, findLastCached } from '../../store/ledger/tables/read-cache.ts';

const isBody = isShape({ hash: isText });

/**
 * Notes what GuardKit is about to write, in the transaction that it writes in: whoever looks at the file before it was
 * taken as GuardKit's own, or after its writer was killed, knows it by this.
 */
export function noteOwnText(ledger: Ledger, file: string, text: string): void {
  cacheRead(ledger, key(file), '', { hash: hash('sha256', text) });
}

export function isOwnText(ledger: Ledger, file: string, found: string): boolean {
  const last = findLastCached(ledger, key(file))?.body;
  return isBody(last) && last.hash === found;
}

function key(file: string): string {
  return `text that guardkit wrote to ${file}`;
}
