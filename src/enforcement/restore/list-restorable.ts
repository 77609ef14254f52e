import { isAbsolute, join, resolve } from 'node:path';
import type { GitFolder } from '../../platform/git/git-folder.ts';
import { violationSchema } from '../../store/ledger/kinds/guards/violations.ts';
import { type FileRestored, fileRestoredSchema } from '../../store/ledger/kinds/protection/file-restored.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';

/** A version of a file that GuardKit replaced and kept. */
export interface Restorable {
  /** The ledger entry. */
  number: number;
  at: string;
  /** As shown to people. */
  path: string;
  absolute: string;
  /** Null: in this version the file did not exist. */
  hash: string | null;
  /** Null if unknown. */
  mode: number | null;
  /** Relative to the quarantine; null if the file did not exist. */
  quarantined: string | null;
  reason: FileRestored['reason'] | 'earlier-version';
  agent: string;
  session: string;
  what: string;
}

/** All kept versions of a project, newest first. Earlier GuardKit versions recorded them as violations. */
export function listRestorable(ledger: Ledger, project: string, git?: GitFolder | undefined): Restorable[] {
  return [...fromRestores(ledger, project), ...fromViolations(ledger, project, git)].sort(
    (a, b) => b.number - a.number,
  );
}

/** The versions of one file, newest first; `path` as typed, from `cwd`. */
export function versionsOf(
  versions: readonly Restorable[],
  path: string,
  cwd: string,
  realPath: (path: string) => string,
): Restorable[] {
  const absolute = realPath(resolve(cwd, path));
  return versions.filter((one) => one.path === path || one.absolute === absolute);
}

function fromRestores(ledger: Ledger, project: string): Restorable[] {
  return ledger.entries(project, { kind: 'file_restored' }).flatMap(({ number, at, body }) => {
    const { path, absolute, found_hash, found_mode, quarantined, reason, agent, session, what } =
      fileRestoredSchema.parse(body);
    if (!isKept(found_hash, quarantined)) return [];
    return [
      {
        number,
        at,
        path,
        absolute,
        hash: found_hash,
        mode: found_mode,
        quarantined,
        reason,
        agent,
        session,
        what,
      },
    ];
  });
}

function fromViolations(ledger: Ledger, project: string, git: GitFolder | undefined): Restorable[] {
  return ledger.entries(project, { kind: 'violation_recorded' }).flatMap(({ number, at, body }) => {
    const violation = violationSchema.parse(body);
    const { path, found_hash: hash, before_hash, quarantined, restored, agent, session, what } = violation;
    // Without either hash no file was involved, as with a refused command.
    if (!restored || !isKept(hash, quarantined) || (hash === null && before_hash === null)) return [];
    const absolute = absolutePath(path, git);
    if (absolute === undefined) return [];
    return [
      {
        number,
        at,
        path,
        absolute,
        hash,
        mode: null,
        quarantined,
        reason: 'earlier-version',
        agent,
        session,
        what,
      },
    ];
  });
}

/** A version in which the file did not exist needs no copy. */
function isKept(hash: string | null, quarantined: string | null): boolean {
  return hash === null || quarantined !== null;
}

function absolutePath(shown: string, git: GitFolder | undefined): string | undefined {
  if (isAbsolute(shown)) return shown;
  if (git === undefined) return undefined;
  return shown.startsWith('.git/') ? join(git.commonDir, shown.slice('.git/'.length)) : join(git.root, shown);
}
