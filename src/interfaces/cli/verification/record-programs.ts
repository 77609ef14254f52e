import { isFolder } from '../../../platform/files/make-folder.ts';
import type { Repository } from '../../../platform/git/repository.ts';
import { readToolchainRecord, recordToolchains } from '../../../verification/environment/toolchain-record.ts';
import type { CliContext } from '../program/cli-command.ts';

/**
 * Records the programs on the person's PATH where `guardkit init` has not done so, as in a fresh clone on another machine, or
 * where one of its folders is gone, as after an upgrade: runs would not find programs of version managers.
 */
export async function recordMissingPrograms(
  context: CliContext,
  { repository, project }: { repository: Repository; project: string },
): Promise<void> {
  const { home } = await context.workspace();
  if (readToolchainRecord(home, project)?.folders.every(isFolder)) return;
  await recordPrograms(context, { repository, project, home, inCi: false });
}

/** Records the programs on the PATH, unless it is an agent's, who could have put any program there. */
export async function recordPrograms(
  context: CliContext,
  {
    repository,
    project,
    home,
    inCi,
  }: { repository: Repository; project: string; home: string; inCi: boolean },
): Promise<void> {
  if ((await context.findAgent()) !== undefined) return;
  await recordToolchains({
    env: context.env,
    root: repository.root,
    dataFolder: home,
    project,
    agent: undefined,
    inCi,
  });
}
