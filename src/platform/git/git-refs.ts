import { hash } from 'node:crypto';
import { type BigIntStats, existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GuardKitError } from '../../guardkit-error.ts';
import { writeFileAtomic } from '../files/atomic-file.ts';
import { isSettled, keptText, stampOf } from '../files/file-stamp.ts';
import { firstLine } from '../first-line.ts';
import type { GitFolder } from './git-folder.ts';
import { inHistoryOf } from './git-objects.ts';
import { gitSync } from './git-sync.ts';

const OID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const MAX_LINKS = 5;
const MAX_FOLDERS = 5000;
const MAX_FILES = 5000;

/** The commits and tags of a repository's refs, read from its files. */
export interface RefTips extends RefPlaces {
  tips: readonly string[];
}

/** Where the refs of a repository are, relative to its common folder. */
export interface RefPlaces {
  /** Folders that get another stamp if a ref is created, removed or replaced. */
  folders: readonly string[];
  /** Files of single refs: a program can also write them in place. */
  files: readonly string[];
}

/** Changes whenever a ref changes, unless a program has mapped its file into memory. Needs neither a process nor contents. */
export function refsStamp({ commonDir, gitDir }: GitFolder, { folders, files }: RefPlaces): string {
  if (files.length > MAX_FILES) return `too many at ${Date.now()}`;
  const shared = ['packed-refs', REF_TABLES, ...folders, ...files].map((file) => join(commonDir, file));
  // A linked working tree has its own HEAD in a table of its own.
  const own = gitDir === commonDir ? [] : [join(gitDir, REF_TABLES)];
  // A repository may have thousands of refs.
  return hash('sha256', [join(gitDir, 'HEAD'), ...own, ...shared].map(refStamp).join(' '));
}

/** The list of the files with all refs, in a repository that has tables instead of a file per ref. */
const REF_TABLES = join('reftable', 'tables.list');

function refStamp(path: string): string {
  try {
    const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (!stat) return '-';
    const now = Date.now();
    return isSettled(stat, now) ? stampOf(stat) : `${stampOf(stat)}:at ${now}`;
  } catch {
    // Safe: it differs from every stamp of an existing file.
    return 'unreachable';
  }
}

/** Thorough: reads every file again, even if its stamp is unchanged. */
export function readTips(git: GitFolder, { thorough = false } = {}): RefTips {
  const tips = new Set<string>();
  const folders: string[] = [];
  const files: string[] = [];
  const read = thorough ? wholeText : text;
  const add = (content: string) => {
    const oid = content.trim();
    if (OID.test(oid)) tips.add(oid);
  };
  const addFile = (path: string) => {
    if (files.length <= MAX_FILES) files.push(path);
    add(read(join(git.commonDir, path)));
  };
  for (const line of read(join(git.commonDir, 'packed-refs')).split('\n'))
    add(line.replace(/^\^/, '').split(' ')[0] ?? '');
  const open = ['refs'];
  for (let folder = open.pop(); folder !== undefined && folders.length < MAX_FOLDERS; folder = open.pop()) {
    folders.push(folder);
    for (const entry of entries(join(git.commonDir, folder))) {
      const path = `${folder}/${entry.name}`;
      if (entry.isFile()) addFile(path);
      // GuardKit's own refs: snapshots of agents' work.
      else if (entry.isDirectory() && path !== 'refs/guardkit') open.push(path);
    }
  }
  for (const { name } of entries(join(git.commonDir, 'worktrees'))) addFile(`worktrees/${name}/HEAD`);
  addFile('HEAD');
  add(read(join(git.gitDir, 'HEAD')));
  if (existsSync(join(git.commonDir, 'reftable'))) {
    for (const { name } of entries(join(git.commonDir, 'reftable'))) files.push(`reftable/${name}`);
    for (const oid of (gitSync(git.gitDir, ['for-each-ref', '--format=%(objectname)']) ?? '').split('\n'))
      add(oid);
  }
  return { tips: [...tips], folders, files };
}

/** The checked-out commit; undefined if there is none yet. */
export function readHead({ commonDir, gitDir }: GitFolder): string | undefined {
  if (existsSync(join(commonDir, REF_TABLES))) return headInTables({ commonDir, gitDir });
  let value = text(join(gitDir, 'HEAD')).trim();
  for (let count = 0; count < MAX_LINKS && value.startsWith('ref: '); count += 1) {
    const name = value.slice('ref: '.length);
    if (!name.startsWith('refs/') || name.split('/').includes('..')) return undefined;
    value = text(join(commonDir, name)).trim() || packed(commonDir, name);
  }
  return OID.test(value) ? value : undefined;
}

let lastHead: { gitDir: string; stamp: string; head: string | undefined } | undefined;

