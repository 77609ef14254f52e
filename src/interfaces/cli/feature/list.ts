import * as z from 'zod';
import { readWork } from '../../../config/read-work.ts';
import type { FeatureDefinition } from '../../../config/work.ts';
import { defineCommand } from '../cli-command.ts';
import { oneLine, plural } from '../printable.ts';
import { faultNotice, requireRoot } from '../task/open-work.ts';

export const list = defineCommand({
  name: 'list',
  summary: 'list the features of this project, those that follow from a task alone included',
  schema: z.object({}),
  async run(context) {
    const work = await readWork(requireRoot(context));
    const features = [...work.features].sort((a, b) => a.priority - b.priority);
    const width = Math.max(0, ...features.map(({ id }) => id.length));
    return {
      json: { features: features.map(featureJson), faults: work.faults.length },
      text: [
        plural(features.length, 'feature'),
        ...features.map(({ id, name, tasks }) => {
          const row = `  ${id.padEnd(width)}  ${plural(tasks.length, 'task').padEnd(8)}  `;
          return row + oneLine(name, context.width - row.length);
        }),
        ...(features.length === 0 ? ['`guardkit task create "TITLE"` makes the first.'] : []),
      ].join('\n'),
      notices: faultNotice(work),
    };
  },
});

export function featureJson(feature: FeatureDefinition) {
  return {
    id: feature.id,
    name: feature.name,
    description: feature.description,
    priority: feature.priority,
    task_type: feature.task_type,
    complexity: feature.complexity,
    ui: feature.ui,
    tasks: feature.tasks,
    dependencies: feature.dependencies,
    path: feature.path ?? null,
  };
}
