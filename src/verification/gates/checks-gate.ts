import { combineOutcomes } from '../../domain/entities/verification.ts';
import type { CheckRun } from '../facts.ts';
import { type Gate, type Judgement, SETUP_FAILED, some } from './gate.ts';

/** The project's own checks, the health check first. */
export const checksGate: Gate = {
  name: 'checks',
  judge({ checks, health, notRun }) {
    const all = health ? [health, ...checks] : checks;
    // A failing set-up must not bypass the checks.
    if (notRun !== undefined) return { result: 'absent', required: true, code: SETUP_FAILED, reason: notRun };
    if (all.length === 0) return { result: 'absent', required: false, reason: 'no checks configured' };
    return judgeChecks(all, 'passed');
  },
};

const SHOWN = 3;

/** Every check must pass; `passed` follows their names in the reason when all do. */
export function judgeChecks(runs: readonly CheckRun[], passed: string): Judgement {
  const bad = runs.filter(({ result }) => result !== 'pass');
  const names = runs.map(({ check }) => check.name).join(', ');
  const faults = bad.map(({ check, reason }) => `${check.name}: ${reason}`);
  return {
    result: combineOutcomes(runs.map(({ result }) => result)),
    required: true,
    reason: bad.length > 0 ? some(faults, SHOWN) : `${names} ${passed}`,
    evidence: runs.map(({ evidence }) => evidence.id),
  };
}
