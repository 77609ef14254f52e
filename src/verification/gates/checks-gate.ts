import type { Gate } from './gate.ts';
import { judgeChecks } from './judge-checks.ts';

/** The project's own checks, its health first. */
export const checksGate: Gate = {
  name: 'checks',
  judge({ checks, health, notRun }) {
    const all = health ? [health, ...checks] : checks;
    // A set-up that fails must not be the way round the checks.
    if (notRun !== undefined) return { result: 'absent', required: true, reason: notRun };
    if (all.length === 0) return { result: 'absent', required: false, reason: 'no check is defined' };
    return judgeChecks(all, 'passed');
  },
};