/** Only git can read the tables. Asked again only if they changed. */
function headInTables({ commonDir, gitDir }: Pick<GitFolder, 'commonDir' | 'gitDir'>): string | undefined {
  const stamp = [commonDir, gitDir].map((folder) => refStamp(join(folder, REF_TABLES))).join(' ');
  if (lastHead?.gitDir === gitDir && lastHead.stamp === stamp) return lastHead.head;
  // 1: no commit yet.
  const answer = gitSync(gitDir, ['rev-parse', '--verify', '--quiet', 'HEAD'], '', [0, 1])?.trim();
  if (answer === undefined) throw unreadableHead(gitDir);
  const head = OID.test(answer) ? answer : undefined;
  lastHead = { gitDir, stamp, head };
  return head;
}

function unreadableHead(gitDir: string): GuardKitError {
  return new GuardKitError({
    code: 'git.unreadable-head',
    kind: 'outside',
    message: `Git could not read HEAD in ${gitDir}.`,
    hint: 'Run `git status` there; a repository with reftable needs git 2.45 or newer.',
  });
}

function packed(commonDir: string, name: string): string {
  const line = text(join(commonDir, 'packed-refs'))
    .split('\n')
    .find((one) => one.endsWith(` ${name}`));
  return line?.split(' ')[0] ?? '';
}

const MAX_BYTES = 64n * 1024n * 1024n;

function text(file: string): string {
  return readWith(file, keptText);
}

function wholeText(file: string): string {
  return readWith(file, (path) => readFileSync(path, 'utf8'));
}

function readWith(file: string, read: (file: string, stat: BigIntStats) => string | undefined): string {
  try {
    const stat = lstatSync(file, { bigint: true, throwIfNoEntry: false });
    return stat?.isFile() && stat.size <= MAX_BYTES ? (read(file, stat) ?? '') : '';
  } catch {
    // Safe: an unreadable ref names no commit, so it makes nothing trusted.
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

/** Limit for searching a history. */
const MAX_BASES = 64;

/** The latest ancestors of a commit that are known commits or their ancestors; the commit itself, if known. */
export function basesAmong(gitDir: string, known: readonly string[], commit: string): string[] {
  if (known.includes(commit)) return [commit];
  const question = [commit, ...known.map((tip) => `^${tip}`)].join('\n');
  const answer = gitSync(gitDir, ['rev-list', '--boundary', '--ignore-missing', '--stdin'], `${question}\n`);
  if (answer === undefined || known.length === 0) return [];
  const lines = answer.split('\n').filter(Boolean);
  if (!lines.some((line) => !line.startsWith('-'))) {
    const id = gitSync(gitDir, ['rev-parse', '--verify', '--quiet', `${commit}^{commit}`])?.trim() ?? '';
    return inHistoryOf(gitDir, known, [id]).length > 0 ? [commit] : [];
  }
  const bases = lines.flatMap((line) => (line.startsWith('-') ? [line.slice(1)] : []));
  if (bases.length > MAX_BASES) return [];
  const real = inHistoryOf(gitDir, known, bases);
  if (real.length <= 1) return real;
  // An old commit merged again must not bring back old definitions.
  const independent = gitSync(gitDir, ['merge-base', '--independent', ...real]);
  return independent?.split('\n').filter(Boolean) ?? [];
}

/** Git's folder for a working tree, found through the repository: files in the tree are not trusted. */
export function findWorktree({ commonDir }: GitFolder, folder: string): string | undefined {
  const all = join(commonDir, 'worktrees');
  if (!existsSync(all)) return undefined;
  return readdirSync(all)
    .map((name) => join(all, name))
    .find((gitDir) => {
      const link = join(gitDir, 'gitdir');
      return existsSync(link) && readFileSync(link, 'utf8').trim() === join(folder, '.git');
    });
}

/** Git's folder of a linked working tree, as its own `.git` file names it. */
export function linkedGitDir(folder: string): string | undefined {
  return /^gitdir: (.+)$/.exec(firstLine(join(folder, '.git')) ?? '')?.[1];
}

/** Git does not work in a working tree after the repository's folder was renamed. */
export function repairWorktree(folder: string, gitDir: string): void {
  const linked = linkedGitDir(folder);
  if (linked !== undefined && !existsSync(linked))
    writeFileAtomic(join(folder, '.git'), `gitdir: ${gitDir}\n`);
}

/** Tells whether a commit is another one or comes after it. Asks git once for each. */
export function isAfterIn(gitDir: string, commit: string): (earlier: string) => boolean {
  const known = new Map<string, boolean>();
  return (earlier) => {
    const isAfter =
      known.get(earlier) ?? gitSync(gitDir, ['merge-base', '--is-ancestor', earlier, commit]) !== undefined;
    known.set(earlier, isAfter);
    return isAfter;
  };
}
