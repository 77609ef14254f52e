import * as z from 'zod';
import { findWork } from '../../../config/work/find-work.ts';
import type { TaskDefinition } from '../../../config/work/work.ts';
import type { WorkFault } from '../../../config/work/work-fault.ts';
import { assignCriterionIds, type CriterionIds } from '../../../domain/criteria/assign-criterion-ids.ts';
import { openFeatures } from '../../../enforcement/feature-list/open-features.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { oneLine, printable } from '../output/printable.ts';
import { defineCommand } from '../program/cli-command.ts';
import { gateLine, gatesJson, modeJson, rulesOf, type TaskRules } from './describe-rules.ts';
import { taskJson, withCompleted } from './list.ts';
import { faultLine, knownCriteria, openWork } from './open-work.ts';

export const show = defineCommand({
  name: 'show',
  summary: 'Show a task with its criteria, dependencies and gates',
  arguments: [['<id>', 'Task id']],
  schema: z.object({ id: z.string() }),
  async run(context, { id }) {
    const { root, work: read, sources } = await openWork(context);
    const { features, notices } = await openFeatures(context, root);
    const work = withCompleted(read, features);
    const { faults: all } = findWork(work, id);
    const task = work.tasks.find((one) => one.id === id);
    if (!task) throw isFeature(id);
    const faults = all.filter(({ file }) => file === task.path);
    const rules = rulesOf(sources, task);
    const criteria = showCriteria(task, (await knownCriteria(context))(id));
    return {
      json: {
        ...taskJson(work, task),
        criteria,
        implementation_mode: task.implementation_mode ?? null,
        suggested_mode: modeJson(rules.mode),
        gates: gatesJson(rules.gates),
        ui: task.ui ?? null,
        removes_tests: task.removes_tests,
        changes_tests: task.changes_tests,
        tests_may_pass_on_base: task.tests_may_pass_on_base,
        verify: task.verify ?? null,
        extra: task.extra,
        faults,
      },
      text: describe(task, rules, criteria, faults, context.width),
      notices,
    };
  },
});

export interface ShownCriterion {
  /** Null if no id could be assigned. */
  id: string | null;
  text: string;
  detail: string;
  /** Whether the id is in the file; otherwise verification may assign another. */
  written: boolean;
}

export function showCriteria(
  { criteria }: Pick<TaskDefinition, 'criteria'>,
  known: CriterionIds,
): ShownCriterion[] {
  const assigned = assignCriterionIds(criteria, known);
  return criteria.map(({ id, text, detail }, index) => ({
    id: assigned.ok ? (assigned.criteria[index]?.id ?? null) : (id ?? null),
    text,
    detail,
    written: id !== undefined,
  }));
}

function describe(
  task: TaskDefinition,
  { gates, mode }: TaskRules,
  criteria: readonly ShownCriterion[],
  faults: readonly WorkFault[],
  width: number,
): string {
  const suggested = mode && mode.mode !== task.implementation_mode ? `suggested: ${mode.mode}` : undefined;
  const modes = [task.implementation_mode, suggested].filter((one) => one !== undefined);
  const field = (name: string, value: string | undefined) =>
    value ? [`  ${name.padEnd(12)} ${oneLine(value, width)}`] : [];
  return [
    oneLine(`${task.id}: ${task.title}`, width),
    ...field('file', task.path),
    ...field('status', task.status),
    ...field('type', `${task.task_type}, complexity ${task.complexity}`),
    ...field('feature', task.feature_id),
    ...field('depends on', task.dependencies.join(', ')),
    ...field('mode', modes.join(', ')),
    ...field('gates', gates && gateLine(gates)),
    ...field('removes', allOrNamed(task.removes_tests, 'tests')),
    ...field('changes', allOrNamed(task.changes_tests, 'tests')),
    ...field('may pass', allOrNamed(task.tests_may_pass_on_base, 'new tests, on the base too')),
    '',
    ...(task.criteria.length === 0 ? ['No acceptance criteria.'] : ['Acceptance criteria:']),
    ...criteria.flatMap(({ id, text, detail, written }) => [
      `  ${oneLine(`${id ?? '?'}${written ? '' : ' (id not in the file)'}: ${text}`, width)}`,
      ...detailLines(detail),
    ]),
    ...faults.map(faultLine),
  ].join('\n');
}

function allOrNamed(value: true | readonly string[], what: string): string {
  return value === true ? `all ${what}` : value.join(', ');
}

function detailLines(detail: string): string[] {
  return detail === ''
    ? []
    : printable(detail)
        .split('\n')
        .map((line) => `    ${line}`);
}

function isFeature(id: string): GuardKitError {
  return new GuardKitError({
    code: 'work.unknown',
    kind: 'input',
    message: `${id} is a feature, not a task.`,
    hint: `Run \`guardkit feature show ${id}\`.`,
  });
}
