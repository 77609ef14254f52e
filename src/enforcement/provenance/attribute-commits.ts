import { readHead, readTips, refsStamp } from '../../platform/git/git-refs.ts';
import {
  findTips,
  keepTips,
  type TipsReading,
  tipsOfCheckout,
} from '../../store/ledger/tables/tips-reading.ts';
import { repositoryFolder, type WatchContext } from '../watch/watch-context.ts';

export interface AttributedCommits extends TipsReading {
  headNow: string | undefined;
  /** Commits that got a name since the last look, while an agent was at work. */
  agents: readonly string[];
}

const MAX_TIPS = 20_000;

/**
 * Looks at which commits have names. New ones are a person's while no agent is at work; those that appear while one is may
 * be the agent's, until a person accepts what they define.
 */
export function attributeCommits(place: WatchContext, isQuiet: () => boolean): AttributedCommits {
  const { ledger, git, checkout } = place;
  const repository = repositoryFolder(place);
  const last = findTips(ledger, repository);
  const before = last?.reading;
  const headBefore = before?.heads[checkout];
  if (before && last.stamp === refsStamp(git, before.folders) && headBefore !== undefined)
    return { ...before, headNow: headBefore, agents: [] };
  const elsewhere = before ? [] : tipsOfCheckout(ledger, checkout);
  const { tips, folders } = readTips(git);
  const stamp = refsStamp(git, folders);
  const seenBefore = new Set(before?.seen ?? []);
  const fresh = tips.filter((tip) => !seenBefore.has(tip));
  // In another git folder than this checkout had before, anybody may have made commits: only known ones count.
  const isFirst = before === undefined && elsewhere.length === 0;
  const persons = isFirst || (fresh.length > 0 && elsewhere.length === 0 && isQuiet());
  const earlier = before?.known ?? elsewhere.flatMap((one) => one.known);
  const known = [...new Set([...earlier, ...(persons ? fresh : [])])].slice(-MAX_TIPS);
  const headNow = readHead(git);
  const heads = { ...before?.heads, ...(headNow === undefined ? {} : { [checkout]: headNow }) };
  const reading = { known, seen: tips.slice(0, MAX_TIPS), folders: [...folders], heads };
  keepTips(ledger, repository, stamp, reading);
  const trusted = new Set(known);
  return { ...reading, headNow, agents: persons ? [] : fresh.filter((tip) => !trusted.has(tip)) };
}
