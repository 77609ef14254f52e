import type { VerifyConfig } from '../config/verify-config.ts';
import { canonicalJson, sha256 } from '../domain/json.ts';
import type { Ledger } from '../store/ledger/ledger.ts';

/** Whether a person has confirmed these detected commands before. */
export function isConfirmed(ledger: Ledger, project: string, verify: VerifyConfig): boolean {
  const hash = verifyHash(verify);
  return ledger.entries(project, { kind: 'verify_confirmed' }).some(({ body }) => body.hash === hash);
}

export function confirmVerify(ledger: Ledger, project: string, verify: VerifyConfig, by: string): void {
  ledger.append(project, 'verify_confirmed', {
    hash: verifyHash(verify),
    verify: structuredClone(verify),
    by,
  });
}

function verifyHash(verify: VerifyConfig): string {
  return sha256(canonicalJson(verify));
}
