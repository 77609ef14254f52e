import * as z from 'zod';
import { projectGroup } from '../../../domain/entities/group.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { sharePattern } from '../../../learning/patterns/shared-patterns.ts';
import { shareGuard } from '../../../learning/proposals/change-learned-guard.ts';
import { readLearnedGuard } from '../../../store/ledger/tables/learned-guards.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { personName, requirePerson } from '../verification/person-name.ts';
import { guardUnchanged, requireChanged } from './learned-guard.ts';
import { openLearning, upToDateStore } from './open-learning.ts';

export const share = defineCommand({
  name: 'share',
  summary: 'Share a guard or pattern machine-wide (person only)',
  arguments: [['<id>', 'Guard or pattern id']],
  changes: true,
  schema: z.object({ id: z.string().min(1), dryRun: z.boolean().default(false) }),
  run: runShare,
});

const AGAIN = 'Propose it again first.';

async function runShare(
  context: CliContext,
  { id, dryRun }: { id: string; dryRun: boolean },
): Promise<Report> {
  const { ledger, project, now } = await openLearning(context);
  const store = await upToDateStore(context, ledger);
  const guard = readLearnedGuard(ledger, project, id);
  const patternId = guard?.pattern_id ?? id;
  if (!guard && !(await store.get(projectGroup(project, 'patterns'), patternId)))
    throw new GuardKitError({
      code: 'pattern.unknown',
      kind: 'input',
      message: `This project has neither a learned guard nor a pattern "${id.slice(0, 80)}".`,
      hint: '`guardkit guard propose` lists the patterns, `guardkit guard list` the guards.',
    });
  if (guard?.mode === 'off') throw guardUnchanged(`${id} is retired.`, AGAIN);
  if (dryRun)
    return { json: { id, origin: project, shared: false }, text: `would share ${id} with all projects` };
  requirePerson(context, 'share with all projects');
  const pattern = await sharePattern(store, project, patternId);
  if (guard) {
    const by = personName(context.env);
    const changed = shareGuard({ ledger, project, guardId: id, now, by, why: 'shared with all projects' });
    requireChanged(changed, AGAIN);
    await upToDateStore(context, ledger);
  }
  return {
    json: { id, origin: project, pattern: pattern?.pattern_id ?? null, shared: true },
    text: guard
      ? `${id} now watches in all projects; \`guardkit guard promote ${id}\` lets it act in one.`
      : `${id} is shown to agents that start new projects.`,
  };
}
