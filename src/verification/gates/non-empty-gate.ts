import { combineOutcomes } from '../../domain/outcome.ts';
import { type Gate, some } from './gate.ts';

/** Where data is expected there is some. */
export const nonEmptyGate: Gate = {
  name: 'non-empty',
  judge({ checks }) {
    const data = checks.filter(({ check }) => check.expect?.non_empty !== undefined);
    if (data.length === 0) return { result: 'absent', required: false, reason: 'no check looks for data' };
    const bad = data.filter(({ result }) => result !== 'pass');
    return {
      result: combineOutcomes(data.map(({ result }) => result)),
      required: true,
      reason:
        bad.length > 0
          ? some(
              bad.map(({ check, reason }) => `${check.name}: ${reason}`),
              3,
            )
          : `${data.map(({ check }) => check.name).join(', ')} gave data`,
      evidence: data.map(({ evidence }) => evidence.id),
    };
  },
};
