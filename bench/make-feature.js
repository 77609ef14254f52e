/** One of many features, each depending on another. */
export function makeFeature(number) {
  return {
    id: `F${String(number).padStart(4, '0')}`,
    description: `People can do thing ${number} and see at once what came of it.`,
    priority: 1 + (number % 5),
    acceptance_criteria: [1, 2, 3].map((n) => `AC-00${n}: step ${n} of thing ${number} works`),
    dependencies: number > 0 ? [`F${String(number >> 1).padStart(4, '0')}`] : [],
  };
}
