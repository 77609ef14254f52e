import { isDefinitionPath } from '../../domain/protection/project-paths.ts';
import { isInside } from '../../platform/files/path-inside.ts';
import { basesAmong, isAfterIn } from '../../platform/git/git-refs.ts';
import {
  committedVersions,
  earlierVersions,
  filesOf,
  readBlobs,
  type TreeFiles,
} from '../../platform/git/git-versions.ts';
import type { Provenance } from './provenance.ts';

/** A definition whose version in a commit is not in force because nobody knows it to be a person's. */
export interface PendingVersion {
  path: string;
  change: 'added' | 'changed' | 'removed';
  /** Blob ids; null for a missing file. */
  pending: string | null;
  inForce: string | null;
}

export interface DefinitionsInForce {
  /** Blob ids of the versions in force, by path. */
  files: TreeFiles;
  pending: readonly PendingVersion[];
  /** HEAD shares no commit with those known to be a person's: the history was replaced. */
  isUnknown: boolean;
}

/**
 * For every definition, the nearest version in a commit's ancestry that is a person's. Without provenance, the commit's
 * own. Undefined if git fails.
 */
export function definitionsInForce(
  gitDir: string,
  commit: string,
  provenance: Provenance | undefined,
  folders: readonly string[],
): DefinitionsInForce | undefined {
  const now = definitionsOf(gitDir, commit, folders);
  if (!now) return undefined;
  if (!provenance) return { files: now, pending: [], isUnknown: false };
  const bases = basesAmong(gitDir, provenance.trusted, commit);
  const trusted = bases.includes(commit)
    ? [now]
    : bases.flatMap((base) => definitionsOf(gitDir, base, folders) ?? []);
  const open = openPaths(now, trusted, provenance, folders);
  if (open.length === 0) return { files: now, pending: [], isUnknown: false };
  const confirmedBases = basesAmong(gitDir, provenance.confirmed, commit);
  const confirmed = confirmedBases.flatMap((base) => definitionsOf(gitDir, base, folders) ?? []);
  const since = committedVersions(gitDir, [commit], confirmedBases, open);
  const versions = new VersionWalk(gitDir, commit, {
    bases,
    trusted,
    confirmed,
    since,
    now,
    provenance,
    open,
  });
  const files = new Map(now);
  const pending: PendingVersion[] = [];
  for (const path of open) {
    const current = now.get(path) ?? null;
    const inForce = versions.nearest(path);
    if (inForce === current) continue;
    if (inForce === null) files.delete(path);
    else files.set(path, inForce);
    pending.push({ path, change: changeOf(inForce, current), pending: current, inForce });
  }
  return { files, pending, isUnknown: bases.length === 0 && pending.length > 0 };
}

/** Paths that differ from every trusted commit, and paths with a version proposed by an agent, even if they are gone. */
function openPaths(
  now: TreeFiles,
  trusted: readonly TreeFiles[],
  { proposedPaths }: Provenance,
  folders: readonly string[],
): string[] {
  const proposed = [...proposedPaths].filter((path) => folders.some((folder) => isInside(path, folder)));
  const paths = new Set([...now.keys(), ...trusted.flatMap((files) => [...files.keys()]), ...proposed]);
  return [...paths].filter(
    (path) => proposedPaths.has(path) || !trusted.some((files) => files.get(path) === now.get(path)),
  );
}

interface WalkFacts {
  bases: readonly string[];
  trusted: readonly TreeFiles[];
  confirmed: readonly TreeFiles[];
  /** The versions that commits created after the confirmed ones. */
  since: ReadonlyMap<string, ReadonlySet<string | null>>;
  now: TreeFiles;
  provenance: Provenance;
  open: readonly string[];
}

/** The versions of some paths in a commit's history. */
class VersionWalk {
  readonly #facts: WalkFacts;
  readonly #earlier: ReadonlyMap<string, (string | null)[]>;
  readonly #blobs: ReadonlyMap<string, Buffer>;
  readonly #isAfter: (commit: string) => boolean;

  constructor(gitDir: string, commit: string, facts: WalkFacts) {
    this.#facts = facts;
    this.#isAfter = isAfterIn(gitDir, commit);
    const { bases, open, provenance } = facts;
    const isTrusted = bases.includes(commit);
    // A trusted commit may contain an agent's version; the one before it then counts.
    const proposed = open.filter((path) => provenance.proposedPaths.has(path));
    const rest = isTrusted ? [] : open.filter((path) => !provenance.proposedPaths.has(path));
    this.#earlier = new Map([
      ...earlierVersions(gitDir, commit, [], proposed),
      ...earlierVersions(gitDir, commit, bases, rest),
    ]);
    const blobs = open
      .flatMap((path) => [...this.#versions(path), ...(facts.since.get(path) ?? [])])
      .filter((blob) => blob !== null);
    this.#blobs = readBlobs(gitDir, blobs);
  }

  #versions(path: string): (string | null)[] {
    const { now, trusted } = this.#facts;
    return [
      now.get(path) ?? null,
      ...(this.#earlier.get(path) ?? []),
      ...trusted.map((files) => files.get(path) ?? null),
    ];
  }

  /** Null if no version is a person's: the definition then does not exist. */
  nearest(path: string): string | null {
    return this.#versions(path).find((blob) => this.#isPersons(path, blob)) ?? null;
  }

  #isPersons(path: string, blob: string | null): boolean {
    const { trusted, confirmed, provenance } = this.#facts;
    const hasIt = (files: TreeFiles) => (files.get(path) ?? null) === blob;
    if (confirmed.some(hasIt) && !this.#isReplacedSince(path, blob)) return true;
    const content = this.#contentOf(blob);
    // An unreadable blob proves nothing.
    if (blob !== null && content === undefined) return false;
    if (provenance.isProposed(path, content, this.#isAfter)) return false;
    if (trusted.some(hasIt)) return true;
    const isReplaced = trusted.some((files) =>
      provenance.isReplaced(path, content, this.#contentOf(files.get(path) ?? null)),
    );
    return provenance.isPersons(path, content) && !isReplaced;
  }

  /** Whether a person has replaced a confirmed version: an agent that commits it again cannot undo that. */
  #isReplacedSince(path: string, confirmed: string | null): boolean {
    const { since, provenance } = this.#facts;
    return [...(since.get(path) ?? [])].some(
      (blob) => blob !== confirmed && !provenance.isProposed(path, this.#contentOf(blob), this.#isAfter),
    );
  }

  #contentOf(blob: string | null): Buffer | undefined {
    return blob === null ? undefined : this.#blobs.get(blob);
  }
}

function definitionsOf(gitDir: string, commit: string, folders: readonly string[]): TreeFiles | undefined {
  const files = filesOf(gitDir, commit, folders);
  return files && new Map([...files].filter(([path]) => isDefinitionPath(path)));
}

function changeOf(before: string | null, now: string | null): PendingVersion['change'] {
  if (before === null) return 'added';
  return now === null ? 'removed' : 'changed';
}
