import * as z from 'zod';
import { GuardKitError } from '../../../guardkit-error.ts';
import { lockFeature } from '../../../orchestration/feature-build/build-locks.ts';
import {
  type DiscardPlan,
  discardFeature,
  planDiscard,
} from '../../../orchestration/feature-build/discard-feature.ts';
import { systemClock } from '../../../platform/clock.ts';
import { openHistory } from '../feature-build/open-history.ts';
import { confirm } from '../input/questions.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { personName, requirePerson } from '../verification/person-name.ts';

export const discard = defineCommand({
  name: 'discard',
  summary: 'Delete a build’s worktree and branch (person only)',
  arguments: [['<id>', 'Feature id']],
  options: [['--reason <text>', 'Reason, for the record']],
  changes: true,
  schema: z.object({
    id: z.string().min(1),
    reason: z.string().default(''),
    dryRun: z.boolean().default(false),
  }),
  run: runDiscard,
});

interface DiscardInput {
  id: string;
  reason: string;
  dryRun: boolean;
}

async function runDiscard(context: CliContext, { id, reason, dryRun }: DiscardInput): Promise<Report> {
  const opened = await openHistory(context);
  const { home } = await context.workspace();
  const lock = await lockFeature(home, opened.project, planDiscard(opened, id).featureId);
  try {
    const plan = planDiscard(opened, id);
    if (dryRun) return { json: { ...json(plan), discarded: false }, text: `would remove\n${lines(plan)}` };
    requirePerson(context, 'discard a feature');
    const asked = `${lines(plan)}\nAll turns are kept under refs/guardkit/${id}, including uncommitted changes. Ignored files are deleted.\nDiscard ${id}?`;
    if (!(await confirm(context, asked))) throw declined();
    const by = personName(context.env);
    const { kept } = await discardFeature(opened, plan, { by, reason, at: systemClock() });
    return {
      json: { ...json(plan), discarded: true, kept },
      text: [
        `${id} is discarded. The next \`guardkit feature-build ${id}\` starts from scratch.`,
        ...(kept ? [`Commits without another ref are kept on ${kept}.`] : []),
      ].join('\n'),
    };
  } finally {
    lock.release();
  }
}

function json({ featureId, branch, worktree, tasks }: DiscardPlan) {
  return { feature: featureId, branch, worktree, tasks };
}

function lines({ branch, worktree, tasks }: DiscardPlan): string {
  return [`  worktree ${worktree}`, `  branch   ${branch}`, `  tasks    ${tasks.join(', ')} restart`].join(
    '\n',
  );
}

function declined(): GuardKitError {
  return new GuardKitError({
    code: 'discard.declined',
    kind: 'refused',
    message: 'Cancelled; nothing discarded.',
    hint: 'Use --dry-run to preview.',
  });
}
