import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  DEFINITION_FOLDERS,
  definitionDigest,
  isDefinitionPath,
} from '../../domain/protection/project-paths.ts';
import { readHead, readTips, refsStamp } from '../../platform/git/git-refs.ts';
import { committedVersions, readBlobs, versionsIn } from '../../platform/git/git-versions.ts';
import {
  findTips,
  keepTips,
  type TipsReading,
  tipsOfCheckout,
} from '../../store/ledger/tables/last-seen-refs.ts';
import { definitionsInForce } from '../../verification/definition/definitions-in-force.ts';
import { readProvenance } from '../../verification/definition/provenance.ts';
import {
  agentsActing,
  agentsAtWork,
  followLeftInWrapper,
  leftInWrapper,
  unwrappedAgentsAtWork,
} from '../actions/agents-at-work.ts';
import { watchTables } from '../actions/open-actions.ts';
import { isWithin } from '../effective/change-time.ts';
import { gitCommandWindows } from '../shell/git-command-windows.ts';
import { repositoryFolder, type WatchContext } from '../watch/watch-context.ts';
import { type Proposal, proposeDefinitions } from './propose-definitions.ts';
import { isIndexSeen, stagedByAgents } from './staged-definitions.ts';
import { keepLook, lookForCommits, strayCommits } from './stray-commits.ts';
import { isFirstHeadTrusted, isRemoteNoted, noteRemote, trustFirstHead } from './trusted-commits.ts';

/** Finding out what is pending takes several processes for each. */
const MAX_AGENT_TIPS = 20;

/**
 * Reads new commits and the index, and records definitions that agents put there past the working files as proposals: a
 * person who checks out or commits them later does not become their author. Thorough: compares contents even if stamps are
 * unchanged, since writes to a mapping in memory can leave them, and finds commits without a ref.
 */
export function observeCommits(
  context: WatchContext,
  options: { thorough?: boolean } = {},
): AttributedCommits {
  followLeftInWrapper(context);
  // While such a process runs, its work is looked at by stamps; when it has ended, everything.
  const thorough = leftInWrapper(context) === 'ended' || (options.thorough ?? true);
  const look = thorough ? lookForCommits(context) : undefined;
  const unchanged = unchangedCommits(context, thorough);
  if (unchanged && !look?.commits.length) {
    if (look) watchTables(context.ledger).exclusively(() => keepLook(context, look));
    return unchanged;
  }
  const quiet = once(() => !agentsAtWork(context));
  return watchTables(context.ledger).exclusively(() => {
    trustFirstHead(context);
    noteRemote(context, quiet);
    const commits = attributeCommits(context, quiet, thorough);
    const strays = strayCommits(context, look?.commits ?? [], [...commits.known, ...commits.seen]);
    const inTips = commits.agents
      .slice(0, MAX_AGENT_TIPS)
      .flatMap((commit) => proposedIn(context, commit).map((proposal) => ({ ...proposal, commit })));
    proposeDefinitions(context, inTips);
    // A person may have amended or dropped some of these commits; a version in such a commit is still the person's.
    const inStrays = strays.last.slice(0, MAX_AGENT_TIPS).flatMap((tip) => proposedIn(context, tip));
    proposeDefinitions(context, inStrays);
    proposeDefinitions(context, proposedBehind(context, [...commits.agents, ...strays.last]));
    proposeDefinitions(context, proposedInBroken(context, strays.broken));
    proposeDefinitions(context, stagedByAgents(context, quiet, thorough));
    if (look) keepLook(context, look);
    return commits;
  });
}

/** Most events find everything as at the last observation, and then need no transaction. */
function unchangedCommits(context: WatchContext, thorough: boolean): AttributedCommits | undefined {
  if (!isFirstHeadTrusted(context) || !isRemoteNoted(context) || !isIndexSeen(context, thorough))
    return undefined;
  return knownCommits(context, thorough);
}

function proposedIn(context: WatchContext, tip: string): Proposal[] {
  const { ledger, project, git } = context;
  const provenance = readProvenance(ledger, project, git.commonDir);
  const found = definitionsInForce(git.gitDir, tip, provenance, DEFINITION_FOLDERS);
  const pending = found?.pending ?? [];
  const blobs = readBlobs(
    git.gitDir,
    pending.flatMap((one) => one.pending ?? []),
  );
  return pending.flatMap((one) => proposalOf(context, one.path, one.pending, blobs));
}

function proposalOf(
  context: WatchContext,
  path: string,
  blob: string | null,
  blobs: ReadonlyMap<string, Buffer>,
): Proposal[] {
  const content = blob === null ? undefined : blobs.get(blob);
  if (blob !== null && !content) return [];
  const isEdited = () => content && blob !== null && wasInWorkingFilesFirst(context, path, content, blob);
  // Without a sandbox an agent can write the working files too.
  if (!unwrappedAgentsAtWork(context) && isEdited()) return [];
  return [{ path, content, origin: 'commit' as const }];
}

/**
 * The versions in commits behind the tips, and in more tips: a person who drops or reverts the last commit of an agent, or
 * merges one of its many branches, does not become the author of the version before. A person's versions do not count.
 */
function proposedBehind(context: WatchContext, tips: readonly string[]): Proposal[] {
  const { ledger, project, git } = context;
  const trusted = readProvenance(ledger, project, git.commonDir)?.trusted ?? [];
  if (tips.length === 0 || trusted.length === 0) return [];
  return withoutPersons(context, committedVersions(git.gitDir, tips, trusted, DEFINITION_FOLDERS), trusted);
}

