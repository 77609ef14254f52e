import { findCycles } from '../../domain/dependencies.ts';
import { didYouMean, nearestWord } from '../../domain/nearest-word.ts';
import type { Place } from '../yaml/yaml-file.ts';
import { type KnownIds, knownFeatures, knownTasks, type ReadFeature, type ReadTask } from './known-ids.ts';
import { isNamedFor } from './work.ts';
import type { WorkFault } from './work-fault.ts';

/** Faults between files, each at its line. */
export function checkWork(
  tasks: readonly ReadTask[],
  features: readonly ReadFeature[],
  taskTypes: readonly string[] | undefined,
): WorkFault[] {
  return [
    ...nameFaults(tasks.map((one) => ({ ...one, id: one.task?.id }))),
    ...nameFaults(features.map((one) => ({ ...one, id: one.feature?.id }))),
    ...duplicateFaults([
      ...features.map((one) => ({ ...one, id: one.feature?.id })),
      ...tasks.map((one) => ({ ...one, id: one.task?.id })),
    ]),
    ...typeFaults(tasks, features, taskTypes),
    ...membershipFaults(tasks, features),
    ...dependencyFaults(tasks, features),
    ...emptyFaults(tasks, features),
  ];
}

interface Named {
  path: string;
  id: string | undefined;
  placeOf(key: string): Place;
}

function nameFaults(files: readonly Named[]): WorkFault[] {
  return files.flatMap(({ path, id, placeOf }) => {
    if (id === undefined || isNamedFor(path, id)) return [];
    const hint = `rename the file so that it starts with ${id}, or correct the id`;
    return [
      {
        file: path,
        ...placeOf('id'),
        code: 'name-mismatch',
        message: `the file name does not start with the id ${id}`,
        hint,
      },
    ];
  });
}

/** Ignoring case, because some file systems do. */
function duplicateFaults(files: readonly Named[]): WorkFault[] {
  const first = new Map<string, string>();
  return files.flatMap(({ path, id, placeOf }) => {
    if (id === undefined) return [];
    const before = first.get(id.toLowerCase());
    if (before === undefined) {
      first.set(id.toLowerCase(), path);
      return [];
    }
    const message = `the id ${id} is already used by ${before}`;
    const hint = 'change one of the ids';
    return [{ file: path, ...placeOf('id'), code: 'duplicate-id', message, hint }];
  });
}

function typeFaults(
  tasks: readonly ReadTask[],
  features: readonly ReadFeature[],
  taskTypes: readonly string[] | undefined,
): WorkFault[] {
  if (!taskTypes) return [];
  const typed = [
    ...tasks.map((one) => ({ ...one, type: one.task?.task_type })),
    ...features.map((one) => ({ ...one, type: one.feature?.task_type })),
  ];
  return typed.flatMap(({ path, type, placeOf }) => {
    if (type === undefined || taskTypes.includes(type)) return [];
    const near = nearestWord(type, taskTypes);
    return [
      {
        file: path,
        ...placeOf('task_type'),
        code: 'unknown-task-type',
        message: `unknown task type "${type}"`,
        hint: didYouMean(near, '') || `use one of ${taskTypes.join(', ')}`,
      },
    ];
  });
}

function membershipFaults(tasks: readonly ReadTask[], features: readonly ReadFeature[]): WorkFault[] {
  const listedBy = new Map<string, string>();
  const known = knownTasks(tasks);
  const byId = new Map(tasks.flatMap(({ task }) => (task ? [[task.id, task] as const] : [])));
  const faults: WorkFault[] = [];
  for (const { path, feature, placeOfTask } of features) {
    if (!feature) continue;
    const { id: featureId, tasks: listed } = feature;
    const fault = (id: string, code: string, message: string, hint: string) =>
      faults.push({ file: path, ...placeOfTask(id), code, message, hint });
    for (const id of listed) {
      const other = listedBy.get(id);
      listedBy.set(id, other ?? featureId);
      const task = byId.get(id);
      if (other !== undefined)
        fault(
          id,
          'listed-twice',
          `${id} is listed ${other === featureId ? 'twice' : `in ${other} too`}`,
          'list it once',
        );
      else if (!known.has(id))
        fault(
          id,
          'no-task-file',
          `no file for ${id}`,
          known.hint(id, `create it: guardkit task create "TITLE" --id ${id}`),
        );
      else if (task?.feature_id !== undefined && task.feature_id !== featureId)
        fault(
          id,
          'two-features',
          `${id} is in two features: ${task.path} names ${task.feature_id}`,
          'change that feature_id, or remove it from this list',
        );
    }
  }
  return faults;
}

