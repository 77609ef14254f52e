import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GitFolder } from './git-folder.ts';
import { gitSync } from './git-sync.ts';

const OID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const MAX_LINKS = 5;
const MAX_FOLDERS = 5000;

/** The commits and tags that a repository's names stand for, as its own files have them. */
export interface RefTips {
  tips: readonly string[];
  /** Folders in which a name can come up without showing in another's stamp. */
  folders: readonly string[];
}

/** Changes whenever a name comes to stand for something else. Costs no program and no reading. */
export function refsStamp({ commonDir, gitDir }: GitFolder, folders: readonly string[]): string {
  const files = ['packed-refs', join('reftable', 'tables.list'), ...folders];
  return [join(gitDir, 'HEAD'), ...files.map((file) => join(commonDir, file))].map(stampOf).join(' ');
}

/** Two changes that are nearer to each other than the system's clock ticks leave the same stamp. */
const SETTLED_AFTER_MS = 100;

function stampOf(path: string): string {
  try {
    const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (!stat) return '-';
    const { dev, ino, mode, size, mtimeNs, ctimeNs } = stat;
    const now = Date.now();
    const settled = now - Number(stat.ctimeMs) > SETTLED_AFTER_MS;
    return [dev, ino, mode, size, mtimeNs, ctimeNs, ...(settled ? [] : [`at ${now}`])].join(':');
  } catch {
    // Safe: it differs from every stamp of something that can be looked at.
    return 'unreachable';
  }
}

export function readTips(git: GitFolder): RefTips {
  const tips = new Set<string>();
  const folders: string[] = [];
  const add = (text: string) => {
    const oid = text.trim();
    if (OID.test(oid)) tips.add(oid);
  };
  for (const line of text(join(git.commonDir, 'packed-refs')).split('\n'))
    add(line.replace(/^\^/, '').split(' ')[0] ?? '');
  const open = ['refs'];
  for (let folder = open.pop(); folder !== undefined && folders.length < MAX_FOLDERS; folder = open.pop()) {
    folders.push(folder);
    for (const entry of entries(join(git.commonDir, folder))) {
      const path = `${folder}/${entry.name}`;
      if (entry.isFile()) add(text(join(git.commonDir, path)));
      // What GuardKit names there are the states of agents' work.
      else if (entry.isDirectory() && path !== 'refs/guardkit') open.push(path);
    }
  }
  for (const entry of entries(join(git.commonDir, 'worktrees')))
    add(text(join(git.commonDir, 'worktrees', entry.name, 'HEAD')));
  for (const dir of [git.commonDir, git.gitDir]) add(text(join(dir, 'HEAD')));
  if (existsSync(join(git.commonDir, 'reftable')))
    for (const oid of (gitSync(git.gitDir, ['for-each-ref', '--format=%(objectname)']) ?? '').split('\n'))
      add(oid);
  return { tips: [...tips], folders };
}

/** The commit that is checked out; undefined where there is none yet, or it takes git to tell. */
export function readHead({ commonDir, gitDir }: GitFolder): string | undefined {
  let value = text(join(gitDir, 'HEAD')).trim();
  for (let count = 0; count < MAX_LINKS && value.startsWith('ref: '); count += 1) {
    const name = value.slice('ref: '.length);
    if (!name.startsWith('refs/') || name.split('/').includes('..')) return undefined;
    value = text(join(commonDir, name)).trim() || packed(commonDir, name);
  }
  return OID.test(value) ? value : undefined;
}

function packed(commonDir: string, name: string): string {
  const line = text(join(commonDir, 'packed-refs'))
    .split('\n')
    .find((one) => one.endsWith(` ${name}`));
  return line?.split(' ')[0] ?? '';
}

const MAX_BYTES = 64 * 1024 * 1024;

function text(file: string): string {
  try {
    const stat = lstatSync(file, { throwIfNoEntry: false });
    return stat?.isFile() && stat.size <= MAX_BYTES ? readFileSync(file, 'latin1') : '';
  } catch {
    // Safe: a name that cannot be read stands for nothing, and vouches for nothing.
    return '';
  }
}

function entries(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // Safe: the same.
    return [];
  }
}
