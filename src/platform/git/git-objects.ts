import { createHash } from 'node:crypto';
import { gitBytesSync, gitSync } from './git-sync.ts';

export interface GitObject {
  id: string;
  type: string;
  content: Buffer;
}

/**
 * Objects in the order of their names, undefined for a missing one. Also undefined for one whose content was replaced in git's
 * folder: git does not check this when it reads, and an agent's commands can write git's objects.
 */
export function readObjects(gitDir: string, names: readonly string[]): (GitObject | undefined)[] {
  if (names.length === 0) return [];
  const answer = gitBytesSync(gitDir, ['cat-file', '--batch'], `${names.join('\n')}\n`) ?? Buffer.alloc(0);
  const objects: (GitObject | undefined)[] = [];
  for (let at = 0; at < answer.length; ) {
    const end = answer.indexOf(10, at);
    if (end < 0) break;
    const [id = '', type = '', size = ''] = answer.toString('latin1', at, end).split(' ');
    at = end + 1;
    // "missing" or "ambiguous" follows a name that may have spaces.
    if (!/^[0-9a-f]{40,64}$/.test(id) || !/^\d+$/.test(size)) {
      objects.push(undefined);
      continue;
    }
    const content = answer.subarray(at, at + Number(size));
    objects.push(hasId(type, content, id) ? { id, type, content } : undefined);
    at += Number(size) + 1;
  }
  return objects;
}

function hasId(type: string, content: Buffer, id: string): boolean {
  return objectId(type, content, id.length === 40 ? 'sha1' : 'sha256') === id;
}

export function objectId(type: string, content: Buffer, algorithm: 'sha1' | 'sha256'): string {
  return createHash(algorithm).update(`${type} ${content.length}\0`).update(content).digest('hex');
}

export interface TreeEntry {
  mode: string;
  name: string;
  id: string;
}

export function treeEntries({ id, content }: GitObject): TreeEntry[] {
  const entries: TreeEntry[] = [];
  const idBytes = id.length / 2;
  for (let at = 0; at < content.length; ) {
    const end = content.indexOf(0, at);
    if (end < 0) break;
    const [mode = '', ...name] = content.toString('utf8', at, end).split(' ');
    at = end + 1 + idBytes;
    entries.push({ mode, name: name.join(' '), id: content.toString('hex', end + 1, at) });
  }
  return entries;
}

/** The id in a header line of a commit or tag. */
export function headerOf({ content }: GitObject, name: 'tree' | 'object'): string | undefined {
  const line = content.toString('latin1', 0, content.indexOf(10));
  return line.startsWith(`${name} `) ? line.slice(name.length + 1) : undefined;
}

function parentsOf({ content }: GitObject): string[] {
  const lines = content.toString('latin1').split('\n').slice(1);
  const end = lines.findIndex((line) => !line.startsWith('parent '));
  return lines.slice(0, end).map((line) => line.slice('parent '.length));
}

const COMMITS_AT_ONCE = 2000;

/**
 * Those of some commits that known commits or tags really have in their history: a replaced object can name any parents.
 * Git finds the commits between, and their contents have to match their ids.
 */
export function inHistoryOf(gitDir: string, known: readonly string[], commits: readonly string[]): string[] {
  const direct = new Set(known);
  return commits.filter((commit) => direct.has(commit) || isBehind(gitDir, direct, commit));
}

function isBehind(gitDir: string, known: ReadonlySet<string>, commit: string): boolean {
  const options = ['rev-list', '--ancestry-path', '--ignore-missing', '--stdin'];
  const question = [`^${commit}`, ...known].join('\n');
  const between = gitSync(gitDir, options, `${question}\n`)?.split('\n').filter(Boolean);
  if (!between) return false;
  const children = new Map<string, string[]>();
  for (let at = 0; at < between.length; at += COMMITS_AT_ONCE)
    for (const object of readObjects(gitDir, between.slice(at, at + COMMITS_AT_ONCE)))
      for (const parent of object ? parentsOf(object) : [])
        children.set(parent, [...(children.get(parent) ?? []), object?.id ?? '']);
  const tagged = new Set([...known, ...taggedBy(gitDir, known)]);
  const seen = new Set([commit]);
  for (const one of seen) {
    if (tagged.has(one)) return true;
    for (const child of children.get(one) ?? []) seen.add(child);
  }
  return false;
}

/** The commits of annotated tags. */
function taggedBy(gitDir: string, known: ReadonlySet<string>): string[] {
  const types = gitSync(gitDir, ['cat-file', '--batch-check'], `${[...known].join('\n')}\n`) ?? '';
  const tags = types
    .split('\n')
    .flatMap((line) => (line.includes(' tag ') ? [line.split(' ')[0] ?? ''] : []));
  return readObjects(gitDir, tags).flatMap((tag) => (tag && headerOf(tag, 'object')) ?? []);
}
