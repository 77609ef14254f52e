import { checkWork } from './check-work.ts';
import { parseFeatureFile } from './feature-file.ts';
import type { ReadFeature, ReadTask } from './known-ids.ts';
import { parseTaskFile } from './task-file.ts';
import type { FeatureDefinition, TaskDefinition, Work, WorkFile } from './work.ts';
import { isFeatureFile, isNamedFor, isTaskFile } from './work.ts';
import { sortFaults, type WorkFault } from './work-fault.ts';

export interface WorkOptions {
  /** Allowed task types (default: any). */
  taskTypes?: readonly string[];
}

const taskIn = remembering(parseTaskFile);
const featureIn = remembering(parseFeatureFile);

const MOST_REMEMBERED = 20_000;

/** A run reads the same files again and again, and parsing a thousand of them takes a second. */
function remembering<Parsed>(
  parse: (path: string, text: string) => Parsed,
): (path: string, text: string) => Parsed {
  const remembered = new Map<string, Parsed>();
  return (path, text) => {
    const key = `${path}\0${text}`;
    const known = remembered.get(key);
    if (known !== undefined) return known;
    const parsed = parse(path, text);
    if (remembered.size >= MOST_REMEMBERED) remembered.clear();
    remembered.set(key, parsed);
    return parsed;
  };
}

/** Combines task and feature files into one definition; other files are ignored. */
export function buildWork(files: readonly WorkFile[], { taskTypes }: WorkOptions = {}): Work {
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
  const tasks: ReadTask[] = sorted
    .filter(({ path }) => isTaskFile(path))
    .map(({ path, text }) => ({ path, ...taskIn(path, text) }));
  const features: ReadFeature[] = sorted
    .filter(({ path }) => isFeatureFile(path))
    .map(({ path, text }) => ({ path, ...featureIn(path, text) }));
  const faults: WorkFault[] = [
    ...[...tasks, ...features].flatMap((one) => one.faults),
    ...checkWork(tasks, features, taskTypes),
  ];
  const ordered = withFeatureEdges(firstOfEach(tasks.flatMap(({ task }) => task ?? [])), features);
  return {
    tasks: ordered,
    features: withFiles(
      resolveFeatures(ordered, firstOfEach(features.flatMap(({ feature }) => feature ?? []))),
      tasks,
      features,
    ),
    faults: sortFaults(faults),
  };
}

/** Two files with the same id are a fault; the first one is used. */
function firstOfEach<Item extends { id: string }>(items: readonly Item[]): Item[] {
  const byId = new Map<string, Item>();
  for (const item of items) if (!byId.has(item.id)) byId.set(item.id, item);
  return [...byId.values()];
}

/** A task depends on the tasks named in its own file and in its feature's file. */
function withFeatureEdges(
  tasks: readonly TaskDefinition[],
  features: readonly ReadFeature[],
): TaskDefinition[] {
  const added = new Map<string, string[]>();
  for (const { task, on } of features.flatMap(({ edges }) => edges)) {
    added.set(task, [...(added.get(task) ?? []), on]);
  }
  return tasks.map((task) => ({
    ...task,
    dependencies: [...new Set([...task.dependencies, ...(added.get(task.id) ?? [])])],
  }));
}

/** Features with their tasks, and features that only tasks name. */
function resolveFeatures(
  tasks: readonly TaskDefinition[],
  defined: readonly FeatureDefinition[],
): FeatureDefinition[] {
  const features = new Map(defined.map((feature) => [feature.id, { ...feature, tasks: [] as string[] }]));
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const owned = new Set<string>();
  const own = (feature: FeatureDefinition, task: TaskDefinition) => {
    if (owned.has(task.id)) return;
    owned.add(task.id);
    feature.tasks.push(task.id);
  };
  // A task belongs to the feature that it names, if that feature lists it, even if others list it too.
  for (const [index, { id, tasks: listed }] of [...defined, ...defined].entries()) {
    const feature = features.get(id);
    for (const task of listed.flatMap((one) => byId.get(one) ?? [])) {
      if (feature && (index >= defined.length || task.feature_id === id)) own(feature, task);
    }
  }
  for (const task of tasks.filter(({ id }) => !owned.has(id))) {
    const id = task.feature_id ?? task.id;
    const feature = features.get(id) ?? impliedFeature(id, task);
    features.set(id, feature);
    own(feature, task);
  }
  const orders = new Map(defined.map(({ id, tasks: listed }) => [id, listed]));
  for (const feature of features.values()) {
    const order = orders.get(feature.id) ?? [];
    const rank = (id: string) => (order.includes(id) ? order.indexOf(id) : order.length);
    feature.tasks.sort((a, b) => rank(a) - rank(b));
  }
  return [...features.values()];
}

function withFiles(
  resolved: readonly FeatureDefinition[],
  tasks: readonly ReadTask[],
  features: readonly ReadFeature[],
): FeatureDefinition[] {
  const paths = new Map<string, string[]>();
  for (const { path, task } of tasks) if (task) paths.set(task.id, [...(paths.get(task.id) ?? []), path]);
  const listed = new Map(features.map(({ path, feature }) => [path, feature?.tasks ?? []]));
  const unreadTasks = tasks.filter(({ task }) => !task);
  const unreadFeatures = features.filter(({ feature }) => !feature);
  return resolved.map((feature) => {
    const named = listed.get(feature.path ?? '') ?? [];
    const files = [
      ...(feature.path === undefined
        ? unreadFeatures.map(({ path }) => path).filter((path) => isNamedFor(path, feature.id))
        : [feature.path]),
      ...feature.tasks.flatMap((id) => paths.get(id) ?? []),
      ...unreadTasks
        .filter(({ path, featureId }) => featureId === feature.id || named.some((id) => isNamedFor(path, id)))
        .map(({ path }) => path),
    ];
    return { ...feature, files };
  });
}

function impliedFeature(id: string, { title, task_type, complexity, ui }: TaskDefinition): FeatureDefinition {
  return {
    id,
    name: title,
    description: '',
    priority: 3,
    task_type,
    complexity,
    ui: ui ?? false,
    dependencies: [],
    tasks: [],
    criteria: [],
    path: undefined,
    files: [],
  };
}
