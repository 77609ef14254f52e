import { listedFeature } from '../../../domain/feature-list/feature-list.ts';
import type { ListedFields } from '../../../domain/feature-list/list-fields.ts';
import { describeMissing, planAddition } from '../../../enforcement/feature-list/plan-feature-edit.ts';
import { loadRuleSources } from '../../../rules/load-rule-sources.ts';
import { resolveQualityGates } from '../../../rules/resolve-quality-gates.ts';
import { oneLine } from '../output/printable.ts';
import type { CliContext, Report } from '../program/cli-command.ts';
import { requireRoot } from '../task/open-work.ts';
import type { AddInput } from './add-input.ts';
import { changeFeatures, tryFeatureChange } from './change-features.ts';

export async function runAdd(context: CliContext, input: AddInput): Promise<Report> {
  const { id, dryRun } = input;
  const { type, complexity = 5 } = input;
  if (type !== undefined) await assertTaskType(context, type, complexity);
  const says: ListedFields = {
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
    planAddition(features, tasks, { id, says }, editor),
  );
  const [added] = changed;
  const line = added ? `${added.id}: ${oneLine(added.description, context.width - 20)}` : '';
  return {
    json: { feature: added ? listedFeature(added) : null, added: !dryRun, dry_run: dryRun },
    text: `${dryRun ? 'Would add' : 'Added'} ${line}`,
    notices: [...notices, ...describeMissing(current, changed), ...(added ? tellUntestable(added) : [])],
  };
}

/** Refuses a type that is not known here, with those that are. */
export async function assertTaskType(context: CliContext, type: string, complexity: number): Promise<void> {
  const { store } = await context.workspace();
  resolveQualityGates(await loadRuleSources(requireRoot(context), store), type, complexity);
}

function tellUntestable({
  id,
  acceptance_criteria,
}: {
  id: string;
  acceptance_criteria: readonly unknown[];
}) {
  return acceptance_criteria.length > 0
    ? []
    : [`${id} has no criterion yet: \`guardkit feature edit ${id} --criterion-add TEXT\` adds one.`];
}
