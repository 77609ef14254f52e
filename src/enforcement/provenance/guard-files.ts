import { basesAmong } from '../../platform/git/git-refs.ts';
import { readBlobs, type TreeFiles } from '../../platform/git/git-versions.ts';
import { findTips } from '../../store/ledger/tables/last-seen-refs.ts';
import { definitionsInForce } from '../../verification/definition/definitions-in-force.ts';
import type { Provenance } from '../../verification/definition/provenance.ts';
import { repositoryFolder, type WatchContext } from '../watch/watch-context.ts';

export const GUARD_FILES: readonly string[] = ['.guardkit/config.yaml', '.guardkit/guards'];

/** The commit that a person last checked out; undefined before the first observation. */
export function personsHead(context: WatchContext): string | undefined {
  return findTips(context.ledger, repositoryFolder(context))?.reading.personsHeads?.[context.checkout];
}

/**
 * If an agent has switched to an older commit or another branch, the guard files of the commit that the person checked out
 * stay in force, except those of which the person wrote or accepted the new version later. Undefined if that commit is gone.
 */
export function keptGuardFiles(
  context: WatchContext,
  head: string,
  files: TreeFiles,
  provenance: Provenance | undefined,
): TreeFiles | undefined {
  const { gitDir } = context.git;
  const commit = personsHead(context);
  if (!provenance || commit === undefined || basesAmong(gitDir, [commit], head).includes(commit))
    return new Map();
  const before = definitionsInForce(gitDir, commit, provenance, GUARD_FILES);
  if (!before) return undefined;
  const changed = [...before.files].filter(([path, blob]) => files.get(path) !== blob);
  const now = changed.flatMap(([path]) => files.get(path) ?? []);
  const blobs = readBlobs(gitDir, [...changed.map(([, blob]) => blob), ...now]);
  return new Map(
    changed.filter(
      ([path, blob]) => !provenance.isReplaced(path, blobs.get(blob), blobs.get(files.get(path) ?? '')),
    ),
  );
}
