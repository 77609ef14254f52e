import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { lookAtTips } from '../../../enforcement/windows/look-at-tips.ts';
import type { Base } from '../../../verification/definition/find-base.ts';
import { findPersonsWord } from '../../../verification/definition/persons-word.ts';
import type { VerificationGround } from '../../../verification/open-verification.ts';
import type { CliContext } from '../cli-command.ts';

/** The base, with what of it a person stands behind where agents made commits of it. */
export async function withPersonsWord(
  context: CliContext,
  { repository, base, project }: Pick<VerificationGround, 'repository' | 'base' | 'project'>,
): Promise<Base> {
  const { home } = await context.workspace();
  const ledger = await context.ledger();
  lookAtTips({
    ledger,
    project,
    checkout: realpathSync(repository.root),
    git: repository.folder,
    dataFolder: realpathSync(home),
    home: context.env.HOME ?? homedir(),
    globs: [],
  });
  return { ...base, persons: findPersonsWord(ledger, project, repository, base.commit) };
}
