import type { Repository } from '../../../platform/git/repository.ts';
import type { Ledger } from '../../../store/ledger/ledger.ts';
import { openVerification } from '../../../verification/open-verification.ts';
import type { CliContext } from '../program/cli-command.ts';

export interface HistoryContext {
  repository: Repository;
  project: string;
  ledger: Ledger;
}

/** Opens the records of builds, without memory. */
export async function openHistory(context: CliContext): Promise<HistoryContext> {
  const workspace = await context.workspace();
  const { repository, project } = await openVerification(workspace, context);
  return { repository, project, ledger: await context.ledger() };
}
