import { type Gate, some } from './gate.ts';

/** The change has at least one file; for work without tests a passing check is enough. */
export const changeGate: Gate = {
  name: 'change',
  judge({ rules, changes, checks }) {
    if (changes.length > 0) {
      const paths = changes.map(({ path }) => path);
      return { result: 'pass', required: true, reason: `${changes.length} changed: ${some(paths, 3)}` };
    }
    const passed = checks.filter(({ result }) => result === 'pass');
    if (!rules.testsRequired && passed.length > 0) {
      return {
        result: 'pass',
        required: true,
        reason: `no changes from the base; ${passed.map(({ check }) => check.name).join(', ')} passed`,
        evidence: passed.map(({ evidence }) => evidence.id),
      };
    }
    return {
      result: 'absent',
      required: true,
      reason: 'no changes from the base (task plans do not count)',
    };
  },
};
