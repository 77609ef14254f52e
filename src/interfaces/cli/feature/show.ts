import * as z from 'zod';
import { findWork } from '../../../config/work/find-work.ts';
import type { FeatureDefinition, TaskDefinition } from '../../../config/work/work.ts';
import type { WorkFault } from '../../../config/work/work-fault.ts';
import type { CriterionIds } from '../../../domain/criteria/assign-criterion-ids.ts';
import type { Feature } from '../../../domain/entities/feature.ts';
import { openFeatures } from '../../../enforcement/feature-list/open-features.ts';
import { describeEnd } from '../../../orchestration/session/compose-dossier.ts';
import { featureJson, stateJson } from '../../../orchestration/session/feature-json.ts';
import type { Failure } from '../../../orchestration/session/session.ts';
import type { RuleSources } from '../../../rules/load-rule-sources.ts';
import { mergeListedFeatures } from '../../../verification/definition/merge-listed-features.ts';
import { oneLine } from '../output/printable.ts';
import { type CliContext, defineCommand } from '../program/cli-command.ts';
import { gateLine, gatesJson, rulesOf } from '../task/describe-rules.ts';
import { withCompleted } from '../task/list.ts';
import { faultLine, knownCriteria, openWork } from '../task/open-work.ts';
import { showCriteria } from '../task/show.ts';
import { buildJson, readBuildStates } from './build-states.ts';
import { stateText } from './list.ts';

export const show = defineCommand({
  name: 'show',
  summary: 'Show a feature with its tasks, criteria and gates',
  arguments: [['<id>', 'Feature, or one of its tasks']],
  schema: z.object({ id: z.string() }),
  async run(context, { id }) {
    const { work: read, sources, root } = await openWork(context);
    const { features, notices } = await openFeatures(context, root);
    const work = mergeListedFeatures(withCompleted(read, features), features.values());
    const { feature, tasks, faults } = findWork(work, findWork(work, id).feature.id);
    const known = await knownCriteria(context);
    const state = features.get(feature.id);
    const attempts = await attemptsOf(context, state);
    const build = (await readBuildStates(context))(feature.id);
    return {
      json: {
        ...featureJson(feature),
        ...stateJson(state),
        ...buildJson(build),
        verify: feature.verify ?? null,
        attempts,
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
      text: [
        describe(feature, tasks, faults, sources, known, state, stateText(state, build), context.width),
        ...attempts.flatMap((one) => attemptLines(one, context.width)),
        ...noteLines(state?.notes ?? '', context.width),
      ].join('\n'),
      notices,
    };
  },
});

/** Failed attempts since a person last unblocked it. */
async function attemptsOf(context: CliContext, state: Feature | undefined): Promise<Failure[]> {
  const { project } = await context.workspace();
  // A feature with failures has a ledger, so this creates none.
  if (!state || state.retries === 0 || !project.known) return [];
  const { attemptFailures } = await import('../../../orchestration/session-record/session-features.ts');
  return attemptFailures(await context.ledger(), project.id, state.id);
}

function attemptLines({ attempt, outcome, why, tried }: Failure, width: number): string[] {
  return [
    '',
    oneLine(describeEnd({ attempt, outcome }), width),
    ...paragraph(why, width),
    ...(tried === '' ? [] : ['  tried:', ...paragraph(tried, width)]),
  ];
}

function noteLines(notes: string, width: number): string[] {
  return notes.trim() === '' ? [] : ['', 'notes:', ...paragraph(notes, width)];
}

const MOST_LINES = 20;

/** The last lines, which matter most. */
function paragraph(text: string, width: number): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const shown = lines.slice(-MOST_LINES).map((line) => `  ${oneLine(line, width - 2)}`);
  return lines.length > MOST_LINES ? [`  … ${lines.length - MOST_LINES} lines before`, ...shown] : shown;
}

function describe(
  feature: FeatureDefinition,
  tasks: readonly TaskDefinition[],
  faults: readonly WorkFault[],
  sources: RuleSources,
  known: (task: string) => CriterionIds,
  state: Feature | undefined,
  stated: string,
  width: number,
): string {
  return [
    oneLine(`${feature.id}: ${feature.name}`, width),
    `  ${feature.path ?? 'no file; derived from its tasks'}`,
    `  ${stated}${state?.evidence.length ? ` (${state.evidence[0]})` : ''}`,
    ...(state?.blocked_reason ? [`  blocked: ${oneLine(state.blocked_reason, width)}`] : []),
    ...(feature.description === '' ? [] : [`  ${oneLine(feature.description, width)}`]),
    ...(feature.ui ? ['  has a UI and needs a browser check'] : []),
    ...(feature.dependencies.length === 0 ? [] : [`  depends on ${feature.dependencies.join(', ')}`]),
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
