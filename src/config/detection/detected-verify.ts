import type { VerifyConfig } from '../project/verify-config.ts';

/** Commands that fit a project, as far as its files show. */
export interface DetectedVerify {
  /** The tool that it was recognised by, such as `pnpm` or `pytest`. */
  kind: string;
  verify: VerifyConfig;
  /** Sentences for the person: what was left out, and what would help. */
  notes: string[];
  /** Other commands worth trying where these fail, best first. */
  alternatives: VerifyConfig[];
}

export function detected(
  kind: string,
  verify: VerifyConfig,
  more: { notes?: string[]; alternatives?: VerifyConfig[] } = {},
): DetectedVerify {
  return { kind, verify, notes: more.notes ?? [], alternatives: more.alternatives ?? [] };
}
