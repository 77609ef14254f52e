import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { coldLauncherPath } from '../../../enforcement/install/hook-launcher.ts';
import { ledgerMarkPath } from '../../../enforcement/install/ledger-mark.ts';
import type { WatchContext } from '../../../enforcement/watch/watch-context.ts';
import { findGitFolder } from '../../../platform/git/git-folder.ts';
import type { CliContext } from '../program/cli-command.ts';

/** Checks definitions and effective files; returns notices for the person. */
export async function observeCheckout(context: CliContext): Promise<string[]> {
  const watch = await openWatchContext(context);
  if (!watch) return [];
  const { observeChanges } = await import('../../../enforcement/hooks/observe-changes.ts');
  const { noticed, notices } = observeChanges(watch);
  return [...noticed.map((line) => `GuardKit: ${line}`), ...notices];
}

/**
 * Files that a command has just written: a person's if a person ran it, else a proposal. Paths are relative to the project,
 * or absolute.
 */
export async function ownFiles(context: CliContext, paths: readonly string[]): Promise<void> {
  const watch = await openWatchContext(context);
  if (!watch) return;
  const { acceptOwnWrites } = await import('../../../enforcement/watch/own-writes.ts');
  acceptOwnWrites(
    watch,
    paths.map((path) => resolve(watch.checkout, path)),
    (await context.findAgent()) === undefined ? 'person' : 'agent',
  );
}

/** Files of the data folder that `init`, `doctor --fix` and `uninstall` write without listing them. */
export function unlistedFiles(home: string): string[] {
  return [ledgerMarkPath(home), coldLauncherPath(home)];
}

/** The checkout as hooks see it; undefined before GuardKit is set up. */
export async function openWatchContext(context: CliContext): Promise<WatchContext | undefined> {
  const { home, root, project } = await context.workspace();
  const git = root === undefined ? undefined : findGitFolder(root);
  // Without a ledger nothing is watched.
  if (!git || !project.known || !existsSync(join(home, 'ledger.db'))) return undefined;
  return {
    ledger: await context.ledger(),
    project: project.id,
    checkout: realpathSync(git.root),
    git,
    dataFolder: realpathSync(home),
    home: context.env.HOME ?? homedir(),
    globs: [],
  };
}
