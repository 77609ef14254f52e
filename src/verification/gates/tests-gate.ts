import type { Gate } from './gate.ts';
import { judgeBeyondBase, judgeOnBase } from './judge-test-run.ts';

/** The project's tests ran on this tree, by name, and all of them passed. */
export const testsGate: Gate = {
  name: 'tests',
  judge({ rules, candidate, base, notRun, redBaseAccepted }) {
    const judged = candidate
      ? redBaseAccepted
        ? judgeBeyondBase(candidate, base)
        : judgeOnBase(candidate, base)
      : { result: 'absent' as const, code: 'not-run', reason: notRun ?? NO_COMMAND };
    // Where tests must be there but may fail, only their absence stops.
    const required = rules.testsMustPass || (rules.testsRequired && judged.result === 'absent');
    return { ...judged, required, ...(candidate ? { evidence: [candidate.evidence.id] } : {}) };
  },
};

const NO_COMMAND =
  'no test command is known; add `tests: {command: …}` under `verify:` in .guardkit/config.yaml';
