import { combineOutcomes } from '../../domain/outcome.ts';
import { type Gate, some } from './gate.ts';

/** The project's own checks, its health first. */
export const checksGate: Gate = {
  name: 'checks',
  judge({ checks, health, notRun }) {
    const all = health ? [health, ...checks] : checks;
    if (all.length === 0) {
      return { result: 'absent', required: false, reason: notRun ?? 'no check is defined' };
    }
    const bad = all.filter(({ result }) => result !== 'pass');
    return {
      result: combineOutcomes(all.map(({ result }) => result)),
      required: true,
      reason:
        bad.length > 0
          ? some(
              bad.map(({ check, reason }) => `${check.name}: ${reason}`),
              3,
            )
          : `${all.map(({ check }) => check.name).join(', ')} passed`,
      evidence: all.map(({ evidence }) => evidence.id),
    };
  },
};
