import type { FeatureDefinition, Work } from '../../config/work/work.ts';
import type { Feature } from '../../domain/entities/feature.ts';
import { FEATURE_LIST_PATH } from '../../domain/protection/protected-paths.ts';

/** Adds features that only the list has, each as one task with its criteria from the ledger. Files take precedence. */
export function mergeListedFeatures(work: Work, listed: Iterable<Feature>): Work {
  const ids = new Set([...work.features, ...work.tasks].map(({ id }) => id));
  const added = [...listed].filter(({ id, defined_in }) => defined_in === null && !ids.has(id));
  return added.length === 0
    ? work
    : { ...work, features: [...work.features, ...added.map(listedDefinition)] };
}

const MAX_TITLE = 300;

/** Ignores commands: those come from the base, and an agent can write the list. */
function listedDefinition(listed: Feature): FeatureDefinition {
  const { id, description, priority, task_type, complexity, ui, dependencies } = listed;
  const title = listed.name || description.split('\n', 1)[0] || id;
  return {
    id,
    name: title.slice(0, MAX_TITLE),
    description,
    priority,
    task_type,
    complexity,
    ui,
    dependencies,
    tasks: [],
    criteria: listed.acceptance_criteria.map(({ id: criterion, text }, index) => ({
      id: criterion,
      text,
      detail: '',
      line: index + 1,
    })),
    path: FEATURE_LIST_PATH,
    files: [],
  };
}
