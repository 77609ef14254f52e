import { orderByDependencies } from '../../domain/dependencies.ts';
import { taskSchema } from '../../domain/entities/task.ts';
import { didYouMean, nearestWord } from '../../domain/nearest-word.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import type { FeatureDefinition, TaskDefinition, Work } from './work.ts';
import { isFeatureFile, isNamedFor } from './work.ts';
import { formatWorkFault, type WorkFault } from './work-fault.ts';

export interface FoundWork {
  feature: FeatureDefinition;
  /** All tasks of a feature in order, at least one; or the task itself. */
  tasks: TaskDefinition[];
  /** Faults in their files, unreadable tasks of the feature included: without them it is incomplete. */
  faults: WorkFault[];
}

/** Finds a feature with its tasks, or one task and its feature. */
export function findWork(work: Work, id: string): FoundWork {
  const task = work.tasks.find((one) => one.id === id);
  const feature = work.features.find((one) => (task ? one.tasks.includes(id) : one.id === id));
  if (!feature) throw unknownWork(work, id);
  const tasks = task ? [task] : orderTasks(work, feature);
  const files = new Set(task ? [...feature.files.filter(isFeatureFile), task.path] : feature.files);
  return { feature, tasks, faults: work.faults.filter(({ file }) => files.has(file)) };
}

/** A feature's tasks, dependencies first; a feature without tasks is its own task. */
export function orderTasks({ tasks }: Pick<Work, 'tasks'>, feature: FeatureDefinition): TaskDefinition[] {
  if (feature.tasks.length === 0) return [asTask(feature)];
  const byId = new Map(tasks.map((task) => [task.id, task]));
  return orderByDependencies(feature.tasks.flatMap((id) => byId.get(id) ?? []));
}

function asTask({
  id,
  name,
  task_type,
  complexity,
  ui,
  criteria,
  path = '',
}: FeatureDefinition): TaskDefinition {
  const task = taskSchema.parse({ id, title: name, task_type, complexity, ui, criteria, feature_id: id });
  return { ...task, path };
}

function unknownWork(work: Work, id: string): GuardKitError {
  const broken = work.faults.filter(({ file }) => isNamedFor(file, id));
  if (broken.length > 0) {
    return new GuardKitError({
      code: 'work.invalid',
      kind: 'input',
      message: `${id} cannot be read:\n${broken.map(formatWorkFault).join('\n')}`,
      hint: 'Correct these lines; `guardkit feature validate` lists every error.',
      faults: broken,
    });
  }
  const known = [...new Set([...work.features.map((one) => one.id), ...work.tasks.map((one) => one.id)])];
  const near = nearestWord(id, known);
  return new GuardKitError({
    code: 'work.unknown',
    kind: 'input',
    message: `No such feature or task: ${id.slice(0, 80)}.${didYouMean(near)}`,
    hint:
      known.length === 0
        ? 'Create one with `guardkit task create "TITLE"`.'
        : 'See `guardkit feature list` and `guardkit task list`.',
  });
}
