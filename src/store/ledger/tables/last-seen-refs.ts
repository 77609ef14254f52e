import {
  type Fits,
  isListOf,
  isShape,
  isTableOf,
  isText,
  orNothing,
} from '../../../domain/json/plain-shape.ts';
import type { Ledger } from '../ledger.ts';
import { cachedReads, cacheRead, findLastCached } from './read-cache.ts';

/** The refs of a repository at the last observation. */
export interface TipsReading {
  /** Commits with a ref while no agent was acting: a person's, or brought by one. */
  known: string[];
  /** Commits with a ref at the last observation, whoever created it. */
  seen: string[];
  /** Where they are, see `RefPlaces`. Older versions recorded no files. */
  folders: string[];
  files?: string[] | undefined;
  /** The checked-out commit of each checkout. */
  heads: Record<string, string>;
  /** The commit that a person last checked out in each checkout. Older versions did not record it. */
  personsHeads?: Record<string, string> | undefined;
}

const isReading: Fits<TipsReading> = isShape({
  known: isListOf(isText),
  seen: isListOf(isText),
  folders: isListOf(isText),
  files: orNothing(isListOf(isText)),
  heads: isTableOf(isText),
  personsHeads: orNothing(isTableOf(isText)),
});

/** By the real path of the git folder that all working trees share. Undefined before the first observation. */
export function findTips(
  ledger: Ledger,
  repository: string,
): { stamp: string; reading: TipsReading } | undefined {
  const last = findLastCached(ledger, tipsKey(repository));
  if (!last) return undefined;
  const found = checked.get(last) ?? {
    stamp: last.stamp,
    reading: isReading(last.body) ? last.body : undefined,
  };
  checked.set(last, found);
  const { stamp, reading } = found;
  return reading && { stamp, reading };
}

/** A repository may have thousands of tips, and the same object has the same ones. */
const checked = new WeakMap<object, { stamp: string; reading: TipsReading | undefined }>();

export function keepTips(ledger: Ledger, repository: string, stamp: string, reading: TipsReading): void {
  cacheRead(ledger, tipsKey(repository), stamp, reading);
}

/** All observations of a checkout, including those under another git folder. */
export function tipsOfCheckout(ledger: Ledger, checkout: string): TipsReading[] {
  return cachedReads(ledger, tipsKey(''))
    .map(({ body }) => body)
    .filter(isReading)
    .filter(({ heads }) => Object.hasOwn(heads, checkout));
}

function tipsKey(repository: string): string {
  return `names in ${repository}`;
}
