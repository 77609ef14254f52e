import { sha256 } from '../../../domain/json/json.ts';
import type { Finding } from '../../../verification/ci/branch-findings.ts';
import { printable } from '../output/printable.ts';

const MAX_FINDINGS = 500;
const MAX_MESSAGE = 2000;
/** Shown where a finding has no place of its own. */
const RULES = '.guardkit/config.yaml';

/** GitLab's code quality report. */
export function gitlabReport(findings: readonly Finding[]): string {
  const entries = findings.slice(0, MAX_FINDINGS).map(({ gate, level, path, line, message }) => ({
    description: printable(message.slice(0, MAX_MESSAGE)),
    check_name: `guardkit-${gate}`,
    fingerprint: sha256(JSON.stringify([gate, path ?? '', line ?? 0, message])),
    severity: level === 'error' ? 'critical' : 'minor',
    location: { path: printable(path ?? RULES), lines: { begin: line ?? 1 } },
  }));
  return `${JSON.stringify(entries, null, 2)}\n`;
}
