import * as z from 'zod';
import { planUnblock } from '../../../enforcement/feature-list/plan-feature-edit.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { lockFeature } from '../../../orchestration/feature-build/build-locks.ts';
import { planReset, type ResetPlan, resetTask } from '../../../orchestration/feature-build/reset-task.ts';
import { findBuilt } from '../../../orchestration/history/read-history.ts';
import { shownStatus } from '../../../orchestration/session/next-runnable.ts';
import { MAX_ATTEMPTS } from '../../../orchestration/session/session.ts';
import { systemClock } from '../../../platform/clock.ts';
import { readFeature } from '../../../store/ledger/tables/feature-table.ts';
import { changeFeatures } from '../feature/change-features.ts';
import { openHistory } from '../feature-build/open-history.ts';
import { confirm } from '../input/questions.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { personName, requirePerson } from '../verification/person-name.ts';

export const reset = defineCommand({
  name: 'reset',
  summary: 'Restart a task; its turns stay on record (person only)',
  arguments: [['<id>', 'Task id']],
  options: [['--reason <text>', 'Reason, for the record (required)']],
  changes: true,
  schema: z.object({
    id: z.string().min(1),
    reason: z.string('required, for example --reason "the wrong approach"').trim().min(1, 'required'),
    dryRun: z.boolean().default(false),
  }),
  run: runReset,
});

interface ResetInput {
  id: string;
  reason: string;
  dryRun: boolean;
}

async function runReset(context: CliContext, { id, reason, dryRun }: ResetInput): Promise<Report> {
  const opened = await openHistory(context);
  const { home } = await context.workspace();
  const built = findBuilt(opened.ledger, opened.project, id).findLast(({ taskId }) => taskId === id);
  if (!built) throw notATask(id);
  const lock = await lockFeature(home, opened.project, built.featureId);
  try {
    const plan = planReset(opened, built.featureId, id);
    const feature = readFeature(opened.ledger, opened.project, built.featureId);
    const isBlocked = feature !== undefined && shownStatus(feature) === 'blocked';
    const blocked = isBlocked ? { id: feature.id, maxAttempts: MAX_ATTEMPTS } : undefined;
    const told = [...effects(plan), ...(blocked ? [`${blocked.id} will be unblocked.`] : [])];
    if (dryRun) return report(plan, false, null, [`would reset ${plan.tasks.join(', ')}`, ...told]);
    requirePerson(context, 'reset a task');
    const asked = [...told, `Reset ${plan.tasks.join(', ')}?`].join('\n');
    if (!(await confirm(context, asked))) throw declined();
    const by = personName(context.env);
    const { kept } = await resetTask(opened, plan, { by, reason, at: systemClock() });
    if (blocked)
      await changeFeatures(context, (features) => planUnblock(features, { ...blocked, by, reason }));
    return report(plan, true, kept, [
      `${plan.tasks.join(', ')} ${plan.tasks.length === 1 ? 'restarts' : 'restart'} with the next \`guardkit feature-build ${plan.featureId}\`.`,
      ...(blocked ? [`${plan.featureId} is pending again with a new attempt count.`] : []),
      ...(kept ? [`The previous state is kept on ${kept}.`] : []),
    ]);
  } finally {
    lock.release();
  }
}

function effects({ featureId, taskId, tasks, branch, backTo }: ResetPlan): string[] {
  const others = tasks.filter((task) => task !== taskId);
  return [
    ...(others.length > 0
      ? [`${others.join(', ')} was built on top of ${taskId} and is reset with it.`]
      : []),
    ...(branch === undefined
      ? []
      : [
          backTo === undefined
            ? `The worktree and the branch ${branch} are deleted; the next build creates them again.`
            : `The branch ${branch} goes back to ${backTo.slice(0, 12)}, where ${taskId} started.`,
        ]),
    `Every turn stays on record and under refs/guardkit/${featureId}, including uncommitted files.`,
  ];
}

function report(plan: ResetPlan, done: boolean, kept: string | null, lines: readonly string[]): Report {
  const { featureId: feature, taskId: task, tasks, backTo } = plan;
  return {
    json: { feature, task, tasks, back_to: backTo ?? null, reset: done, kept },
    text: lines.join('\n'),
  };
}

function notATask(id: string): GuardKitError {
  return new GuardKitError({
    code: 'reset.feature',
    kind: 'input',
    message: `${id} is a feature, not a task.`,
    hint: `Specify one of its tasks, or discard the feature with \`guardkit feature discard ${id}\`.`,
  });
}

function declined(): GuardKitError {
  return new GuardKitError({
    code: 'reset.declined',
    kind: 'refused',
    message: 'Cancelled; nothing was reset.',
    hint: 'Use --dry-run to preview.',
  });
}
