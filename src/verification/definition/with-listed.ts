import type { FeatureDefinition, Work } from '../../config/work.ts';
import type { Feature } from '../../domain/feature.ts';
import { FEATURE_LIST_PATH } from '../../domain/protected-paths.ts';

/** Adds a feature that only the list has: one task, its criteria as the ledger has them. Files go before it. */
export function withListed(work: Work, listed: Feature | undefined): Work {
  if (!listed || listed.defined_in !== null) return work;
  if ([...work.features, ...work.tasks].some(({ id }) => id === listed.id)) return work;
  return { ...work, features: [...work.features, listedDefinition(listed)] };
}

const MAX_TITLE = 300;

/** What it says of commands is not taken: those are the base's, and the list can be written by an agent. */
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
