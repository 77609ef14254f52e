import { judgeChecks } from './checks-gate.ts';
import type { Gate } from './gate.ts';

/** Where data is expected there is some. */
export const nonEmptyGate: Gate = {
  name: 'non-empty',
  judge({ checks }) {
    const data = checks.filter(({ check }) => check.expect?.non_empty !== undefined);
    if (data.length === 0) return { result: 'absent', required: false, reason: 'no check looks for data' };
    return judgeChecks(data, 'gave data');
  },
};
