import { combineOutcomes } from '../../domain/entities/outcome.ts';
import type { CheckRun } from '../facts.ts';
import { type Judgement, some } from './gate.ts';

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
