import type { Ledger } from '../../store/ledger/ledger.ts';
import { cachedReads, cacheRead } from '../../store/ledger/tables/read-cache.ts';
import { wiringOf } from './is-wired.ts';

const WIRED = 'wired: ';
/** Kept for every checkout in which a hook was ever asked. */
const ASKED = 'project of ';

export function noteWired(ledger: Ledger, checkout: string, wired: boolean): void {
  cacheRead(ledger, WIRED + checkout, '', wired);
}

/** The checkouts of this machine whose hooks lead to its launcher, by their own files. One that cannot be read may have some. */
export function wiredCheckouts(ledger: Ledger): string[] {
  const named = [WIRED, ASKED].flatMap((prefix) =>
    cachedReads(ledger, prefix).map(({ path }) => path.slice(prefix.length)),
  );
  return [...new Set(named)].filter((checkout) => wiringOf(checkout) !== false).sort();
}
