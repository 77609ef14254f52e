import type { Repository } from '../../../platform/git/repository.ts';
import type { Ledger } from '../../../store/ledger/ledger.ts';
import { makeAttestation } from '../../../verification/attestation/make-attestation.ts';
import type { BranchVerification } from '../../../verification/ci/verify-branch.ts';
import { isTested } from './describe-branch.ts';

/** The tested claims as unsigned attestations, one in each line, for a job that runs no code of the branch to sign. */
export async function unsignedResults(
  verified: BranchVerification,
  { repository, ledger, now }: { repository: Repository; ledger: Ledger; now: number },
): Promise<string> {
  const { branch, claims, project, sandbox } = verified;
  const lines: string[] = [];
  for (const one of claims) {
    if (!isTested(verified, one)) continue;
    const { envelope } = await makeAttestation({
      repository,
      ledger,
      project,
      id: one.claim.id,
      commit: branch.head,
      key: undefined,
      sandboxed: sandbox.available,
      by: 'guardkit ci',
      now,
    });
    lines.push(`${JSON.stringify(envelope)}\n`);
  }
  return lines.join('');
}
