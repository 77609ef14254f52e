import { objectId } from '../../platform/git/git-objects.ts';
import { gitBytesSync, gitSync } from '../../platform/git/git-sync.ts';
import { versionsAt } from '../../platform/git/git-versions.ts';
import type { Found } from '../watch/watched-file.ts';

export interface GitBefore {
  gitDir: string;
  tips: readonly string[];
}

const MAX_TIPS = 200;
const PATHS_AT_ONCE = 500;

/** The versions of files in the history of some commits. */
export class KnownToGit {
  readonly #before: GitBefore;
  /** Blob ids by path; empty for a commit without the file. */
  readonly #versions = new Map<string, Set<string>>();
  #merged: readonly string[] | undefined;

  constructor(before: GitBefore) {
    this.#before = before;
  }

  /** Whether the history has this version of a path; undefined means that the file is gone. */
  has(path: string, found: Found | undefined): boolean {
    if (!isGitPath(path)) return false;
    const versions = this.#versionsOf(path);
    // Git cannot have removed a file that it never had.
    if (!found) return versions.has('') && versions.size > 1 && this.headHas(path) === undefined;
    if (found.bytes === undefined) return false;
    return blobIds(found.bytes).some((id) => versions.has(id)) || this.#isMerged(path, found.bytes);
  }

  /** Whether git itself produces this content when it merges two of the commits, with or without conflicts. */
  #isMerged(path: string, content: Buffer): boolean {
    this.#merged ??= this.#mergedTrees();
    return this.#merged.some((tree) => {
      const made = gitBytesSync(this.#before.gitDir, ['cat-file', 'blob', `${tree}:${path}`]);
      return made !== undefined && withoutLabels(made) === withoutLabels(content);
    });
  }

  /** Of HEAD, if it is a merge, and of an unfinished merge, if all parents are in the history. */
  #mergedTrees(): string[] {
    const { gitDir } = this.#before;
    const parents = (gitSync(gitDir, ['rev-list', '--parents', '-n', '1', 'HEAD'])?.trim() ?? '')
      .split(' ')
      .slice(1);
    const merging = gitSync(gitDir, ['rev-parse', '--verify', '--quiet', 'MERGE_HEAD'])?.trim() ?? '';
    const head = gitSync(gitDir, ['rev-parse', '--verify', '--quiet', 'HEAD'])?.trim() ?? '';
    const pairs = [parents, merging === '' ? [] : [head, merging]].filter((pair) => pair.length === 2);
    return pairs.flatMap((pair) => {
      if (!pair.every((commit) => this.#isBefore(commit))) return [];
      // Exit code 1 means conflicts; the tree is printed anyway.
      const merged = gitSync(gitDir, ['merge-tree', '--write-tree', '--name-only', ...pair], '', [0, 1]);
      const tree = merged?.split('\n')[0] ?? '';
      return /^[0-9a-f]{40,64}$/.test(tree) ? [tree] : [];
    });
  }

  #isBefore(commit: string): boolean {
    const { gitDir, tips } = this.#before;
    const question = [commit, ...tips.slice(0, MAX_TIPS).map((tip) => `^${tip}`)].join('\n');
    const options = ['rev-list', '--ignore-missing', '-n', '1', '--stdin'];
    return gitSync(gitDir, options, `${question}\n`)?.trim() === '';
  }

  /** HEAD's version, if the history has it too: the version that git itself would check out. */
  headVersion(path: string): Buffer | undefined {
    const id = this.headHas(path);
    if (id === undefined || !this.#versionsOf(path).has(id)) return undefined;
    return gitBytesSync(this.#before.gitDir, ['cat-file', 'blob', id]);
  }

  isInHead(path: string, found: Found | undefined): boolean {
    const id = this.headHas(path);
    if (!found) return id === undefined;
    return id !== undefined && found.bytes !== undefined && blobIds(found.bytes).includes(id);
  }

  headHas(path: string): string | undefined {
    const { gitDir } = this.#before;
    const id = gitSync(gitDir, ['rev-parse', '--verify', '--quiet', `HEAD:${path}`])?.trim();
    return id === undefined || id === '' ? undefined : id;
  }

  /** Whether a commit, the index or a stash had this content, under any name. */
  hasContent(content: Buffer): boolean {
    const answers = gitSync(
      this.#before.gitDir,
      ['cat-file', '--batch-check'],
      `${blobIds(content).join('\n')}\n`,
    );
    return /^[0-9a-f]+ blob /m.test(answers ?? '');
  }

  /** Asks git about many paths at once; one process per path is too slow for a hook. */
  load(paths: readonly string[]): void {
    const wanted = paths.filter((path) => isGitPath(path) && !this.#versions.has(path));
    for (let at = 0; at < wanted.length; at += PATHS_AT_ONCE)
      this.#loadSome(wanted.slice(at, at + PATHS_AT_ONCE));
  }

  #versionsOf(path: string): Set<string> {
    this.load([path]);
    return this.#versions.get(path) ?? new Set();
  }

  #loadSome(paths: readonly string[]): void {
    for (const path of paths) this.#versions.set(path, new Set());
    const { gitDir } = this.#before;
    const tips = this.#before.tips.slice(0, MAX_TIPS);
    if (tips.length === 0) return;
    for (const [path, answers] of versionsAt(gitDir, tips, paths))
      for (const answer of answers)
        this.#versions.get(path)?.add(/^[0-9a-f]{40,64}$/.test(answer) ? answer : '');
    this.#loadHistory(paths, tips);
  }

  #loadHistory(paths: readonly string[], tips: readonly string[]): void {
    const options = ['--raw', '--no-abbrev', '--no-renames', '--format=', '-z', '-m', '--ignore-missing'];
    const log = ['--literal-pathspecs', 'log', ...options, ...tips, '--', ...paths];
    const fields = gitSync(this.#before.gitDir, log)?.split('\0') ?? [];
    for (let at = 0; at + 1 < fields.length; at += 2)
      for (const id of /^\n*:\d+ \d+ ([0-9a-f]+) ([0-9a-f]+) /.exec(fields[at] ?? '')?.slice(1) ?? [])
        this.#versions.get(fields[at + 1] ?? '')?.add(/^0+$/.test(id) ? '' : id);
  }
}

/** Git reads the paths line by line. */
function isGitPath(path: string): boolean {
  return !/[\n\r\0]/.test(path) && !path.startsWith('/');
}

/** Conflict markers contain branch names, which vary. */
function withoutLabels(content: Buffer): string {
  return content
    .toString('latin1')
    .replaceAll('\r\n', '\n')
    .replace(/^(<{7}|>{7}|\|{7}) .*$/gm, '$1');
}

/** The possible blob ids of a content: for both hash algorithms and both line endings. */
function blobIds(content: Buffer): string[] {
  const unix = Buffer.from(content.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
  return [content, unix].flatMap((bytes) => [
    objectId('blob', bytes, 'sha1'),
    objectId('blob', bytes, 'sha256'),
  ]);
}
