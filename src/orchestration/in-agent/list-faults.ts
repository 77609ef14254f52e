import type { Feature } from '../../domain/entities/feature.ts';
import { criteriaFaults, dependencyFaults } from '../session/feature-faults.ts';

const MAX_FAULTS = 30;

/** What is wrong with a list of features that others are to build from, a line each. */
export function listFaults(features: readonly Feature[]): string[] {
  if (features.length === 0)
    return ['There is no feature in .claude/progress/feature-list.json, or it cannot be read.'];
  return [...features.flatMap((one) => featureFaults(one)), ...dependencyFaults(features)].slice(
    0,
    MAX_FAULTS,
  );
}

function featureFaults({ id, name, description, acceptance_criteria: criteria, tasks }: Feature): string[] {
  const isSilent = name === '' && description.trim() === '';
  // Its tasks have theirs.
  const isInTasks = criteria.length === 0 && tasks.length > 0;
  return [
    ...(isSilent ? [`${id} says nowhere what it is: describe it.`] : []),
    ...(isInTasks
      ? []
      : criteriaFaults(
          id,
          criteria.map(({ text }) => text),
        )),
  ];
}
