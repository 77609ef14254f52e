import type { Finding } from '../../../verification/ci/branch-findings.ts';
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
