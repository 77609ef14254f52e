import * as z from 'zod';
import { findWork } from '../../../config/find-work.ts';
import type { FeatureDefinition, TaskDefinition } from '../../../config/work.ts';
import type { WorkFault } from '../../../config/work-fault.ts';
import type { CriterionIds } from '../../../domain/assign-criterion-ids.ts';
import type { Feature } from '../../../domain/feature.ts';
import { openFeatures } from '../../../enforcement/features/open-features.ts';
import type { RuleSources } from '../../../rules/rule-sources.ts';
import { withListed } from '../../../verification/definition/with-listed.ts';
import { defineCommand } from '../cli-command.ts';
import { oneLine } from '../printable.ts';
import { gateLine, gatesJson, rulesOf } from '../task/describe-rules.ts';
import { knownCriteria } from '../task/known-criteria.ts';
import { faultLine, openWork } from '../task/open-work.ts';
import { showCriteria } from '../task/show.ts';
import { stateJson, stateText } from './feature-state.ts';
import { featureJson } from './list.ts';

export const show = defineCommand({
  name: 'show',
  summary: 'show a feature: its tasks in the order they can be done, with criteria and gates',
  arguments: [['<id>', 'the feature, or one of its tasks']],
  schema: z.object({ id: z.string() }),
  async run(context, { id }) {
    const { work: read, sources, root } = await openWork(context);
    const { features, notices } = await openFeatures(context, root);
    const work = withListed(read, features.get(id));
    const { feature, tasks, faults } = findWork(work, findWork(work, id).feature.id);
    const known = await knownCriteria(context);
    const state = features.get(feature.id);
    return {
      json: {
        ...featureJson(feature),
        ...stateJson(state),
        verify: feature.verify ?? null,
        tasks: tasks.map((task) => ({
          id: task.id,
          title: task.title,
          status: task.status,
          task_type: task.task_type,
          complexity: task.complexity,
          dependencies: task.dependencies,
          criteria: showCriteria(task, known(task.id)),
          gates: gatesJson(rulesOf(sources, task).gates),
          path: task.path,
        })),
        faults,
      },
      text: describe(feature, tasks, faults, sources, known, state, context.width),
      notices,
    };
  },
});

function describe(
  feature: FeatureDefinition,
  tasks: readonly TaskDefinition[],
  faults: readonly WorkFault[],
  sources: RuleSources,
  known: (task: string) => CriterionIds,
  state: Feature | undefined,
  width: number,
): string {
  return [
    oneLine(`${feature.id}: ${feature.name}`, width),
    `  ${feature.path ?? 'no file of its own: it follows from its tasks'}`,
    `  ${stateText(state)}${state?.evidence.length ? ` (${state.evidence[0]})` : ''}`,
    ...(state?.blocked_reason ? [`  blocked: ${oneLine(state.blocked_reason, width)}`] : []),
    ...(feature.description === '' ? [] : [`  ${oneLine(feature.description, width)}`]),
    ...(feature.ui ? ['  seen in a browser'] : []),
    ...(feature.dependencies.length === 0 ? [] : [`  waits for ${feature.dependencies.join(', ')}`]),
    ...tasks.flatMap((task) => taskLines(task, sources, known(task.id), width)),
    ...faults.map(faultLine),
  ].join('\n');
}

function taskLines(task: TaskDefinition, sources: RuleSources, known: CriterionIds, width: number): string[] {
  const { gates } = rulesOf(sources, task);
  const after = task.dependencies.length === 0 ? '' : `, after ${task.dependencies.join(', ')}`;
  return [
    '',
    oneLine(`${task.id}: ${task.title} (${task.status}${after})`, width),
    ...(gates ? [`  gates: ${gateLine(gates)}`] : []),
    ...showCriteria(task, known).map(({ id, text }) => `  ○ ${oneLine(`${id ?? '?'}: ${text}`, width - 4)}`),
  ];
}
