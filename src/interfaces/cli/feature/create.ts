import * as z from 'zod';
import { createWorkFile, planWorkFile, type WorkFileRequest } from '../../../config/work/create-work-file.ts';
import { findWork } from '../../../config/work/find-work.ts';
import { readWork } from '../../../config/work/read-work.ts';
import type { Work } from '../../../config/work/work.ts';
import { featureTemplate } from '../../../config/work/work-templates.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { oneLineText, prefixedId } from '../input/work-fields.ts';
import { defineCommand } from '../program/cli-command.ts';
import { ownFiles } from '../protection/own-files.ts';
import { requireRoot } from '../task/open-work.ts';

export const create = defineCommand({
  name: 'create',
  summary: 'Create a feature file (not needed for one task)',
  arguments: [['<name>', 'What the user gets, in one line']],
  options: [
    ['--id <id>', 'Id (default: the next free one, such as FEAT-001)'],
    ['--task <id>', 'Task of the feature, in order', 'repeatable'],
    ['--ui', 'The feature has a UI and needs a browser check'],
  ],
  changes: true,
  schema: z.object({
    name: oneLineText(300),
    id: prefixedId('FEAT-').optional(),
    task: z.array(z.string()).default([]),
    ui: z.boolean().default(false),
    dryRun: z.boolean().default(false),
  }),
  async run(context, { name, id, task, ui, dryRun }) {
    const root = requireRoot(context);
    const tasks = [...new Set(task)];
    const work = await readWork(root);
    for (const one of tasks) assertFree(work, one, id);
    const request: WorkFileRequest = {
      kind: 'feature',
      id,
      text: (made) => featureTemplate({ id: made, name, tasks, ui }),
    };
    const made = dryRun ? planWorkFile(root, request) : createWorkFile(root, request);
    if (!dryRun) await ownFiles(context, [made.path]);
    return {
      json: { id: made.id, path: made.path, tasks, ui, dry_run: dryRun },
      text: [
        `${dryRun ? 'Would write' : 'Wrote'} ${made.path}`,
        ...(dryRun ? [] : [`Next: ${nextStep(made.id, made.path, tasks)}`]),
      ].join('\n'),
    };
  },
});

/** A task belongs to one feature only. */
function assertFree(work: Work, taskId: string, featureId: string | undefined): void {
  const { feature } = findWork(work, taskId);
  const task = work.tasks.find(({ id }) => id === taskId);
  if (!task) {
    throw new GuardKitError({
      code: 'usage',
      kind: 'input',
      message: `--task ${taskId}: is a feature, not a task.`,
      hint: 'Specify a task from `guardkit task list`. Nothing was written.',
    });
  }
  if (feature.id === taskId || feature.id === featureId) return;
  throw new GuardKitError({
    code: 'work.owned',
    kind: 'refused',
    message: `${taskId} already belongs to ${feature.id} (${feature.path ?? `feature_id in ${task.path}`}).`,
    hint: 'A task belongs to one feature; remove it there first. Nothing was written.',
  });
}

function nextStep(id: string, path: string, tasks: readonly string[]): string {
  return tasks.length === 0
    ? `\`guardkit task create "TITLE" --feature ${id}\`, or list tasks in ${path}; then commit.`
    : `commit ${path}; \`guardkit feature validate ${id}\` checks it.`;
}
