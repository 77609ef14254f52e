import { createHash } from 'node:crypto';
import { basesAmong } from '../../platform/git-bases.ts';
import { gitSync } from '../../platform/git-sync.ts';
import type { Difference } from './compare-area.ts';
import type { KnownTips } from './known-tips.ts';
import type { WatchPlace } from './watch-place.ts';

/**
 * Which differences are what git brought from a person's commits: a branch that was checked out, a merge. The content must
 * be that of the commit which is checked out, and of a person's commit on which that one stands; a file that is gone must
 * have been in a person's commit before, or git would not have taken it. What an agent committed itself vouches for nothing.
 */
export function vouchedByGit(
  { git: { gitDir } }: WatchPlace,
  differences: readonly Difference[],
  { known, headBefore, headNow }: KnownTips,
): Set<string> {
  const moved = headBefore !== undefined && headBefore !== headNow;
  const asked = differences.filter(
    ({ path, found }) => isAskable(path) && (found ? found.bytes !== undefined : moved),
  );
  const after = asked.length === 0 ? [] : basesAmong(gitDir, known, 'HEAD');
  if (after.length === 0) return new Set();
  const gone = asked.some(({ found }) => !found);
  const before = gone && moved ? basesAmong(gitDir, known, headBefore) : [];
  const objects = readObjects(gitDir, ['HEAD', ...after, ...before], asked);
  const vouched = asked.filter(({ found }, index) => {
    const [head = '', ...ofBases] = objects[index] ?? [];
    const [ofAfter, ofBefore] = [ofBases.slice(0, after.length), ofBases.slice(after.length)];
    if (!ofAfter.includes(head)) return false;
    if (found?.bytes !== undefined) return objectIds(found.bytes).includes(head);
    return head === '' && ofBefore.some((object) => object !== '');
  });
  return new Set(vouched.map(({ path }) => path));
}

/** What each path is in each of the commits; empty where it is nothing. */
function readObjects(
  gitDir: string,
  commits: readonly string[],
  differences: readonly Difference[],
): string[][] {
  const names = differences.flatMap(({ path }) => commits.map((commit) => `${commit}:${path}`));
  const answer = gitSync(gitDir, ['cat-file', '--batch-check=%(objectname)'], `${names.join('\n')}\n`);
  const objects = answer?.trimEnd().split('\n').map(objectId) ?? [];
  if (objects.length !== names.length) return [];
  return differences.map((_one, index) =>
    objects.slice(index * commits.length, (index + 1) * commits.length),
  );
}

/** Git reads one name a line, and takes more than a name from some. */
function isAskable(path: string): boolean {
  return !/[\n\r\0]/.test(path) && !path.startsWith('/');
}

/** Empty where there is no such object: git then repeats the name and says that it is missing. */
function objectId(line: string): string {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(line) ? line : '';
}

/** The names that git may have for a content: of either kind of hash, with either kind of line end in the working files. */
function objectIds(content: Buffer): string[] {
  const unix = Buffer.from(content.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
  return [content, unix].flatMap((bytes) =>
    ['sha1', 'sha256'].map((algorithm) =>
      createHash(algorithm).update(`blob ${bytes.length}\0`).update(bytes).digest('hex'),
    ),
  );
}
