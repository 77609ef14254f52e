import { realpathSync } from 'node:fs';
import { basesAmong } from '../../platform/git-bases.ts';
import { listTree } from '../../platform/git-tree.ts';
import type { Repository } from '../../platform/repository.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { findTips } from '../../store/ledger/tips-reading.ts';
import { WatchTables } from '../../store/ledger/watch-tables.ts';

/** What persons stand behind, where a base has commits that came up while agents acted. */
export interface PersonsWord {
  /** Their newest commits that the base stands on. */
  commits: readonly string[];
  /** Whether a file was known to be theirs, or GuardKit's own, as its content is; null is a file that is not there. */
  knows(path: string, digest: string | null): boolean;
}

/** Undefined where the base is a person's own commit, or where nobody has ever watched who made one. */
export function findPersonsWord(
  ledger: Ledger,
  project: string,
  { folder: { gitDir, commonDir }, root }: Repository,
  base: string,
): PersonsWord | undefined {
  const tips = findTips(ledger, realpathSync(commonDir));
  if (!tips) return undefined;
  const commits = basesAmong(gitDir, tips.reading.known, base);
  if (commits.includes(base)) return undefined;
  const tables = new WatchTables(ledger);
  const key = { project, checkout: realpathSync(root) };
  return {
    commits,
    knows(path, digest) {
      const known = tables.watchedPath(key, path)?.hash;
      // A checkout that is watched has a row for itself; what has none there is known not to be there.
      if (digest === null) return known === undefined && tables.watchedPath(key, '/') !== undefined;
      return known === digest;
    },
  };
}

/** Of these paths, those that none of the person's commits has as the base has it. */
export async function changedByAgents(
  repository: Repository,
  base: string,
  { commits }: PersonsWord,
  under: readonly string[],
): Promise<string[]> {
  const read = async (commit: string) =>
    new Map(
      (await listTree(repository, commit, under)).map(({ path, mode, object }) => [
        path,
        `${mode} ${object}`,
      ]),
    );
  const now = await read(base);
  const theirs = await Promise.all(commits.map(read));
  const paths = new Set([...now.keys(), ...theirs.flatMap((one) => [...one.keys()])]);
  return [...paths].filter((path) => !theirs.some((one) => one.get(path) === now.get(path)));
}