/** The versions in commits whose history git cannot read: a person can still apply one of them. */
function proposedInBroken(context: WatchContext, commits: readonly string[]): Proposal[] {
  const { ledger, project, git } = context;
  const trusted = readProvenance(ledger, project, git.commonDir)?.trusted ?? [];
  if (commits.length === 0 || trusted.length === 0) return [];
  return withoutPersons(context, versionsIn(git.gitDir, commits, DEFINITION_FOLDERS), trusted);
}

function withoutPersons(
  context: WatchContext,
  versions: ReadonlyMap<string, ReadonlySet<string | null>>,
  trusted: readonly string[],
): Proposal[] {
  const { git } = context;
  const paths = [...versions.keys()].filter(isDefinitionPath);
  if (paths.length === 0) return [];
  const persons = committedVersions(git.gitDir, trusted, [], paths);
  return paths.flatMap((path) => {
    const fresh = [...(versions.get(path) ?? [])].filter((blob) => !persons.get(path)?.has(blob));
    const blobs = readBlobs(
      git.gitDir,
      fresh.flatMap((blob) => blob ?? []),
    );
    return fresh.flatMap((blob) => proposalOf(context, path, blob, blobs));
  });
}

/**
 * A person may have edited and committed a file since the last observation: then the file is older than its blob. If a
 * commit was created past the working files and checked out, the blob is older, or an agent's git command wrote the file.
 */
function wasInWorkingFilesFirst(
  { checkout, git, dataFolder }: WatchContext,
  path: string,
  content: Buffer,
  blob: string,
): boolean {
  try {
    const file = join(checkout, path);
    const written = lstatSync(file, { bigint: true });
    const object = lstatSync(join(git.commonDir, 'objects', blob.slice(0, 2), blob.slice(2)), {
      bigint: true,
    });
    return (
      written.isFile() &&
      written.ctimeNs <= object.ctimeNs &&
      !gitCommandWindows(dataFolder, git).some((span) => isWithin(Number(written.ctimeMs), span)) &&
      definitionDigest(readFileSync(file)) === definitionDigest(content)
    );
  } catch {
    // Safe: without both files it stays a proposal.
    return false;
  }
}

function once(ask: () => boolean): () => boolean {
  let known: boolean | undefined;
  return () => {
    known ??= ask();
    return known;
  };
}

interface AttributedCommits extends TipsReading {
  headNow: string | undefined;
  /** New tips since the last observation, while an agent was at work. */
  agents: readonly string[];
}

const MAX_TIPS = 20_000;

/**
 * Attributes the tips of refs. New ones are a person's if no agent is at work; otherwise they may be the agent's, until a
 * person accepts their definitions.
 */
function attributeCommits(
  context: WatchContext,
  isQuiet: () => boolean,
  thorough: boolean,
): AttributedCommits {
  const unchanged = knownCommits(context, thorough);
  if (unchanged) return unchanged;
  const { ledger, git, checkout } = context;
  const repository = repositoryFolder(context);
  const before = findTips(ledger, repository)?.reading;
  const elsewhere = before ? [] : tipsOfCheckout(ledger, checkout);
  const { tips, folders, files } = readTips(git, { thorough });
  const stamp = refsStamp(git, { folders, files });
  const seenBefore = new Set(before?.seen ?? []);
  const fresh = tips.filter((tip) => !seenBefore.has(tip));
  // If git's folder was replaced, its commits may be anyone's: only known ones count.
  const isFirst = before === undefined && elsewhere.length === 0;
  const persons = isFirst || (fresh.length > 0 && elsewhere.length === 0 && isQuiet());
  const earlier = before?.known ?? elsewhere.flatMap((one) => one.known);
  const known = [...new Set([...earlier, ...(persons ? fresh : [])])].slice(-MAX_TIPS);
  const headNow = readHead(git);
  const heads = { ...before?.heads, ...(headNow === undefined ? {} : { [checkout]: headNow }) };
  const personsHead = personsHeadOf(context, before, headNow);
  const personsHeads = {
    ...before?.personsHeads,
    ...(personsHead === undefined ? {} : { [checkout]: personsHead }),
  };
  const places = { folders: [...folders], files: [...files] };
  const reading = { known, seen: tips.slice(0, MAX_TIPS), ...places, heads, personsHeads };
  keepTips(ledger, repository, stamp, reading);
  const trusted = new Set(known);
  return { ...reading, headNow, agents: persons ? [] : fresh.filter((tip) => !trusted.has(tip)) };
}

/** The commit that a person last checked out. During an action, the agent may have moved HEAD. */
function personsHeadOf(
  context: WatchContext,
  before: TipsReading | undefined,
  headNow: string | undefined,
): string | undefined {
  const last = before?.heads[context.checkout];
  const isMoved = last !== undefined && last !== headNow;
  if (isMoved && !agentsActing(context)) return headNow;
  return before?.personsHeads?.[context.checkout] ?? last ?? headNow;
}

/** Those of the last observation, if no ref changed since. */
function knownCommits(context: WatchContext, thorough: boolean): AttributedCommits | undefined {
  const { ledger, git, checkout } = context;
  const last = findTips(ledger, repositoryFolder(context));
  const headNow = last?.reading.heads[checkout];
  if (!last || headNow === undefined) return undefined;
  const { folders, files, seen } = last.reading;
  if (files === undefined || last.stamp !== refsStamp(git, { folders, files })) return undefined;
  if (thorough && !areSeen(readTips(git, { thorough }).tips, seen)) return undefined;
  return { ...last.reading, headNow, agents: [] };
}

function areSeen(tips: readonly string[], seen: readonly string[]): boolean {
  const before = new Set(seen);
  return tips.slice(0, MAX_TIPS).every((tip) => before.has(tip));
}
