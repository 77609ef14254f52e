import { type Gate, SETUP_FAILED } from './gate.ts';
import { judgeBeyondBase, judgeOnBase } from './judge-test-run.ts';

/** The project's tests ran on this tree, by name, and all passed. */
export const testsGate: Gate = {
  name: 'tests',
  judge({ rules, candidate, base, notRun, redBaseAccepted }) {
    const judged = candidate
      ? redBaseAccepted
        ? judgeBeyondBase(candidate, base)
        : judgeOnBase(candidate, base)
      : notRun === undefined
        ? { result: 'absent' as const, code: 'not-run', reason: NO_COMMAND }
        : { result: 'absent' as const, code: SETUP_FAILED, reason: notRun };
    // For tests that must exist but may fail, only their absence blocks.
    const required = rules.testsMustPass || (rules.testsRequired && judged.result === 'absent');
    return { ...judged, required, ...(candidate ? { evidence: [candidate.evidence.id] } : {}) };
  },
};

const NO_COMMAND = 'no test command; add `tests: {command: …}` under `verify:` in .guardkit/config.yaml';
