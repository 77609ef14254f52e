import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isShape, isText } from '../../domain/json/plain-shape.ts';
import { fileStamp } from '../../platform/files/file-stamp.ts';
import { readGitConfig } from '../../platform/git/git-config.ts';
import type { GitFolder } from '../../platform/git/git-folder.ts';
import { branchesOnRemote, gitSync } from '../../platform/git/git-sync.ts';
import { commitsInOwnClone, fetchOwnClone } from '../../platform/git/own-clone.ts';
import { hasEntry } from '../../store/ledger/chain/recent-entries.ts';
import { definitionsTrustedSchema } from '../../store/ledger/kinds/protection/definitions.ts';
import {
  type RemoteRecorded,
  remoteRecordedSchema,
} from '../../store/ledger/kinds/protection/remote-recorded.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { cacheRead, findLastCached } from '../../store/ledger/tables/read-cache.ts';
import type { WatchContext } from '../watch/watch-context.ts';

const USUAL_BRANCHES: readonly string[] = ['main', 'master', 'trunk', 'develop'];

/** The remote that GuardKit asks for trusted branches: the one at the time of `init`, not the current one. */
export function recordedRemote(ledger: Ledger, project: string): RemoteRecorded | undefined {
  const last = ledger.entries(project, { kind: 'remote_recorded' }).at(-1);
  return last && remoteRecordedSchema.parse(last.body);
}

/** Records the clone's remote when a person runs `init`. */
export function recordRemote(ledger: Ledger, project: string, git: GitFolder, by: string): void {
  const found = originOf(git);
  const known = recordedRemote(ledger, project);
  if (!found || (known?.url === found.url && known.branch === found.branch)) return;
  ledger.append(project, 'remote_recorded', { ...found, by });
}

const isSeenRemote = isShape({ url: isText });

/** A remote added while no agent is at work is a person's too. Reads git's configuration only if it changed. */
export function noteRemote({ ledger, project, git }: WatchContext, isQuiet: () => boolean): void {
  const stamp = configStamp(git);
  const last = findLastCached(ledger, remoteKey(git));
  if (last?.stamp === stamp) return;
  const url = originOf(git)?.url ?? '';
  const seen = isSeenRemote(last?.body) ? last.body.url : '';
  cacheRead(ledger, remoteKey(git), stamp, { url });
  if (url !== '' && url !== seen && isQuiet() && !recordedRemote(ledger, project))
    recordRemote(ledger, project, git, 'a person');
}

export function isRemoteNoted({ ledger, git }: WatchContext): boolean {
  return findLastCached(ledger, remoteKey(git))?.stamp === configStamp(git);
}

function remoteKey({ commonDir }: GitFolder): string {
  return `remote of ${commonDir}`;
}

function configStamp({ commonDir }: GitFolder): string {
  return fileStamp(join(commonDir, 'config'));
}

function originOf({ commonDir, gitDir }: GitFolder): { url: string; branch: string | null } | undefined {
  const settings = readGitConfig(readConfig(commonDir)) ?? [];
  const url = settings.find(({ key }) => key === 'remote.origin.url')?.value;
  if (!url) return undefined;
  const head = gitSync(gitDir, ['symbolic-ref', '--quiet', 'refs/remotes/origin/HEAD'])?.trim();
  const branch = head?.replace('refs/remotes/origin/', '') || defaultBranch(gitDir);
  return { url: withoutCredentials(url), branch: branch ?? null };
}

function defaultBranch(gitDir: string): string | undefined {
  return USUAL_BRANCHES.find(
    (name) =>
      gitSync(gitDir, ['rev-parse', '--verify', '--quiet', `refs/remotes/origin/${name}`]) !== undefined,
  );
}

function readConfig(commonDir: string): string {
  try {
    return readFileSync(join(commonDir, 'config'), 'utf8');
  } catch {
    // Safe: without a configuration there is no remote.
    return '';
  }
}

function withoutCredentials(url: string): string {
  return url.replace(/^([a-z+]+:\/\/)[^/@]*@/i, (whole, scheme: string) =>
    /^https?:/i.test(scheme) ? scheme : whole,
  );
}

