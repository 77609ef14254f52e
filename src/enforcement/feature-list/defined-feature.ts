import { orderTasks } from '../../config/work/find-work.ts';
import type { FeatureDefinition, TaskDefinition, Work } from '../../config/work/work.ts';
import { assignCriterionIds } from '../../domain/criteria/assign-criterion-ids.ts';
import { type Feature, featureSchema } from '../../domain/entities/feature.ts';
import { jsonObjectSchema } from '../../domain/json/json-schema.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { knownCriterionIds } from '../../verification/criteria.ts';

/** A feature defined in files, with its state from the ledger. */
export function definedFeature(
  ledger: Ledger,
  project: string,
  definition: FeatureDefinition,
  tasks: readonly TaskDefinition[],
  known: Feature | undefined,
): Feature {
  return {
    ...(known ?? newFeature(ledger, project, definition.id)),
    name: definition.name,
    description: definition.description,
    priority: definition.priority,
    task_type: definition.task_type,
    complexity: definition.complexity,
    ui: definition.ui,
    verify: definition.verify ? jsonObjectSchema.parse(structuredClone(definition.verify)) : null,
    dependencies: definition.dependencies,
    tasks: definition.tasks,
    acceptance_criteria: tasks.flatMap((task) => criteriaOf(ledger, project, task, tasks.length > 1)),
    defined_in: definition.path ?? tasks[0]?.path ?? null,
  };
}

/** All features defined in a checkout's files. */
export function definedFeatures(
  ledger: Ledger,
  project: string,
  work: Work,
  known: readonly Feature[],
): Feature[] {
  const byId = new Map(known.map((one) => [one.id, one]));
  return work.features.map((definition) =>
    definedFeature(ledger, project, definition, orderTasks(work, definition), byId.get(definition.id)),
  );
}

/** A feature that was merged before the list existed counts as completed. */
function newFeature(ledger: Ledger, project: string, id: string): Feature {
  const merged = ledger.lookup(project, { kind: 'feature_completed', field: 'feature_id', value: id }).next();
  return featureSchema.parse(merged.done ? { id } : { id, status: 'completed', closed: true });
}

/** Criterion ids are unique only within a task, so with several tasks they get its id as a prefix. */
function criteriaOf(
  ledger: Ledger,
  project: string,
  task: TaskDefinition,
  several: boolean,
): Feature['acceptance_criteria'] {
  const assigned = assignCriterionIds(task.criteria, knownCriterionIds(ledger, project, task.id));
  const criteria = assigned.ok
    ? assigned.criteria
    : task.criteria.map(({ id, text }, index) => ({ id: id ?? `#${index + 1}`, text }));
  return criteria.map(({ id, text }) => ({ id: several ? `${task.id}/${id}` : id, text }));
}
