import { sha256 } from '../../../domain/json/json.ts';
import type { Finding } from '../../../verification/ci/branch-findings.ts';
import { printable } from '../output/printable.ts';
import { commandMessage, commandProperty } from './escape.ts';

/** GitHub shows at most 10 of each level for a step. */
const MAX_OF_A_LEVEL = 10;
const MAX_MESSAGE = 2000;

/** Workflow commands that annotate files. */
export function githubAnnotations(findings: readonly Finding[]): string[] {
  return (['error', 'warning'] as const).flatMap((level) =>
    findings
      .filter((finding) => finding.level === level)
      .slice(0, MAX_OF_A_LEVEL)
      .map(annotation),
  );
}

function annotation({ level, gate, path, line, message }: Finding): string {
  const properties = [
    ...(path === undefined ? [] : [`file=${commandProperty(path)}`]),
    ...(line === undefined ? [] : [`line=${line}`]),
    `title=${commandProperty(`GuardKit ${gate}`)}`,
  ];
  return `::${level} ${properties.join(',')}::${commandMessage(message.slice(0, MAX_MESSAGE))}`;
}

const MAX_FINDINGS = 500;
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
