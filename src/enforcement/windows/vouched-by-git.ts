import { createHash } from 'node:crypto';
import { gitSync } from '../../platform/git-sync.ts';
import type { Difference } from './compare-area.ts';
import type { KnownTips } from './known-tips.ts';
import type { WatchPlace } from './watch-place.ts';

/** A history that takes more is not looked through. */
const MAX_BASES = 64;

/**
 * Which differences are what git brought from a person's commits: a branch that was checked out, a merge. The content must
 * be that of the commit which is checked out, and of a person's commit on which that one stands. What an agent committed
 * itself vouches for nothing.
 */
export function vouchedByGit(
  { git }: WatchPlace,
  differences: readonly Difference[],
  { known }: KnownTips,
): Set<string> {
  const asked = differences.filter(
    ({ path, found }) => isAskable(path) && (!found || found.bytes !== undefined),
  );
  const bases = asked.length === 0 ? [] : personsBases(git.gitDir, known);
  if (bases.length === 0) return new Set();
  const names = asked.flatMap(({ path }) => ['HEAD', ...bases].map((commit) => `${commit}:${path}`));
  const answer = gitSync(git.gitDir, ['cat-file', '--batch-check=%(objectname)'], `${names.join('\n')}\n`);
  const objects = answer?.trimEnd().split('\n') ?? [];
  if (objects.length !== names.length) return new Set();
  const vouched = asked.filter(({ found }, index) => {
    const [head = '', ...ofBases] = objects
      .slice(index * (bases.length + 1), (index + 1) * (bases.length + 1))
      .map(objectId);
    const content = found?.bytes;
    const right = content === undefined ? head === '' : objectIds(content).includes(head);
    return right && ofBases.includes(head);
  });
  return new Set(vouched.map(({ path }) => path));
}

/** Git reads one name a line, and takes more than a name from some. */
function isAskable(path: string): boolean {
  return !/[\n\r\0]/.test(path) && !path.startsWith('/');
}

/** Empty where there is no such object: git then repeats the name and says that it is missing. */
function objectId(line: string): string {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(line) ? line : '';
}

/** The person's commits that what is checked out stands on; the commit itself, if it is one of theirs. */
function personsBases(gitDir: string, known: readonly string[]): string[] {
  const question = ['HEAD', ...known.map((tip) => `^${tip}`)].join('\n');
  const answer = gitSync(gitDir, ['rev-list', '--boundary', '--ignore-missing', '--stdin'], `${question}\n`);
  if (answer === undefined || known.length === 0) return [];
  const lines = answer.split('\n').filter(Boolean);
  if (!lines.some((line) => !line.startsWith('-'))) return ['HEAD'];
  const bases = lines.flatMap((line) => (line.startsWith('-') ? [line.slice(1)] : []));
  if (bases.length <= 1 || bases.length > MAX_BASES) return bases.length === 1 ? bases : [];
  // An old commit that was merged once more must not bring old definitions back.
  const independent = gitSync(gitDir, ['merge-base', '--independent', ...bases]);
  return independent?.split('\n').filter(Boolean) ?? [];
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
