import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { findGitFolder } from '../../platform/git-folder.ts';
import type { CliContext } from './cli-command.ts';

/**
 * Files that a command has just written where agents may write nothing: an agent that ran the command did not write them
 * itself, and they are not put back. Paths are relative to the project, or absolute.
 */
export async function ownFiles(context: CliContext, paths: readonly string[]): Promise<void> {
  const { home, root, project } = await context.workspace();
  const git = root === undefined ? undefined : findGitFolder(root);
  // Without a ledger nobody watches.
  if (!git || !project.known || !existsSync(join(home, 'ledger.db'))) return;
  const { takeAsOwn } = await import('../../enforcement/windows/take-as-own.ts');
  const checkout = realpathSync(git.root);
  takeAsOwn(
    {
      ledger: await context.ledger(),
      project: project.id,
      checkout,
      git,
      dataFolder: realpathSync(home),
      home: context.env.HOME ?? homedir(),
      globs: [],
    },
    paths.map((path) => resolve(checkout, path)),
  );
}
