import { retireGuard } from '../../../learning/proposals/change-learned-guard.ts';
import type { CliContext, Report } from '../program/cli-command.ts';
import { personName, requirePerson } from '../verification/person-name.ts';
import { openLearning } from './open-learning.ts';
import { requireChanged, requireLearned } from './require-learned.ts';

export async function runRetire(
  context: CliContext,
  { guard: id, reason, dryRun }: { guard: string; reason: string; dryRun: boolean },
): Promise<Report> {
  const { ledger, project, now } = await openLearning(context);
  const guard = requireLearned(ledger, project, id);
  if (dryRun)
    return { json: { guard, retired: false }, text: `would retire ${id}, which is at ${guard.mode}` };
  requirePerson(context, 'retire a guard');
  const changed = retireGuard({
    ledger,
    project,
    guardId: id,
    now,
    by: personName(context.env),
    why: reason,
  });
  return {
    json: {
      guard: requireChanged(changed, '`guardkit guard list` shows those that act.'),
      retired: true,
    },
    text: `${id} is retired. \`guardkit guard propose ${guard.pattern_id}\` proposes it again.`,
  };
}