/** A feature has either tasks or its own criteria; with tasks, its criteria would be ignored. */
function emptyFaults(tasks: readonly ReadTask[], features: readonly ReadFeature[]): WorkFault[] {
  return features.flatMap(({ path, feature, placeOf }) => {
    if (!feature) return [];
    const hasTasks = feature.tasks.length > 0 || tasks.some(({ featureId }) => featureId === feature.id);
    const hasCriteria = feature.criteria.length > 0;
    if (hasTasks !== hasCriteria) return [];
    return hasTasks
      ? [
          {
            file: path,
            ...placeOf('acceptance_criteria'),
            code: 'criteria-ignored',
            message: `${feature.id} has tasks, so its own acceptance criteria are ignored`,
            hint: 'move them to the task files',
          },
        ]
      : [
          {
            file: path,
            ...placeOf('id'),
            code: 'empty-feature',
            message: `${feature.id} has neither tasks nor acceptance criteria`,
            hint: `list tasks, set feature_id: ${feature.id} in a task file, or add acceptance_criteria`,
          },
        ];
  });
}

/** Unknown dependencies, and dependency cycles. */
function dependencyFaults(tasks: readonly ReadTask[], features: readonly ReadFeature[]): WorkFault[] {
  const edges = [
    ...tasks.flatMap(({ path: file, task, placeOfDependency }) =>
      (task?.dependencies ?? []).map((on) => ({
        file,
        from: task?.id ?? '',
        on,
        place: () => placeOfDependency(on),
      })),
    ),
    ...features.flatMap(({ path: file, edges: own }) =>
      own.map(({ task, on, place }) => ({ file, from: task, on, place: () => place })),
    ),
  ];
  const betweenFeatures = features.flatMap(({ path: file, feature, placeOfDependency }) =>
    (feature?.dependencies ?? []).map((on) => ({
      file,
      from: feature?.id ?? '',
      on,
      place: () => placeOfDependency(on),
    })),
  );
  return [
    ...unknownFaults(edges, 'task', knownTasks(tasks)),
    ...cycleFaults(edges),
    ...unknownFaults(betweenFeatures, 'feature', knownFeatures(tasks, features)),
    ...cycleFaults(betweenFeatures),
  ];
}

interface Edge {
  file: string;
  from: string;
  on: string;
  place(): Place;
}

function unknownFaults(edges: readonly Edge[], what: string, known: KnownIds): WorkFault[] {
  return edges
    .filter(({ on }) => !known.has(on))
    .map(({ file, from, on, place }) => ({
      file,
      ...place(),
      code: 'unknown-dependency',
      message: `${from} depends on ${on}, but no such ${what} exists`,
      hint: known.hint(on, 'create it, or remove the dependency'),
    }));
}

function cycleFaults(edges: readonly Edge[]): WorkFault[] {
  const dependencies = new Map<string, string[]>();
  for (const { from, on } of edges) {
    const known = dependencies.get(from);
    if (known) known.push(on);
    else dependencies.set(from, [on]);
  }
  const items = [...dependencies].map(([id, on]) => ({ id, dependencies: on }));
  return findCycles(items).flatMap((cycle) => {
    const edge = edges.find(({ from, on }) => from === cycle[0] && on === cycle[1]);
    if (!edge) return [];
    const shown = cycle.length > 12 ? [...cycle.slice(0, 10), '…', ...cycle.slice(-1)] : cycle;
    return [
      {
        file: edge.file,
        ...edge.place(),
        code: 'dependency-cycle',
        message: `dependency cycle: ${shown.join(' → ')}`,
        hint: 'remove one of these dependencies',
      },
    ];
  });
}
