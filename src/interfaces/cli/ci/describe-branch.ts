import type { BranchWaiver } from '../../../config/waiver-files/waiver-file.ts';
import { anchorLine } from '../../../verification/attestation/ledger-anchors.ts';
import { findingsOf } from '../../../verification/ci/branch-findings.ts';
import type { BranchVerification, VerifiedClaim } from '../../../verification/ci/verify-branch.ts';
import { outcomeOf } from '../../../verification/verify.ts';
import { OUTCOME_ICONS } from '../output/printable.ts';
import { describeCriteria, describeGate } from '../verification/describe-verification.ts';

/** A branch's verification for programs. */
export function branchJson(verified: BranchVerification): object {
  const { branch, outcome, gates, claims, waived, facts, anchors } = verified;
  return {
    outcome,
    head: branch.head,
    base: branch.base.commit,
    base_is: branch.base.why,
    sandbox: sandboxName(verified),
    gates,
    claims: claims.map((one) => ({
      claim: one.claim.type,
      id: one.claim.id,
      title: one.title,
      tested: isTested(verified, one),
      outcome: one.verification.outcome,
      tree: one.verification.tree,
      definition_hash: one.verification.definition_hash,
      gates: one.verification.gates,
      criteria: one.criteria,
    })),
    waived: waived.map(({ waiver, paths }) => ({ ...waiver, used_for: paths })),
    expired_waivers: facts.waivers.expired,
    anchors,
    findings: findingsOf(verified),
  };
}

/** A claim counts only on a branch that is in order as a whole. */
export function isTested({ gates }: BranchVerification, { claim, verification }: VerifiedClaim): boolean {
  return claim.type !== 'project' && verification.outcome === 'pass' && outcomeOf(gates) === 'pass';
}

export function sandboxName({ sandbox }: BranchVerification): string | null {
  return sandbox.available ? `${sandbox.kind} ${sandbox.version}` : null;
}

export function describeSandbox(verified: BranchVerification): string {
  const { sandbox } = verified;
  return sandbox.available
    ? `sandbox: ${sandboxName(verified)}; the branch’s code ran isolated from this job`
    : `sandbox: none (${sandbox.why}); the branch’s code ran with this job’s rights`;
}

/** A branch's verification for people. */
export function branchText(verified: BranchVerification): string {
  const { branch, outcome, gates, claims, waived, facts } = verified;
  return [
    `${OUTCOME_ICONS[outcome]} ${conclusion(verified)}`,
    `head ${branch.head.slice(0, 12)}, base ${branch.base.commit.slice(0, 12)} (${branch.base.why})`,
    describeSandbox(verified),
    ...verified.anchors.map(anchorLine),
    ...waived.map((one) => `! ${describeWaiver(one.waiver, one.paths)}`),
    ...facts.waivers.expired.map((waiver) => `! expired on ${waiver.until}, not used: ${waiver.file}`),
    '',
    'Branch',
    ...gates.flatMap((gate) => describeGate(gate)),
    ...claims.flatMap((claim) => ['', ...describeClaim(verified, claim)]),
  ].join('\n');
}

export function describeWaiver(waiver: BranchWaiver, paths: readonly string[]): string {
  const { file, by, until, reason } = waiver;
  return `waived until ${until} by ${by} (${file}): ${paths.join(', ')}: ${reason}`;
}

export function claimHeading({ claim, title }: VerifiedClaim): string {
  if (claim.type === 'project') return 'No task claimed: the project’s own checks';
  return `${claim.id} ${title}${claim.type === 'added' ? ' (not on the base)' : ''}`;
}

function describeClaim(verified: BranchVerification, one: VerifiedClaim): string[] {
  const { claim, verification, criteria } = one;
  const listed = describeCriteria(
    criteria,
    claim.type === 'added' ? 'Criteria, not on the base' : 'Criteria',
  );
  const gates = verification.gates.flatMap((gate) => describeGate(gate));
  return [
    claimHeading(one),
    // A person reads first what the branch demands of itself.
    ...(claim.type === 'added' ? [...listed, '', ...gates] : [...gates, ...listed]),
    ...(isTested(verified, one)
      ? [`${claim.id} is tested on this commit. Approval is not decided here.`]
      : []),
  ];
}

export function conclusion({ outcome, gates, claims }: BranchVerification): string {
  if (outcome === 'pass') return 'passed: every required gate passes on this commit';
  const open = [...gates, ...claims.flatMap(({ verification }) => verification.gates)]
    .filter(({ required, result }) => required && result !== 'pass')
    .map(({ gate, result }) => `${gate} (${result})`);
  return `not passed: ${[...new Set(open)].join(', ')}`;
}
