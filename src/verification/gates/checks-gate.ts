import type { Gate } from './gate.ts';
import { judgeChecks } from './judge-checks.ts';

/** The project's own checks, its health first. */
export const checksGate: Gate = {
  name: 'checks',
  judge({ checks, health, notRun }) {
    const all = health ? [health, ...checks] : checks;
    if (all.length === 0) {
      return { result: 'absent', required: false, reason: notRun ?? 'no check is defined' };
    }
    return judgeChecks(all, 'passed');
  },
};
