import { formatWorkFault } from '../../config/work/work-fault.ts';
import type { GateResult } from '../../domain/entities/verification.ts';
import type { CheckedAttestation } from '../attestation/check-attestation.ts';
import { some } from '../gates/gate.ts';
import { CLAIM_TRAILER, type FaultyClaim } from './find-claims.ts';
import type { BranchChanges, RuleChange, Waivers } from './find-rule-changes.ts';
import type { SecretScan } from './find-secrets.ts';

/** Gates on the branch as a whole, whatever it claims. */
export interface BranchFacts {
  faulty: readonly FaultyClaim[];
  changes: BranchChanges;
  secrets: SecretScan;
  waivers: Waivers;
  /** Undefined if none is required. */
  attestations?: readonly { id: string; checked: CheckedAttestation }[] | undefined;
}

export function judgeBranch(facts: BranchFacts): GateResult[] {
  const { attestations } = facts;
  const judgements = [
    judgeClaims(facts),
    judgeRules(facts),
    judgeSecrets(facts),
    ...(attestations ? [judgeAttestations(attestations)] : []),
  ];
  return judgements.map((judged) => ({
    required: true,
    warnings: [],
    manual: false,
    evidence: [],
    ...judged,
  }));
}

type Judged = Pick<GateResult, 'gate' | 'result' | 'reason'> & Partial<GateResult>;

/** Every claim names a task or feature that can be judged. */
function judgeClaims({ faulty }: BranchFacts): Judged {
  const gate = 'claims';
  const [first] = faulty;
  if (!first) return { gate, result: 'pass', reason: 'every claimed task and feature is defined' };
  return {
    gate,
    result: 'fail',
    code: first.code,
    reason: some(faulty.map(describeFaulty), 3),
    details: faulty.flatMap(({ faults }) => faults.map(formatWorkFault)),
    remedy: `Correct the trailer ${CLAIM_TRAILER} or the task’s file.`,
  };
}

export function describeFaulty({ value, commit, code }: FaultyClaim): string {
  const where = commit === undefined ? '' : ` (trailer of ${commit.slice(0, 10)})`;
  const shown = JSON.stringify(value);
  if (code === 'not-an-id') return `${shown} is not a task id${where}`;
  return code === 'invalid'
    ? `${shown} has errors in its file${where}`
    : `${shown} is defined neither on the base nor on this branch${where}`;
}

/** How work is judged is as the base has it, or a waiver on the base permits the change. */
function judgeRules({ changes, waivers, faulty: _ }: BranchFacts): Judged {
  const gate = 'rules';
  const open = changes.rules.filter(({ waiver }) => waiver === undefined);
  const warnings = [
    ...list('changed; the base’s version was used', changes.work),
    ...list('takes effect on developers’ machines', changes.settings),
  ];
  const [first] = open;
  if (first) {
    const expired = waivers.expiredFor(first.path);
    const ended = expired ? `; the waiver ${expired.file} expired on ${expired.until}` : '';
    return {
      gate,
      result: 'fail',
      code: first.kind,
      reason: `the branch changes how work is judged: ${some(open.map(describeRule))}${ended}`,
      remedy: remedyFor(open),
      warnings,
    };
  }
  if (changes.outdated.length > 0)
    return {
      gate,
      result: 'fail',
      code: 'outdated',
      reason: `the target branch has newer rules: ${some(changes.outdated)}`,
      remedy: 'Rebase on the target branch, or merge it into this one.',
      warnings,
    };
  const waived = changes.rules.map(({ path }) => path);
  const reason = waived.length > 0 ? `changed with a waiver: ${some(waived)}` : 'unchanged from the base';
  return { gate, result: 'pass', reason, warnings };
}

function describeRule({ path, kind, change }: RuleChange): string {
  return `${path} (${kind}, ${change})`;
}

function remedyFor(open: readonly RuleChange[]): string {
  if (open.every(({ kind }) => kind === 'waiver'))
    return 'A waiver counts once it is on the target branch: merge it in a pull request of its own, reviewed by a person.';
  return 'Revert these files, or merge a waiver for them into the target branch first (.guardkit/waivers/NAME.yaml).';
}

function list(words: string, changes: readonly { path: string }[]): string[] {
  return changes.length === 0 ? [] : [`${words}: ${some(changes.map(({ path }) => path))}`];
}

/** A trusted machine verified every claim on this very commit. */
function judgeAttestations(attestations: NonNullable<BranchFacts['attestations']>): Judged {
  const gate = 'attestation';
  const open = attestations.flatMap(({ id, checked }) => (checked.ok ? [] : [{ id, ...checked }]));
  const [first] = open;
  if (!first) return { gate, result: 'pass', reason: 'every claim is attested by a trusted key' };
  return {
    gate,
    result: 'fail',
    code: first.code,
    reason: some(open.map(({ id, why }) => `${id}: ${why}`)),
    remedy:
      'Verify on a trusted machine, run `guardkit attest ID --note` there, and push refs/notes/guardkit.',
  };
}

/** The branch adds no credential. */
function judgeSecrets({ secrets: { found, skipped }, waivers }: BranchFacts): Judged {
  const gate = 'secrets';
  const real = found.filter(({ path, likelyFake }) => !likelyFake && waivers.covering(path) === undefined);
  const place = ({ path, line, kind }: (typeof found)[number]) => `${path}:${line} (${kind})`;
  const others = found.filter((secret) => !real.includes(secret));
  const warnings = [
    ...(others.length > 0
      ? [`probably fake credentials; replace any that are real: ${some(others.map(place))}`]
      : []),
    ...(skipped.length > 0 ? [`too large to scan: ${some(skipped)}`] : []),
  ];
  if (real.length === 0) return { gate, result: 'pass', reason: 'no credential added', warnings };
  return {
    gate,
    result: 'fail',
    reason: `the branch adds what looks like credentials: ${some(real.map(place))}`,
    remedy: 'Revoke them, read them from the environment instead, and remove them from the branch’s commits.',
    warnings,
  };
}
