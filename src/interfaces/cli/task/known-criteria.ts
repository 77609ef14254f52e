import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CriterionIds } from '../../../domain/criteria/assign-criterion-ids.ts';
import type { CliContext } from '../program/cli-command.ts';

/** The ids that verification gave to a task's criteria. Looking must not make a ledger. */
export async function knownCriteria(context: CliContext): Promise<(task: string) => CriterionIds> {
  const { home, project } = await context.workspace();
  if (!project.known || !existsSync(join(home, 'ledger.db'))) return () => [];
  const ledger = await context.ledger();
  const { knownCriterionIds } = await import('../../../verification/criteria.ts');
  return (task) => knownCriterionIds(ledger, project.id, task);
}
