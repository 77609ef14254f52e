import { findCycles } from '../../domain/dependencies.ts';
import type { Feature } from '../../domain/feature.ts';
import { isTestable } from '../run/feature-plan.ts';

const MAX_FAULTS = 30;

/** What is wrong with a list of features that others are to build from, a line each. */
export function listFaults(features: readonly Feature[]): string[] {
  if (features.length === 0)
    return ['There is no feature in .claude/progress/feature-list.json, or it cannot be read.'];
  const ids = new Set(features.map(({ id }) => id));
  return [
    ...features.flatMap((one) => featureFaults(one, ids)),
    ...findCycles(features).map(
      (path) => `These wait for each other: ${path.slice(0, 8).join(' → ')}. Leave one dependency out.`,
    ),
  ].slice(0, MAX_FAULTS);
}

function featureFaults(feature: Feature, ids: ReadonlySet<string>): string[] {
  const { id, name, description, acceptance_criteria: criteria, tasks, dependencies } = feature;
  const vague = criteria.filter(({ text }) => !isTestable(text));
  return [
    ...(name === '' && description.trim() === '' ? [`${id} says nowhere what it is: describe it.`] : []),
    ...(criteria.length === 0 && tasks.length === 0
      ? [`${id} has no acceptance criterion: say by what anybody could tell that it is there.`]
      : []),
    ...vague.map(
      (one) => `${id}: ${one.id} can be shown by no test: say what is done and what is seen then.`,
    ),
    ...dependencies
      .filter((other) => !ids.has(other))
      .map((other) => `${id} depends on ${other}, which is not in the list.`),
  ];
}
