import { appendFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { GuardKitError } from '../../../guardkit-error.ts';
import { writeFileAtomic } from '../../../platform/files/atomic-file.ts';
import { isInside, isPlainPath } from '../../../platform/files/path-inside.ts';
import type { Finding } from '../../../verification/ci/branch-findings.ts';
import type { BranchVerification } from '../../../verification/ci/verify-branch.ts';
import { gitlabReport } from './finding-reports.ts';
import { junitReport } from './junit-report.ts';
import { markdownSummary } from './markdown-summary.ts';

/** The folder for reports. In the checkout it must not pass through a link: the branch could direct it elsewhere. */
export function requireReportsFolder(
  cwd: string,
  root: string,
  asked: string | undefined,
): string | undefined {
  if (asked === undefined) return undefined;
  const folder = resolve(cwd, asked);
  if (!isInside(folder, root) || isPlainPath(root, join(relative(root, folder), 'file'))) return folder;
  throw new GuardKitError({
    code: 'ci.reports-link',
    kind: 'refused',
    message: `--reports ${asked}: this path passes through a symbolic link of the checkout.`,
    hint: 'Specify a folder that the branch does not contain, or one outside the checkout.',
  });
}

/** Returns notices about files that could not be written: the result itself does not depend on them. */
export function writeReports(
  folder: string,
  verified: BranchVerification,
  {
    findings,
    results,
    page,
  }: { findings: readonly Finding[]; results: string; page: (folder: string) => void },
): string[] {
  return [
    ...attempt('junit.xml', () => writeFileAtomic(join(folder, 'junit.xml'), junitReport(verified))),
    ...attempt('gl-code-quality-report.json', () =>
      writeFileAtomic(join(folder, 'gl-code-quality-report.json'), gitlabReport(findings)),
    ),
    ...attempt('attestations.jsonl', () => writeFileAtomic(join(folder, 'attestations.jsonl'), results)),
    ...attempt('summary.md', () => writeFileAtomic(join(folder, 'summary.md'), markdownSummary(verified))),
    ...attempt('guardkit-report.html', () => page(folder)),
  ];
}

export function addToSummary(env: NodeJS.ProcessEnv, verified: BranchVerification): string[] {
  const path = env.GITHUB_STEP_SUMMARY;
  if (!path) return [];
  // Appended, as other programs of the step write to it too.
  return attempt('the job summary', () => appendFileSync(path, markdownSummary(verified)));
}

function attempt(what: string, write: () => void): string[] {
  try {
    write();
    return [];
  } catch (error) {
    return [`! ${what} could not be written: ${error instanceof Error ? error.message : error}`];
  }
}
