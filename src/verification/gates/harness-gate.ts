import { type Gate, some } from './gate.ts';

/** What the commands run through is as the base has it, or a person accepted the change. */
export const harnessGate: Gate = {
  name: 'harness',
  judge({ harness }) {
    const open = harness.filter(({ accepted }) => !accepted);
    const names = (changes: typeof harness) => changes.map(({ path, part }) => `${path} (${part})`);
    if (open.length > 0) {
      const paths = [...new Set(open.map(({ path }) => path))];
      return {
        result: 'fail',
        required: true,
        reason: `the change alters what the commands run through: ${some(names(open))}; a person accepts it with \`guardkit accept ${paths[0]}\``,
      };
    }
    if (harness.length > 0) {
      return {
        result: 'pass',
        required: true,
        reason: `changed, and accepted by a person: ${some(names(harness))}`,
      };
    }
    return { result: 'pass', required: true, reason: 'what the commands run through is unchanged' };
  },
};
