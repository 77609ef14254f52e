import type { Repository } from '../../../platform/git/repository.ts';
import { readToolchainRecord, recordToolchains } from '../../../verification/environment/toolchain-record.ts';
import type { CliContext } from '../program/cli-command.ts';

/**
 * Records the programs on the person's PATH where `guardkit init` has not done so, as in a fresh clone on another machine:
 * without a record, runs do not find programs of version managers.
 */
export async function recordMissingPrograms(
  context: CliContext,
  { repository, project }: { repository: Repository; project: string },
): Promise<void> {
  const { home } = await context.workspace();
  if (readToolchainRecord(home, project) || (await context.findAgent()) !== undefined) return;
  await recordToolchains({
    env: context.env,
    root: repository.root,
    dataFolder: home,
    project,
    agent: undefined,
  });
}
