import { combineOutcomes } from '../../domain/entities/outcome.ts';
import type { CheckRun } from '../facts.ts';
import { type Gate, type Judgement, some } from './gate.ts';

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

const SHOWN = 3;

/** Checks of which each has to pass; `passed` is what is said of their names when all do. */
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
