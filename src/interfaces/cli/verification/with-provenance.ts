import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { observeChanges } from '../../../enforcement/hooks/observe-changes.ts';
import { guardsInForce } from '../../../enforcement/provenance/guards-in-force.ts';
import { observeCommits } from '../../../enforcement/provenance/observe-commits.ts';
import { describePending } from '../../../enforcement/provenance/pending-definitions.ts';
import { trustBranches } from '../../../enforcement/provenance/trusted-commits.ts';
import { findTips } from '../../../store/ledger/tables/last-seen-refs.ts';
import type { Base } from '../../../verification/definition/find-base.ts';
import { findBaseProvenance } from '../../../verification/definition/provenance.ts';
import type { VerificationContext } from '../../../verification/open-verification.ts';
import type { CliContext } from '../program/cli-command.ts';

/** The base with the provenance of its definitions. With `reportPending`, reports pending ones first. */
export async function withProvenance(
  context: CliContext,
  { repository, base, project }: Pick<VerificationContext, 'repository' | 'base' | 'project'>,
  { reportPending = false } = {},
): Promise<Base> {
  const { home } = await context.workspace();
  const ledger = await context.ledger();
  const watch = {
    ledger,
    project,
    checkout: realpathSync(repository.root),
    git: repository.folder,
    dataFolder: realpathSync(home),
    home: context.env.HOME ?? homedir(),
    globs: [],
  };
  // Nothing to do if no agent was ever watched. Reads changes first, because a person may have just edited or committed.
  if (findTips(ledger, realpathSync(repository.folder.commonDir))) {
    observeCommits(watch);
    observeChanges(watch);
    if (describePending(watch).length > 0) {
      trustBranches(watch, (await guardsInForce(watch)).trust?.branches);
      if (reportPending) for (const line of describePending(watch)) context.progress(`! ${line}`);
    }
  }
  return { ...base, provenance: findBaseProvenance(ledger, project, repository, base.commit) };
}
