import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isShape, isText } from '../../domain/json/plain-shape.ts';
import { fileStamp } from '../../platform/files/file-stamp.ts';
import { readGitConfig } from '../../platform/git/git-config.ts';
import type { GitFolder } from '../../platform/git/git-folder.ts';
import { branchesOnRemote, gitSync } from '../../platform/git/git-sync.ts';
import { definitionsTrustedSchema } from '../../store/ledger/kinds/protection/definitions.ts';
import {
  type RemoteRecorded,
  remoteRecordedSchema,
} from '../../store/ledger/kinds/protection/remote-recorded.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { cacheRead, findLastCached } from '../../store/ledger/tables/read-cache.ts';
import type { WatchContext } from '../watch/watch-context.ts';

const USUAL_BRANCHES: readonly string[] = ['main', 'master', 'trunk', 'develop'];

/** Where GuardKit asks for trusted branches: the remote at the time of `init`, never what the repository names now. */
export function recordedRemote(ledger: Ledger, project: string): RemoteRecorded | undefined {
  const last = ledger.entries(project, { kind: 'remote_recorded' }).at(-1);
  return last && remoteRecordedSchema.parse(last.body);
}

/** A person runs `init`: the remote of the clone is recorded, unless it is already. */
export function recordRemote(ledger: Ledger, project: string, git: GitFolder, by: string): void {
  const found = originOf(git);
  const known = recordedRemote(ledger, project);
  if (!found || (known?.url === found.url && known.branch === found.branch)) return;
  ledger.append(project, 'remote_recorded', { ...found, by });
}

const isSeenRemote = isShape({ url: isText });

/** A remote that appears while no agent is at work is a person's too. Reads git's configuration only if it has changed. */
export function noteRemote({ ledger, project, git }: WatchContext, isQuiet: () => boolean): void {
  const key = `remote of ${git.commonDir}`;
  const stamp = fileStamp(join(git.commonDir, 'config'));
  const last = findLastCached(ledger, key);
  if (last?.stamp === stamp) return;
  const url = originOf(git)?.url ?? '';
  const seen = isSeenRemote(last?.body) ? last.body.url : '';
  cacheRead(ledger, key, stamp, { url });
  if (url !== '' && url !== seen && isQuiet() && !recordedRemote(ledger, project))
    recordRemote(ledger, project, git, 'a person');
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
 * Asks the remote what its trusted branches are now, and trusts those of these commits that are here. Asked after a pull, and
 * when something is pending: it uses the network. Gives the commits that are trusted this way.
 */
export function trustBranches(
  { ledger, project, git }: Pick<WatchContext, 'ledger' | 'project' | 'git'>,
  branches: readonly string[] | undefined,
): string[] {
  const remote = recordedRemote(ledger, project);
  const known = trustedByBranch(ledger, project);
  const wanted = branches ?? (remote?.branch ? [remote.branch] : USUAL_BRANCHES);
  if (!remote || wanted.length === 0) return known;
  const isHere = (commit: string) =>
    gitSync(git.gitDir, ['cat-file', '-e', `${commit}^{commit}`]) !== undefined;
  const fresh = branchesOnRemote(remote.url, wanted).filter((one) => !known.includes(one) && isHere(one));
  ledger.appendMany(
    project,
    fresh.map((commit) => ({
      kind: 'definitions_trusted',
      body: { commit, reason: 'trusted-branch', by: null },
    })),
  );
  return [...known, ...fresh];
}

export function trustedByBranch(ledger: Ledger, project: string): string[] {
  return ledger
    .entries(project, { kind: 'definitions_trusted' })
    .map(({ body }) => definitionsTrustedSchema.parse(body))
    .flatMap(({ commit, reason }) => (reason === 'trusted-branch' ? [commit] : []));
}
