import type { VerifyConfig } from '../config/project/verify-config.ts';
import { canonicalJson, sha256 } from '../domain/json/json.ts';
import type { Ledger } from '../store/ledger/ledger.ts';
import type { Definition } from './definition/load-definition.ts';

/** Commands that run without confirmation: those of the base, or detected ones that a person confirmed before. */
export function settledCommands(
  { verify: defined, detected, rules }: Definition,
  ledger: Ledger,
  project: string,
): VerifyConfig | undefined {
  if (defined?.tests || !(rules.testsRequired || rules.coverageRequired)) return defined ?? {};
  if (detected && isConfirmed(ledger, project, detected.verify)) return { ...detected.verify, ...defined };
  return undefined;
}

/** Whether a person confirmed these detected commands before. */
function isConfirmed(ledger: Ledger, project: string, verify: VerifyConfig): boolean {
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
