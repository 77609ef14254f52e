import * as z from 'zod';
import { retireGuard } from '../../../learning/proposals/change-learned-guard.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { personName, requirePerson } from '../verification/person-name.ts';
import { requireChanged, requireLearned } from './learned-guard.ts';
import { openLearning } from './open-learning.ts';

export const retire = defineCommand({
  name: 'retire',
  summary: 'Retire a learned guard (person only)',
  arguments: [['<guard>', 'Guard id']],
  options: [['--reason <text>', 'Reason, for the record']],
  changes: true,
  schema: z.object({
    guard: z.string().min(1),
    reason: z.string().trim().max(1000).default(''),
    dryRun: z.boolean().default(false),
  }),
  run: runRetire,
});

async function runRetire(
  context: CliContext,
  { guard: id, reason, dryRun }: { guard: string; reason: string; dryRun: boolean },
): Promise<Report> {
  const { ledger, project, now } = await openLearning(context);
  const guard = requireLearned(ledger, project, id);
  if (dryRun)
    return { json: { guard, retired: false }, text: `would retire ${id}, which is in mode ${guard.mode}` };
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
      guard: requireChanged(changed, 'List the active guards with `guardkit guard list`.'),
      retired: true,
    },
    text: `${id} is retired. \`guardkit guard propose ${guard.pattern_id}\` proposes it again.`,
  };
}
