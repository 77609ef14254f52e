import type { Criterion } from '../../domain/criteria/criterion.ts';
import type { CriterionState, CriterionStates, CriterionStatuses } from './criterion-status.ts';
import { findEvidence } from './find-evidence.ts';
import type { CriterionSupport, SupportedCriteria } from './support-criteria.ts';
import type { TurnEvidence } from './turn-evidence.ts';
import { stateOf } from './turn-record.ts';

export interface CriteriaUpdate {
  states: CriterionStates;
  statuses: CriterionStatuses;
  /** Not verified before this turn. */
  newlyVerified: string[];
  /** Verified before, and no longer. */
  regressions: { id: string; why: string }[];
  /** Their text changed, so that what was verified was another criterion. */
  reopened: string[];
  /** What the verdict spoke of and the task does not have. */
  unknown: string[];
}

/** A criterion of the base; `previousText` where its text was another when it was judged last. */
export type JudgedCriterion = Pick<Criterion, 'id' | 'text'> & { previousText?: string };

/**
 * Carries the criteria over a turn. What was verified stays verified until evidence says otherwise: the test that showed
 * it fails or is gone, or the Coach finds against it. A claim without evidence moves nothing to verified.
 */
export function updateCriteria({
  criteria,
  previous,
  support,
  evidence,
}: {
  criteria: readonly JudgedCriterion[];
  previous: CriterionStates;
  support: SupportedCriteria;
  evidence: TurnEvidence | undefined;
}): CriteriaUpdate {
  const supports = new Map(support.criteria.map((one) => [one.id, one]));
  const states = new Map<string, CriterionState>();
  const update: Omit<CriteriaUpdate, 'states' | 'statuses'> = {
    newlyVerified: [],
    regressions: [],
    reopened: [],
    unknown: [...support.unknown],
  };
  for (const criterion of criteria) {
    const { id, previousText } = criterion;
    const { reopened, ...stored } = stateOf(previous, criterion);
    const isOther = reopened || (previousText !== undefined && stored.status !== 'pending');
    if (isOther) update.reopened.push(id);
    const before = isOther ? PENDING : stored;
    const { state, why } = next(before, supports.get(id), evidence);
    states.set(id, state);
    if (state.status === 'verified' && before.status !== 'verified') update.newlyVerified.push(id);
    if (state.status !== 'verified' && before.status === 'verified') update.regressions.push({ id, why });
  }
  return {
    ...update,
    states: Object.fromEntries(states),
    statuses: Object.fromEntries([...states].map(([id, { status }]) => [id, status])),
  };
}

const PENDING: CriterionState = { status: 'pending', evidence: null };

function next(
  before: CriterionState,
  support: CriterionSupport | undefined,
  evidence: TurnEvidence | undefined,
): { state: CriterionState; why: string } {
  if (support?.supported) return { state: { status: 'verified', evidence: support.evidence }, why: '' };
  const claimed = support?.claimed ?? null;
  if (before.status !== 'verified') {
    // Said to be there, and not shown.
    const status = claimed === 'verified' ? 'in_progress' : (claimed ?? before.status);
    return { state: { status, evidence: null }, why: support?.why ?? '' };
  }
  if (claimed === 'blocked') {
    return { state: { status: 'blocked', evidence: null }, why: 'the Coach found it blocked' };
  }
  if (claimed === 'rejected' || claimed === 'failed') {
    return { state: { status: 'rejected', evidence: null }, why: `the Coach found it ${claimed}` };
  }
  const gone = lostEvidence(before, evidence);
  return gone === undefined
    ? { state: before, why: '' }
    : { state: { status: 'rejected', evidence: null }, why: gone };
}

/** Why what showed a criterion no longer does. Where nothing was run, nothing says otherwise. */
function lostEvidence(before: CriterionState, evidence: TurnEvidence | undefined): string | undefined {
  if (before.evidence === null || !evidence) return undefined;
  const nothingRan = evidence.tests.length === 0 && evidence.checks.length === 0;
  if (nothingRan && evidence.testsRequired) return undefined;
  const found = findEvidence(before.evidence, evidence);
  return found.found ? undefined : `it was verified on "${before.evidence}": ${found.why}`;
}
