import { type Gate, some } from './gate.ts';

/** There is something to judge: a file in the change; for work without tests, a passing check will do as well. */
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
        reason: `nothing differs from the base; ${passed.map(({ check }) => check.name).join(', ')} passed`,
        evidence: passed.map(({ evidence }) => evidence.id),
      };
    }
    return {
      result: 'absent',
      required: true,
      reason:
        'nothing differs from the base, plans aside; say with --base which commit the work started from',
    };
  },
};
