import { judgeChecks } from './checks-gate.ts';
import type { Gate } from './gate.ts';

/** Checks that expect data found some. */
export const nonEmptyGate: Gate = {
  name: 'non-empty',
  judge({ checks }) {
    const data = checks.filter(({ check }) => check.expect?.non_empty !== undefined);
    if (data.length === 0)
      return { result: 'absent', required: false, reason: 'no check has `expect.non_empty`' };
    return judgeChecks(data, 'gave data');
  },
};
