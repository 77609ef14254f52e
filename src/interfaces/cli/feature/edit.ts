import * as z from 'zod';
import { canonicalCriterionId } from '../../../domain/criteria/criterion.ts';
import { FEATURE_STATUSES, type Feature } from '../../../domain/entities/feature.ts';
import { listedFeature } from '../../../domain/feature-list/feature-list.ts';
import { FIELD_READERS, type ListField } from '../../../domain/feature-list/list-fields.ts';
import { canonicalJson } from '../../../domain/json/json.ts';
import {
  describeMissing,
  type FeatureEdit,
  planFeatureEdit,
} from '../../../enforcement/feature-list/plan-feature-edit.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { confirm } from '../input/questions.ts';
import { criteria, ids, listField } from '../input/work-fields.ts';
import { oneLine } from '../output/printable.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { requirePerson } from '../verification/person-name.ts';
import { assertTaskType } from './add.ts';
import {
  type Asked,
  type ChangedFeatures,
  changeFeatures,
  requireFeature,
  tryFeatureChange,
} from './change-features.ts';

/** Input of `feature edit`. */
const editSchema = z.object({
  id: z.string().min(1),
  description: listField('description').optional(),
  priority: listField('priority').optional(),
  status: listField('status').optional(),
  notes: listField('notes').optional(),
  type: listField('task_type').optional(),
  complexity: listField('complexity').optional(),
  criterionAdd: criteria,
  criterionRemove: z.array(z.string().min(1).max(40)).default([]),
  dependencyAdd: ids,
  dependencyRemove: ids,
  remove: z.boolean().default(false),
  dryRun: z.boolean().default(false),
});

type EditInput = z.infer<typeof editSchema>;

export const edit = defineCommand({
  name: 'edit',
  summary: 'Change a feature in the list',
  arguments: [['<id>', 'Feature id']],
  options: [
    ['--description <text>', 'What the user gets'],
    ['--priority <n>', 'Number (1 = most urgent), or critical to low'],
    ['--status <status>', `One of ${FEATURE_STATUSES.join(', ')}`],
    ['--notes <text>', 'Replace the notes for the next agent'],
    ['--type <type>', 'Task type, which selects the gates'],
    ['--complexity <n>', 'Complexity from 1 to 10'],
    ['--criterion-add <text>', 'Acceptance criterion to add', 'repeatable'],
    ['--criterion-remove <id>', 'Id of a criterion to remove (person only)', 'repeatable'],
    ['--dependency-add <id>', 'Dependency to add', 'repeatable'],
    ['--dependency-remove <id>', 'Dependency to remove', 'repeatable'],
    ['--remove', 'Remove the feature from the list (person only)'],
  ],
  changes: true,
  schema: editSchema,
  run: runEdit,
});

async function runEdit(context: CliContext, input: EditInput): Promise<Report> {
  const { id, dryRun } = input;
  const edit = readEdit(input);
  const ask: Asked = (features, editor) => {
    requireFeature(features, id);
    return planFeatureEdit(features, id, edit, editor);
  };
  // Before asking and before creating anything.
  const planned = await tryFeatureChange(context, ask);
  const { complexity } = requireFeature(planned.current, id);
  if (input.type !== undefined) await assertTaskType(context, input.type, input.complexity ?? complexity);
  if (!dryRun && takesAway(edit)) await askPerson(context, id, edit, planned);
  return report(id, dryRun ? planned : await changeFeatures(context, ask), dryRun);
}

function readEdit(input: EditInput): FeatureEdit {
  const { description, priority, status, notes, type: task_type, complexity } = input;
  const fields = { description, priority, status, notes, task_type, complexity };
  const values = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const edit: FeatureEdit = {
    values,
    criteriaAdded: input.criterionAdd,
    criteriaRemoved: input.criterionRemove,
    dependenciesAdded: input.dependencyAdd,
    dependenciesRemoved: input.dependencyRemove,
    remove: input.remove,
  };
  const parts = [edit.criteriaAdded, edit.criteriaRemoved, edit.dependenciesAdded, edit.dependenciesRemoved];
  const count = Object.keys(values).length + parts.flat().length;
  if (edit.remove ? count > 0 : count === 0)
    throw new GuardKitError({
      code: 'usage',
      kind: 'input',
      message: edit.remove ? '--remove cannot be combined with other changes.' : 'No change given.',
      hint: 'Run the command with --help to see the options.',
    });
  return edit;
}

function takesAway({ remove, criteriaRemoved }: FeatureEdit): boolean {
  return remove || criteriaRemoved.length > 0;
}

async function askPerson(
  context: CliContext,
  id: string,
  { remove, criteriaRemoved }: FeatureEdit,
  { current }: ChangedFeatures,
): Promise<void> {
  requirePerson(context, remove ? 'remove a feature' : 'remove a criterion');
  const { description, acceptance_criteria } = requireFeature(current, id);
  const gone = new Set(criteriaRemoved.map(canonicalCriterionId));
  const criteria = acceptance_criteria.filter((one) => remove || gone.has(canonicalCriterionId(one.id)));
  const lines = [
    `${id}: ${oneLine(description, 200)}`,
    ...criteria.map((one) => `  ${one.id}: ${oneLine(one.text, 200)}`),
    remove ? `Remove ${id}?` : `Remove ${criteriaRemoved.join(', ')} of ${id}?`,
  ];
  if (await confirm(context, lines.join('\n'))) return;
  throw new GuardKitError({
    code: 'edit.declined',
    kind: 'refused',
    message: 'Cancelled; nothing removed.',
    hint: 'Use --dry-run to preview.',
  });
}

function report(
  id: string,
  { current, changed, removed, notices }: ChangedFeatures,
  dryRun: boolean,
): Report {
  const before = requireFeature(current, id);
  const [after = before] = changed;
  const fields = removed.length > 0 ? [] : changedFields(before, after);
  const would = dryRun ? 'would be' : 'is';
  return {
    json: {
      feature: removed.length > 0 ? null : listedFeature(after),
      changed: fields,
      removed: removed.length > 0,
      dry_run: dryRun,
    },
    text:
      removed.length > 0
        ? `${id} ${would} removed.`
        : fields.length > 0
          ? `${id} ${would} changed: ${fields.join(', ')}.`
          : `${id} already has these values.`,
    notices: [...notices, ...describeMissing(current, changed), ...describeWaiting(current, removed)],
  };
}

function changedFields(before: Feature, after: Feature): ListField[] {
  const fields = Object.keys(FIELD_READERS) as ListField[];
  return fields.filter((field) => canonicalJson(before[field]) !== canonicalJson(after[field]));
}

function describeWaiting(current: readonly Feature[], removed: readonly string[]): string[] {
  return current
    .filter(
      ({ id, dependencies }) => !removed.includes(id) && dependencies.some((one) => removed.includes(one)),
    )
    .map(
      ({ id }) =>
        `${id} still depends on ${removed.join(', ')}; remove that with \`guardkit feature edit ${id} --dependency-remove ${removed[0]}\`.`,
    );
}
