import * as z from 'zod';
import { findWork } from '../../../config/work/find-work.ts';
import { readWork } from '../../../config/work/read-work.ts';
import type { TaskDefinition, Work } from '../../../config/work/work.ts';
import type { Feature } from '../../../domain/entities/feature.ts';
import { TASK_STATUSES } from '../../../domain/entities/task.ts';
import { didYouMean, nearestWord } from '../../../domain/nearest-word.ts';
import { openFeatures } from '../../../enforcement/feature-list/open-features.ts';
import { isDone } from '../../../orchestration/session/next-runnable.ts';
import { oneLine, plural } from '../output/printable.ts';
import { defineCommand } from '../program/cli-command.ts';
import { faultNotice, requireRoot } from './open-work.ts';

const statusSchema = z.enum(TASK_STATUSES, {
  error: ({ input }) => {
    const near = nearestWord(String(input), TASK_STATUSES);
    return near ? `no such status${didYouMean(near, '(')}` : `expected one of ${TASK_STATUSES.join(', ')}`;
  },
});

export const list = defineCommand({
  name: 'list',
  summary: 'List this project’s tasks',
  options: [
    ['--feature <id>', 'Only tasks of this feature'],
    ['--status <status>', 'Only tasks with this status'],
  ],
  schema: z.object({ feature: z.string().optional(), status: statusSchema.optional() }),
  async run(context, { feature, status }) {
    const root = requireRoot(context);
    const read = await readWork(root);
    const { features, notices } = await openFeatures(context, root);
    const work = withCompleted(read, features);
    const ids = feature === undefined ? undefined : findWork(work, feature).feature.tasks;
    const tasks = work.tasks.filter(
      (task) => (ids?.includes(task.id) ?? true) && (status === undefined || task.status === status),
    );
    return {
      json: { tasks: tasks.map((task) => taskJson(work, task)), faults: work.faults.length },
      text: [
        plural(tasks.length, 'task'),
        ...rows(work, tasks, context.width),
        ...(work.tasks.length === 0 ? ['`guardkit task create "TITLE"` creates the first.'] : []),
      ].join('\n'),
      notices: [...notices, ...faultNotice(work)],
    };
  },
});

/** Tasks of features that are done are completed, regardless of their files. */
export function withCompleted(work: Work, features: ReadonlyMap<string, Feature>): Work {
  const done = new Set([...features.values()].filter(isDone).map(({ id }) => id));
  const completed = new Set(work.features.filter(({ id }) => done.has(id)).flatMap(({ tasks }) => tasks));
  const tasks = work.tasks.map((task) =>
    completed.has(task.id) ? { ...task, status: 'completed' as const } : task,
  );
  return { ...work, tasks };
}

/** A task as JSON, without its criteria. */
export function taskJson(work: Work, task: TaskDefinition) {
  return {
    id: task.id,
    title: task.title,
    status: task.status,
    task_type: task.task_type,
    complexity: task.complexity,
    feature: featureOf(work, task.id),
    dependencies: task.dependencies,
    criteria_count: task.criteria.length,
    path: task.path,
  };
}

export function featureOf({ features }: Work, taskId: string): string {
  return features.find(({ tasks }) => tasks.includes(taskId))?.id ?? taskId;
}

function rows(work: Work, tasks: readonly TaskDefinition[], lineWidth: number): string[] {
  const width = Math.max(0, ...tasks.map(({ id }) => id.length));
  return tasks.map((task) => {
    const feature = featureOf(work, task.id);
    const of = feature === task.id ? '' : ` [${feature}]`;
    const row = `  ${task.id.padEnd(width)}  ${task.status.padEnd(11)}  `;
    return row + oneLine(`${task.task_type} ${task.complexity}: ${task.title}${of}`, lineWidth - row.length);
  });
}
