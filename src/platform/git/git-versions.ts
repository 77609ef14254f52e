import { createHash } from 'node:crypto';
import { gitBytesSync, gitSync } from './git-sync.ts';

/** Blob ids by path. */
export type TreeFiles = ReadonlyMap<string, string>;

const ABSENT = /^0+$/;

/** The regular files of a commit below these folders; undefined if git fails. */
export function filesOf(gitDir: string, commit: string, folders: readonly string[]): TreeFiles | undefined {
  const listed = gitSync(gitDir, ['ls-tree', '-r', '-z', '--full-tree', commit, '--', ...folders]);
  if (listed === undefined) return undefined;
  const files = new Map<string, string>();
  for (const line of listed.split('\0')) {
    const found = /^100\d{3} blob ([0-9a-f]+)\t(.+)$/s.exec(line);
    if (found?.[1] && found[2]) files.set(found[2], found[1]);
  }
  return files;
}

/**
 * The earlier versions of these paths in the history of a commit, nearest first. Null is a version without the file. Of the
 * commits reachable from `without`, only the last version counts.
 */
export function earlierVersions(
  gitDir: string,
  commit: string,
  without: readonly string[],
  paths: readonly string[],
): ReadonlyMap<string, (string | null)[]> {
  const versions = new Map<string, (string | null)[]>(paths.map((path) => [path, []]));
  if (paths.length === 0) return versions;
  const revisions = [commit, ...without.map((one) => `^${one}`)];
  const options = ['--raw', '--no-abbrev', '--no-renames', '--format=', '-z', '-m', '--full-history'];
  const logged = gitSync(
    gitDir,
    ['--literal-pathspecs', 'log', ...options, ...revisions, '--', ...paths],
    '',
  );
  const fields = logged?.split('\0') ?? [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const before = /^\n*:\d+ \d+ ([0-9a-f]+) [0-9a-f]+ /.exec(fields[at] ?? '')?.[1];
    const found = versions.get(fields[at + 1] ?? '');
    if (before !== undefined) found?.push(ABSENT.test(before) ? null : before);
  }
  return versions;
}

/** Contents by blob id, without unreadable blobs, and those whose content was replaced in git's folder. */
export function readBlobs(gitDir: string, ids: readonly string[]): ReadonlyMap<string, Buffer> {
  const wanted = [...new Set(ids)];
  const blobs = new Map<string, Buffer>();
  if (wanted.length === 0) return blobs;
  const answer = gitBytesSync(gitDir, ['cat-file', '--batch'], `${wanted.join('\n')}\n`);
  for (let at = 0; answer !== undefined && at < answer.length; ) {
    const end = answer.indexOf(10, at);
    if (end < 0) break;
    const [id = '', type = '', size = ''] = answer.toString('latin1', at, end).split(' ');
    at = end + 1;
    if (type === 'missing') continue;
    const length = Number(size);
    const content = answer.subarray(at, at + length);
    if (type === 'blob' && hasId(content, id)) blobs.set(id, content);
    at += length + 1;
  }
  return blobs;
}

/** Git does not check this when it reads, and an agent's commands can write git's objects. */
function hasId(content: Buffer, id: string): boolean {
  const hash = createHash(id.length === 40 ? 'sha1' : 'sha256');
  return hash.update(`blob ${content.length}\0`).update(content).digest('hex') === id;
}
