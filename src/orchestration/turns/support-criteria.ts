import type { Criterion } from '../../domain/criteria/criterion.ts';
import type { CoachVerdict } from '../../domain/entities/coach-verdict.ts';
import type { CriterionStatus } from './criterion-status.ts';
import { findCriterion } from './find-criterion.ts';
import { findEvidence } from './find-evidence.ts';
import type { TurnEvidence } from './turn-evidence.ts';

/** What a verdict says of one criterion, and whether anything shows it. */
export interface CriterionSupport {
  id: string;
  /** Null where the verdict does not mention it. */
  claimed: CriterionStatus | null;
  /** Claimed as verified, on evidence that exists. */
  supported: boolean;
  /** The test, check or file that shows it, as it is really called. */
  evidence: string | null;
  /** Why it is not supported; empty if it is. */
  why: string;
}

export interface SupportedCriteria {
  criteria: CriterionSupport[];
  /** Keys of the verdict that are no criterion of the task. */
  unknown: string[];
}

/** Compares what a Coach says of the criteria with what GuardKit itself ran. */
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
  // Under two keys; the worse of them counts.
  const other = claims.find(({ status }) => status !== 'verified');
  if (other) return unsupported(other.status, `the Coach found it ${other.status}`);
  if (!evidence) return unsupported(claim.status, 'nothing was run on this tree');
  const found = findEvidence(claim.evidence, evidence);
  if (!found.found) return unsupported(claim.status, found.why);
  return { claimed: claim.status, supported: true, evidence: found.what, why: '' };
}
