import {
  type Criterion,
  canonicalCriterionId,
  normalizeCriterionText,
  splitCriterionId,
} from '../../domain/criteria/criterion.ts';
import type { CoachVerdict } from '../../domain/entities/agent-answers.ts';
import type {
  CriterionState,
  CriterionStates,
  CriterionStatus,
  CriterionStatuses,
} from './criterion-status.ts';
import { findEvidence, type TurnEvidence } from './turn-evidence.ts';
import { stateOf } from './turn-record.ts';

/** The criterion that an agent means by a key: its id, its id and text, or a unique text. */
export function findCriterion<One extends Pick<Criterion, 'id' | 'text'>>(
  criteria: readonly One[],
  key: string,
): One | undefined {
  const byId = (id: string) =>
    criteria.find((one) => canonicalCriterionId(one.id) === canonicalCriterionId(id));
  const found = byId(key.trim());
  if (found) return found;
  const { id, text } = splitCriterionId(key.trim());
  if (id !== undefined) return byId(id);
  const wanted = normalizeCriterionText(text);
  const alike = criteria.filter((one) => normalizeCriterionText(one.text) === wanted);
  return alike.length === 1 ? alike[0] : undefined;
}

/** A verdict's claim about one criterion, and whether evidence supports it. */
export interface CriterionSupport {
  id: string;
  /** Null if the verdict does not mention it. */
  claimed: CriterionStatus | null;
  /** Claimed as verified, with evidence that exists. */
  supported: boolean;
  /** The test, check or file that proves it, by its exact name. */
  evidence: string | null;
  /** Why it is not supported; empty if it is. */
  why: string;
}

export interface SupportedCriteria {
  criteria: CriterionSupport[];
  /** Keys of the verdict that are not criteria of the task. */
  unknown: string[];
}

/** Compares the Coach's claims about criteria with what GuardKit ran. */
export function supportCriteria(
  verdict: Pick<CoachVerdict, 'criteria'> | undefined,
  criteria: readonly Pick<Criterion, 'id' | 'text'>[],
  evidence: TurnEvidence | undefined,
): SupportedCriteria {
  const claims = new Map<string, CoachVerdict['criteria'][string][]>();
  const unknown: string[] = [];
  for (const [key, claim] of Object.entries(verdict?.criteria ?? {})) {
    const id = findCriterion(criteria, key)?.id;
    if (id === undefined) unknown.push(key);
    else claims.set(id, [...(claims.get(id) ?? []), claim]);
  }
  return {
    criteria: criteria.map(({ id }) => ({ id, ...judge(claims.get(id) ?? [], evidence) })),
    unknown,
  };
}

function judge(
  claims: readonly CoachVerdict['criteria'][string][],
  evidence: TurnEvidence | undefined,
): Omit<CriterionSupport, 'id'> {
  const unsupported = (claimed: CriterionStatus | null, why: string) => ({
    claimed,
    supported: false,
    evidence: null,
    why,
  });
  const [claim] = claims;
  if (!claim) return unsupported(null, 'the verdict does not mention it');
  // The verdict may name a criterion under two keys; the worse claim counts.
  const other = claims.find(({ status }) => status !== 'verified');
  if (other) return unsupported(other.status, `the Coach found it ${other.status}`);
  if (!evidence) return unsupported(claim.status, 'nothing was run');
  const found = findEvidence(claim.evidence, evidence);
  if (!found.found) return unsupported(claim.status, found.why);
  return { claimed: claim.status, supported: true, evidence: found.what, why: '' };
}

export interface CriteriaUpdate {
  states: CriterionStates;
  statuses: CriterionStatuses;
  /** Verified in this turn for the first time. */
  newlyVerified: string[];
  /** No longer verified. */
  regressions: { id: string; why: string }[];
  /** Reworded since they were judged. */
  reopened: string[];
  /** Named in the verdict, but not criteria of the task. */
  unknown: string[];
}

/** A criterion of the base; `previousText` if it was reworded since it was last judged. */
export type JudgedCriterion = Pick<Criterion, 'id' | 'text'> & { previousText?: string };

/**
 * Carries the criteria over a turn. A verified criterion stays verified until its test fails or is gone, or the Coach
 * rejects it. A claim without evidence verifies nothing.
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
    // Claimed without evidence.
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

/** Why the evidence for a criterion no longer counts; undefined if it still does or nothing was run. */
function lostEvidence(before: CriterionState, evidence: TurnEvidence | undefined): string | undefined {
  if (before.evidence === null || !evidence) return undefined;
  const nothingRan = evidence.tests.length === 0 && evidence.checks.length === 0;
  if (nothingRan && evidence.testsRequired) return undefined;
  const found = findEvidence(before.evidence, evidence);
  return found.found ? undefined : `it was verified on "${before.evidence}": ${found.why}`;
}
