import { type Fits, isListOf, isShape, isTableOf, isText } from '../../../domain/json/plain-shape.ts';
import type { Ledger } from '../ledger.ts';
import { cachedReads, cacheRead, findLastCached } from './read-cache.ts';

/** What the names of a repository stood for when it was last looked. */
export interface TipsReading {
  /** Commits that had a name when no agent was acting: a person's, or brought by one. */
  known: string[];
  /** Commits that had a name when it was last looked, whoever gave it. */
  seen: string[];
  folders: string[];
  /** What was checked out, by checkout. */
  heads: Record<string, string>;
}

const isReading: Fits<TipsReading> = isShape({
  known: isListOf(isText),
  seen: isListOf(isText),
  folders: isListOf(isText),
  heads: isTableOf(isText),
});

/** By the real path of the folder that all working trees share. Undefined where nobody has looked yet. */
export function findTips(
  ledger: Ledger,
  repository: string,
): { stamp: string; reading: TipsReading } | undefined {
  const last = findLastCached(ledger, tipsKey(repository));
  return last && isReading(last.body) ? { stamp: last.stamp, reading: last.body } : undefined;
}

export function keepTips(ledger: Ledger, repository: string, stamp: string, reading: TipsReading): void {
  cacheRead(ledger, tipsKey(repository), stamp, reading);
}

/** All that was noted of a checkout, also when git's folder for it was another one. */
export function tipsOfCheckout(ledger: Ledger, checkout: string): TipsReading[] {
  return cachedReads(ledger, tipsKey(''))
    .map(({ body }) => body)
    .filter(isReading)
    .filter(({ heads }) => Object.hasOwn(heads, checkout));
}

function tipsKey(repository: string): string {
  return `names in ${repository}`;
}
