import { createHash } from 'node:crypto';
import { gitBytesSync, gitSync } from '../../platform/git-sync.ts';
import type { Found } from '../watch/watched-file.ts';

/** The commits whose versions count. */
export interface GitBefore {
  gitDir: string;
  tips: readonly string[];
}

const MAX_TIPS = 200;

/** Versions that a file has, or had, in some commits. */
export class KnownToGit {
  readonly #before: GitBefore;
  readonly #versions = new Map<string, Set<string>>();

  constructor(before: GitBefore) {
    this.#before = before;
  }

  /** Whether some commit from before has this version of a path. Undefined is a file that is gone. */
  has(path: string, found: Found | undefined): boolean {
    if (/[\n\r\0]/.test(path) || path.startsWith('/')) return false;
    const versions = this.#versionsOf(path);
    // A file that git never had cannot have been removed by git.
    if (!found) return versions.has('') && versions.size > 1 && this.headHas(path) === undefined;
    if (found.bytes === undefined) return false;
    return blobIds(found.bytes).some((id) => versions.has(id)) || this.#isMerged(path, found.bytes);
  }

  /** Whether git itself makes this content when it merges two of the commits, with or without conflicts. */
  #isMerged(path: string, content: Buffer): boolean {
    const { gitDir } = this.#before;
    const parents = (gitSync(gitDir, ['rev-list', '--parents', '-n', '1', 'HEAD'])?.trim() ?? '')
      .split(' ')
      .slice(1);
    const merging = gitSync(gitDir, ['rev-parse', '--verify', '--quiet', 'MERGE_HEAD'])?.trim() ?? '';
    const head = gitSync(gitDir, ['rev-parse', '--verify', '--quiet', 'HEAD'])?.trim() ?? '';
    const pairs = [parents, merging === '' ? [] : [head, merging]].filter((pair) => pair.length === 2);
    return pairs.some((pair) => {
      if (!pair.every((commit) => this.#isBefore(commit))) return false;
      // It ends with 1 where there are conflicts, and gives the tree all the same.
      const merged = gitSync(gitDir, ['merge-tree', '--write-tree', '--name-only', ...pair], '', [0, 1]);
      const tree = merged?.split('\n')[0] ?? '';
      const made = /^[0-9a-f]{40,64}$/.test(tree)
        ? gitBytesSync(gitDir, ['cat-file', 'blob', `${tree}:${path}`])
        : undefined;
      return made !== undefined && withoutLabels(made) === withoutLabels(content);
    });
  }

  #isBefore(commit: string): boolean {
    const { gitDir, tips } = this.#before;
    const question = [commit, ...tips.slice(0, MAX_TIPS).map((tip) => `^${tip}`)].join('\n');
    const options = ['rev-list', '--ignore-missing', '-n', '1', '--stdin'];
    return gitSync(gitDir, options, `${question}\n`)?.trim() === '';
  }

  /** What HEAD has now, if a commit from before has it too: what git itself would leave there. */
  headVersion(path: string): Buffer | undefined {
    const id = this.headHas(path);
    if (id === undefined || !this.#versionsOf(path).has(id)) return undefined;
    return gitBytesSync(this.#before.gitDir, ['cat-file', 'blob', id]);
  }

  /** Whether a file is as HEAD has it. */
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

  /** Blob ids; empty for a commit without the file. */
  #versionsOf(path: string): Set<string> {
    const known = this.#versions.get(path);
    if (known) return known;
    const { gitDir, tips } = this.#before;
    const versions = new Set<string>();
    const named = tips.slice(0, MAX_TIPS);
    if (named.length > 0) {
      const asked = `${named.map((tip) => `${tip}:${path}`).join('\n')}\n`;
      const answer = gitSync(gitDir, ['cat-file', '--batch-check=%(objectname)'], asked) ?? '';
      for (const line of answer.trimEnd().split('\n'))
        versions.add(/^[0-9a-f]{40,64}$/.test(line) ? line : '');
      const options = ['--raw', '--no-abbrev', '--no-renames', '--format=', '-z', '-m', '--ignore-missing'];
      const log = ['--literal-pathspecs', 'log', ...options, ...named, '--', path];
      for (const field of gitSync(gitDir, log)?.split('\0') ?? [])
        for (const id of /^\n*:\d+ \d+ ([0-9a-f]+) ([0-9a-f]+) /.exec(field)?.slice(1) ?? [])
          versions.add(/^0+$/.test(id) ? '' : id);
    }
    this.#versions.set(path, versions);
    return versions;
  }
}

/** Conflict markers name the branches, which may be called anything. */
function withoutLabels(content: Buffer): string {
  return content
    .toString('latin1')
    .replaceAll('\r\n', '\n')
    .replace(/^(<{7}|>{7}|\|{7}) .*$/gm, '$1');
}

/** The ids that git may have for a content: for either kind of hash, with either kind of line ending. */
function blobIds(content: Buffer): string[] {
  const unix = Buffer.from(content.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
  return [content, unix].flatMap((bytes) =>
    ['sha1', 'sha256'].map((algorithm) =>
      createHash(algorithm).update(`blob ${bytes.length}\0`).update(bytes).digest('hex'),
    ),
  );
}
