import { mayHoldFakeSecrets, secretIn } from '../../guards/built-in/secrets.ts';
import { listTree, type PathChange, readBlobs, type TreeEntry } from '../../platform/git/git-tree.ts';
import type { Repository } from '../../platform/git/repository.ts';

/** A credential in a line that the branch adds. The credential itself is never kept. */
export interface FoundSecret {
  path: string;
  line: number;
  kind: string;
  /** In a test, an example or documentation, where credentials are usually fake. */
  likelyFake: boolean;
}

export interface SecretScan {
  found: readonly FoundSecret[];
  /** Changed files that are too large to scan. */
  skipped: readonly string[];
}

const MAX_FOUND = 50;
/** Larger files are data. */
const MAX_BYTES = 2 * 1024 * 1024;
const MAX_LINE = 20_000;

/**
 * Looks for credentials in the lines that a branch adds. Reads files, not a diff: the branch's attributes could declare a
 * text binary and hide it from the diff.
 */
export async function findSecrets(
  repository: Repository,
  commits: { base: string; head: string },
  changes: readonly PathChange[],
): Promise<SecretScan> {
  const paths = new Set(changes.map(({ path }) => path));
  const files = async (commit: string) =>
    (await listTree(repository, commit)).filter(
      ({ path, mode }) => paths.has(path) && mode.startsWith('100'),
    );
  const [before, after] = await Promise.all([files(commits.base), files(commits.head)]);
  const small = await smallObjects(repository, [...before, ...after]);
  const texts = await readBlobs(repository, [...small]);
  // From all changed files, so that a moved line is not new.
  const known = new Set(before.flatMap(({ object }) => texts.get(object)?.split('\n') ?? []));
  const found = after.flatMap(({ path, object }) => secretsIn(path, texts.get(object) ?? '', known));
  return {
    found: found.slice(0, MAX_FOUND),
    skipped: after.filter(({ object }) => !small.has(object)).map(({ path }) => path),
  };
}

function secretsIn(path: string, text: string, known: ReadonlySet<string>): FoundSecret[] {
  if (text.includes('\0')) return [];
  const lines = text
    .split('\n')
    .map((line, index) => ({ number: index + 1, text: line }))
    .filter((line) => !known.has(line.text));
  const kind = secretIn(lines.map((line) => line.text.slice(0, MAX_LINE)).join('\n'));
  if (kind === undefined) return [];
  const likelyFake = mayHoldFakeSecrets(path);
  const single = lines.flatMap((line) => {
    const own = secretIn(line.text.slice(0, MAX_LINE));
    return own === undefined ? [] : [{ path, line: line.number, kind: own, likelyFake }];
  });
  if (single.length > 0) return single;
  // A private key extends over several lines.
  const start = lines.find((line) => line.text.includes('-----BEGIN')) ?? lines[0];
  return [{ path, line: start?.number ?? 1, kind, likelyFake }];
}

async function smallObjects(
  repository: Repository,
  entries: readonly TreeEntry[],
): Promise<ReadonlySet<string>> {
  if (entries.length === 0) return new Set();
  const input = entries.map(({ object }) => `${object}\n`).join('');
  const sizes = await repository.run(['cat-file', '--batch-check=%(objectname) %(objectsize)'], { input });
  return new Set(
    sizes.split('\n').flatMap((line) => {
      const [object = '', size = ''] = line.split(' ');
      return /^\d+$/.test(size) && Number(size) <= MAX_BYTES ? [object] : [];
    }),
  );
}
