import { MAX_CRITERION_TEXT } from '../../domain/criteria/criterion.ts';
import { findCycles } from '../../domain/dependencies.ts';

/** What keeps the criteria of a feature from being shown by tests, each in a sentence that says what to change. */
export function criteriaFaults(id: string, criteria: readonly string[]): string[] {
  if (criteria.length === 0)
    return [`${id} has no acceptance criterion. Say what a test will show once it is done.`];
  const texts = criteria.map((text) => text.trim().toLowerCase());
  return criteria.flatMap((text, index) => {
    const told = `"${text.trim().slice(0, 100)}"`;
    if (texts.indexOf(texts[index] ?? '') < index) return [`${id}: ${told} stands there twice.`];
    return isTestable(text)
      ? []
      : [`${id}: no test can show ${told}. Say what is put in and what comes out, or what is there then.`];
  });
}

const MOST_TOLD = 8;

/** What is wrong with what features wait for. */
export function dependencyFaults(
  features: readonly { id: string; dependencies: readonly string[] }[],
): string[] {
  const known = new Set(features.map(({ id }) => id));
  return [
    ...features.flatMap(({ id, dependencies }) =>
      dependencies
        .filter((other) => !known.has(other))
        .map((other) => `${id} depends on ${other}, which is no feature. Add it, or take it out.`),
    ),
    ...findCycles(features).map((path) => {
      const told = path.length > MOST_TOLD ? [...path.slice(0, MOST_TOLD), '…'] : path;
      return `These depend on each other: ${told.join(' → ')}. Take one of the dependencies out.`;
    }),
  ];
}

/** Words that say that something is good, and not what it does. */
const PRAISE = new Set(
  (
    'it the a an is are be will should must can all everything code feature app application program project system ' +
    'works work working done complete completed finished good nice clean fast quick quickly easy simple robust ' +
    'well correct correctly proper properly right fine perfect perfectly beautiful intuitive user friendly ' +
    'user-friendly maintainable readable scalable secure reliable stable and or very as expected intended'
  ).split(' '),
);

/** Whether a criterion has at least two words that say something of its feature. */
function isTestable(text: string): boolean {
  const words = text
    .slice(0, MAX_CRITERION_TEXT)
    .toLowerCase()
    .replace(/^ac-\d+:?/, '')
    .split(/[^\p{L}\p{N}_-]+/u)
    .filter((word) => word !== '');
  return words.filter((word) => !PRAISE.has(word)).length >= 2;
}
