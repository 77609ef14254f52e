import * as z from 'zod';
import { readHead, readTips, refsStamp } from '../../platform/git-refs.ts';
import { findLastReading, keepReading } from '../../store/ledger/readings.ts';
import { repositoryFolder, type WatchPlace } from './watch-place.ts';

const readingSchema = z.object({
  /** Commits that had a name when no agent was acting: a person's, or brought by one. */
  known: z.array(z.string()),
  /** Commits that had a name when it was last looked, whoever gave it. */
  seen: z.array(z.string()),
  folders: z.array(z.string()),
  /** What was checked out, by checkout. */
  heads: z.record(z.string(), z.string()),
});

export interface KnownTips extends z.infer<typeof readingSchema> {
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
  const key = `names in ${repositoryFolder(place)}`;
  const last = findLastReading(ledger, key);
  const before = readingSchema.safeParse(last?.body).data;
  if (before && last?.stamp === refsStamp(git, before.folders) && before.heads[checkout] !== undefined)
    return { ...before, headBefore: before.heads[checkout], headNow: before.heads[checkout] };
  const { tips, folders } = readTips(git);
  const stamp = refsStamp(git, folders);
  const seenBefore = new Set(before?.seen ?? []);
  const fresh = quiet || !before ? tips.filter((tip) => !seenBefore.has(tip)) : [];
  const known = [...new Set([...(before?.known ?? []), ...fresh])].slice(-MAX_TIPS);
  const headNow = readHead(git);
  const heads = { ...before?.heads, ...(headNow === undefined ? {} : { [checkout]: headNow }) };
  const reading = { known, seen: tips.slice(0, MAX_TIPS), folders: [...folders], heads };
  keepReading(ledger, key, stamp, reading);
  return { ...reading, headBefore: before?.heads[checkout], headNow };
}
