import type { VerifyConfig } from '../project/verify-config.ts';

/** Commands detected from a project's files. */
export interface DetectedVerify {
  /** The detected tool, such as `pnpm` or `pytest`. */
  kind: string;
  verify: VerifyConfig;
  /** Notes for the person: what is missing, and what would help. */
  notes: string[];
  /** Tests that the commands do not run, each as a sentence. Also written to the configuration. */
  leftOut?: readonly string[];
  /** Fallback commands, best first. */
  alternatives: VerifyConfig[];
}

export function detected(
  kind: string,
  verify: VerifyConfig,
  more: { notes?: string[]; alternatives?: VerifyConfig[] } = {},
): DetectedVerify {
  return { kind, verify, notes: more.notes ?? [], alternatives: more.alternatives ?? [] };
}
