import { readHead, readTips, refsStamp } from '../../platform/git-refs.ts';
import { findTips, keepTips, type TipsReading, tipsOfCheckout } from '../../store/ledger/tips-reading.ts';
import { repositoryFolder, type WatchPlace } from './watch-place.ts';

export interface KnownTips extends TipsReading {
  /** What was checked out here when it was last looked. */
  headBefore: string | undefined;
  headNow: string | undefined;
}

const MAX_TIPS = 20_000;

/**
 * Looks which commits have names now. While no agent acts, new ones are a person's; those that come up while one does are
 * its own, and stay so until a person gives one a name.
 */
export function noteTips(place: WatchPlace, quiet: boolean): KnownTips {
  const { ledger, git, checkout } = place;
  const repository = repositoryFolder(place);
  const last = findTips(ledger, repository);
  const before = last?.reading;
  if (before && last.stamp === refsStamp(git, before.folders) && before.heads[checkout] !== undefined)
    return { ...before, headBefore: before.heads[checkout], headNow: before.heads[checkout] };
  const elsewhere = before ? [] : tipsOfCheckout(ledger, checkout);
  const { tips, folders } = readTips(git);
  const stamp = refsStamp(git, folders);
  const seenBefore = new Set(before?.seen ?? []);
  // In another folder of git's than this checkout had, anybody may have made commits: only those known before count.
  const fresh = quiet && elsewhere.length === 0 ? tips.filter((tip) => !seenBefore.has(tip)) : [];
  const earlier = before?.known ?? elsewhere.flatMap((one) => one.known);
  const known = [...new Set([...earlier, ...fresh])].slice(-MAX_TIPS);
  const headNow = readHead(git);
  const heads = { ...before?.heads, ...(headNow === undefined ? {} : { [checkout]: headNow }) };
  const reading = { known, seen: tips.slice(0, MAX_TIPS), folders: [...folders], heads };
  keepTips(ledger, repository, stamp, reading);
  return { ...reading, headBefore: (before ?? elsewhere[0])?.heads[checkout], headNow };
}
