import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { findProject } from '../../../enforcement/hooks/open-enforcement.ts';
import { isInside } from '../../../platform/files/path-inside.ts';
import { findGitFolder } from '../../../platform/git/git-folder.ts';
import type { Ledger } from '../../../store/ledger/ledger.ts';
import { readSessionRows } from '../../../store/ledger/tables/driven-sessions.ts';
import { cachedReads } from '../../../store/ledger/tables/read-cache.ts';

const CACHED = ['project of ', 'wired: '];

/** Checkouts of a project on this machine, those of recent runs first; without GuardKit's own. */
export async function findCheckouts(ledger: Ledger, dataFolder: string, project: string): Promise<string[]> {
  const own = realpathSync(dataFolder);
  const named = [
    ...[false, true].flatMap((ended) =>
      readSessionRows(ledger, project, { ended, limit: 5 }).map(({ checkout }) => checkout),
    ),
    ...CACHED.flatMap((prefix) => cachedReads(ledger, prefix).map(({ path }) => path.slice(prefix.length))),
    ...mainCheckouts(join(own, 'worktrees', project)),
  ];
  const found: string[] = [];
  for (const checkout of new Set(named)) {
    if (!existsSync(checkout) || isInside(checkout, own)) continue;
    if (await belongsTo(ledger, checkout, project)) found.push(checkout);
  }
  return found;
}

async function belongsTo(ledger: Ledger, checkout: string, project: string): Promise<boolean> {
  const git = findGitFolder(checkout);
  if (!git) return false;
  try {
    const found = await findProject(ledger, git, realpathSync.native(git.root));
    return found.known && found.id === project;
  } catch {
    // Safe: a checkout with an unreadable configuration is not used.
    return false;
  }
}

/** The checkouts that the worktrees of builds were made from. */
function mainCheckouts(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const mains = entries.flatMap(({ name }) => {
    const git = findGitFolder(join(folder, name));
    return git && basename(git.commonDir) === '.git' ? [dirname(git.commonDir)] : [];
  });
  return [...new Set(mains)];
}
