import * as z from 'zod';
import { refSafeIdSchema } from '../../../domain/entities/task.ts';
import { listedFeature } from '../../../domain/feature-list/feature-list.ts';
import type { ListedFields } from '../../../domain/feature-list/list-fields.ts';
import { describeMissing, planAddition } from '../../../enforcement/feature-list/plan-feature-edit.ts';
import { loadRuleSources } from '../../../rules/load-rule-sources.ts';
import { resolveQualityGates } from '../../../rules/resolve-quality-gates.ts';
import { criteria, ids, listField } from '../input/work-fields.ts';
import { oneLine } from '../output/printable.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { requireRoot } from '../task/open-work.ts';
import { changeFeatures, tryFeatureChange } from './change-features.ts';

/** Input of `feature add`. */
const addSchema = z.object({
  description: listField('description').refine((text) => text.trim() !== '', 'must not be empty'),
  id: refSafeIdSchema.optional(),
  priority: listField('priority').optional(),
  dependsOn: ids,
  criterion: criteria,
  type: listField('task_type').optional(),
  complexity: listField('complexity').optional(),
  ui: z.boolean().default(false),
  dryRun: z.boolean().default(false),
});

export type AddInput = z.infer<typeof addSchema>;

export const add = defineCommand({
  name: 'add',
  summary: 'Add a feature to the feature list',
  arguments: [['<description>', 'What the user gets']],
  options: [
    ['--id <id>', 'Id (default: the next free one, such as F001)'],
    ['--priority <n>', 'Number (1 = most urgent), or critical to low (default: 3)'],
    ['--depends-on <id>', 'Feature that must be done first', 'repeatable'],
    ['--criterion <text>', 'Acceptance criterion', 'repeatable'],
    ['--type <type>', 'Task type, which selects the gates (default: feature)'],
    ['--complexity <n>', 'Complexity from 1 to 10 (default: 5)'],
    ['--ui', 'The feature has a UI and needs a browser check'],
  ],
  changes: true,
  schema: addSchema,
  run: runAdd,
});

async function runAdd(context: CliContext, input: AddInput): Promise<Report> {
  const { id, dryRun } = input;
  const { type, complexity = 5 } = input;
  if (type !== undefined) await assertTaskType(context, type, complexity);
  const values: ListedFields = {
    description: input.description.trim(),
    dependencies: [...new Set(input.dependsOn)],
    acceptance_criteria: input.criterion,
    ui: input.ui,
    complexity,
    ...(input.priority === undefined ? {} : { priority: input.priority }),
    ...(type === undefined ? {} : { task_type: type }),
  };
  const change = dryRun ? tryFeatureChange : changeFeatures;
  const { current, changed, notices } = await change(context, (features, editor, tasks) =>
    planAddition(features, tasks, { id, values }, editor),
  );
  const [added] = changed;
  const line = added ? `${added.id}: ${oneLine(added.description, context.width - 20)}` : '';
  return {
    json: { feature: added ? listedFeature(added) : null, added: !dryRun, dry_run: dryRun },
    text: `${dryRun ? 'Would add' : 'Added'} ${line}`,
    notices: [...notices, ...describeMissing(current, changed), ...(added ? describeUntestable(added) : [])],
  };
}

/** Refuses an unknown type and lists the known ones. */
export async function assertTaskType(context: CliContext, type: string, complexity: number): Promise<void> {
  const { store } = await context.workspace();
  resolveQualityGates(await loadRuleSources(requireRoot(context), store), type, complexity);
}

function describeUntestable({
  id,
  acceptance_criteria,
}: {
  id: string;
  acceptance_criteria: readonly unknown[];
}) {
  return acceptance_criteria.length > 0
    ? []
    : [`${id} has no criterion yet; add one with \`guardkit feature edit ${id} --criterion-add TEXT\`.`];
}