/**
 * Asks the remote for its trusted branches, and trusts the newest commits here that are on one of them. Uses the network, so
 * it is called only after a pull and when something is pending. Returns all commits trusted this way.
 */
export function trustBranches(
  { ledger, project, git, dataFolder }: Pick<WatchContext, 'ledger' | 'project' | 'git' | 'dataFolder'>,
  branches: readonly string[] | undefined,
): string[] {
  const remote = recordedRemote(ledger, project);
  const known = trustedByBranch(ledger, project);
  const wanted = branches ?? (remote?.branch ? [remote.branch] : USUAL_BRANCHES);
  if (!remote || wanted.length === 0) return known;
  const isHere = (commit: string) =>
    gitSync(git.gitDir, ['cat-file', '-e', `${commit}^{commit}`]) !== undefined;
  const tips = branchesOnRemote(remote.url, wanted);
  const here = [...tips.values()].filter(isHere);
  // Others may have pushed since the pull: the branch's newest commit is not here, but earlier ones are.
  const ahead = [...tips].filter(([, commit]) => !here.includes(commit)).map(([name]) => name);
  const pulled =
    ahead.length === 0 ? [] : commitsOnBranches(git, ownClone(dataFolder, project), remote.url, ahead);
  const fresh = [...new Set([...here, ...pulled])].filter((one) => !known.includes(one));
  ledger.appendMany(
    project,
    fresh.map((commit) => ({
      kind: 'definitions_trusted',
      body: { commit, reason: 'trusted-branch', by: null },
    })),
  );
  return [...known, ...fresh];
}

/** Where GuardKit fetches trusted branches itself: no agent's git command writes there. */
function ownClone(dataFolder: string, project: string): string {
  return join(dataFolder, 'trusted', `${project}.git`);
}

const MAX_COMMITS = 500;

/** The newest commits of HEAD's history that the remote's branches contain. Refs of the repository do not matter. */
function commitsOnBranches(
  { gitDir }: GitFolder,
  clone: string,
  url: string,
  branches: readonly string[],
): string[] {
  if (!fetchOwnClone(clone, url, branches)) return [];
  const listed = gitSync(gitDir, [
    'rev-list',
    '--parents',
    '--topo-order',
    `--max-count=${MAX_COMMITS}`,
    'HEAD',
  ]);
  const history = (listed ?? '').split('\n').map((line) => line.split(' ').filter((id) => id !== ''));
  const fetched = commitsInOwnClone(clone);
  const earlier = new Set<string>();
  const newest: string[] = [];
  // Children come before their parents.
  for (const [id = '', ...parents] of history) {
    if (fetched.has(id) && !earlier.has(id)) newest.push(id);
    if (fetched.has(id)) for (const parent of parents) earlier.add(parent);
  }
  return newest;
}

export function trustedByBranch(ledger: Ledger, project: string): string[] {
  return ledger
    .entries(project, { kind: 'definitions_trusted' })
    .map(({ body }) => definitionsTrustedSchema.parse(body))
    .flatMap(({ commit, reason }) => (reason === 'trusted-branch' ? [commit] : []));
}

/** At the first use in a project, everything in HEAD counts as a person's. */
export function trustFirstHead(context: WatchContext): void {
  const { ledger, project, git } = context;
  if (isFirstHeadTrusted(context)) return;
  const head = gitSync(git.gitDir, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'])?.trim();
  if (head === undefined || head === '') return;
  // Earlier versions recorded entries but no provenance, as creating a task does before the first session.
  const isUpgrade = ledger.head(project) !== undefined && !hasEntry(ledger, project, 'definition_recorded');
  const reason = isUpgrade ? 'upgrade' : 'init';
  ledger.append(project, 'definitions_trusted', { commit: head, reason, by: null });
}

export function isFirstHeadTrusted({ ledger, project }: WatchContext): boolean {
  return hasEntry(ledger, project, 'definitions_trusted');
}
