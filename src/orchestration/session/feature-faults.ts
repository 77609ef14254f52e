import { MAX_CRITERION_TEXT } from '../../domain/criteria/criterion.ts';
import { findCycles } from '../../domain/dependencies.ts';

/** Why tests cannot check a feature's criteria, one sentence each with what to change. */
export function criteriaFaults(id: string, criteria: readonly string[]): string[] {
  if (criteria.length === 0) return [`${id} has no acceptance criterion. Describe what a test can check.`];
  const texts = criteria.map((text) => text.trim().toLowerCase());
  return criteria.flatMap((text, index) => {
    const told = `"${text.trim().slice(0, 100)}"`;
    if (texts.indexOf(texts[index] ?? '') < index) return [`${id}: duplicate criterion ${told}.`];
    return isTestable(text)
      ? []
      : [`${id}: no test can check ${told}. Describe the input and the expected output or state.`];
  });
}

const MOST_TOLD = 8;

/** Unknown dependencies and dependency cycles. */
export function dependencyFaults(
  features: readonly { id: string; dependencies: readonly string[] }[],
): string[] {
  const known = new Set(features.map(({ id }) => id));
  return [
    ...features.flatMap(({ id, dependencies }) =>
      dependencies
        .filter((other) => !known.has(other))
        .map(
          (other) =>
            `${id} depends on ${other}, which does not exist. Add that feature or remove the dependency.`,
        ),
    ),
    ...findCycles(features).map((path) => {
      const told = path.length > MOST_TOLD ? [...path.slice(0, MOST_TOLD), '…'] : path;
      return `Dependency cycle: ${told.join(' → ')}. Remove one of the dependencies.`;
    }),
  ];
}

/** Words of praise and filler that do not describe behavior. */
const PRAISE = new Set(
  (
    'it the a an is are be will should must can all everything code feature app application program project system ' +
    'works work working done complete completed finished good nice clean fast quick quickly easy simple robust ' +
    'well correct correctly proper properly right fine perfect perfectly beautiful intuitive user friendly ' +
    'user-friendly maintainable readable scalable secure reliable stable and or very as expected intended'
  ).split(' '),
);

/** Whether a criterion has at least two words that describe its feature. */
function isTestable(text: string): boolean {
  const words = text
    .slice(0, MAX_CRITERION_TEXT)
    .toLowerCase()
    .replace(/^ac-\d+:?/, '')
    .split(/[^\p{L}\p{N}_-]+/u)
    .filter((word) => word !== '');
  return words.filter((word) => !PRAISE.has(word)).length >= 2;
}
