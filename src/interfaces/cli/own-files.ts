import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { WatchPlace } from '../../enforcement/windows/watch-place.ts';
import { findGitFolder } from '../../platform/git-folder.ts';
import type { CliContext } from './cli-command.ts';

/** Puts back what an agent has changed while nobody heard of it, and gives what a person should know of that. */
export async function lookForAgentsWork(context: CliContext): Promise<string[]> {
  const place = await watchPlace(context);
  if (!place) return [];
  const { lookInWindows } = await import('../../enforcement/windows/look-in-windows.ts');
  return lookInWindows(place).notices;
}

/**
 * Files that a command has just written where agents may write nothing: an agent that ran the command did not write them
 * itself, and they are not put back. Paths are relative to the project, or absolute.
 */
export async function ownFiles(context: CliContext, paths: readonly string[]): Promise<void> {
  const place = await watchPlace(context);
  if (!place) return;
  const { takeAsOwn } = await import('../../enforcement/windows/take-as-own.ts');
  takeAsOwn(
    place,
    paths.map((path) => resolve(place.checkout, path)),
  );
}

async function watchPlace(context: CliContext): Promise<WatchPlace | undefined> {
  const { home, root, project } = await context.workspace();
  const git = root === undefined ? undefined : findGitFolder(root);
  // Without a ledger nobody watches.
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
