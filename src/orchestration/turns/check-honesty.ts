import { posix } from 'node:path';
import type { Criterion } from '../../domain/criteria/criterion.ts';
import type { PlayerReport } from '../../domain/entities/agent-answers.ts';
import { isTaskPlan } from '../../domain/protection/project-paths.ts';
import { findCriterion } from './judge-criteria.ts';
import type { TurnEvidence } from './turn-evidence.ts';

const SHOWN = 10;
const LONGEST = 200;

/** False claims in a Player's report, one sentence each. They block nothing: the gates measure the work. */
export function checkHonesty({
  report,
  changedFiles,
  changedSinceReport = changedFiles,
  testCounts,
  criteria,
  folder,
}: {
  report: PlayerReport | undefined;
  /** Changed in this turn, relative to the worktree, without plans. */
  changedFiles: readonly string[];
  /** The same including preceding turns without a report, whose work this report may claim. */
  changedSinceReport?: readonly string[];
  /** From GuardKit's own run; null if there was none. */
  testCounts: TurnEvidence['testCounts'];
  criteria: readonly Pick<Criterion, 'id' | 'text'>[];
  /** The worktree: some agents report absolute paths. */
  folder?: string;
}): string[] {
  if (!report) return [];
  return [
    ...fileFindings(report, changedFiles, changedSinceReport, folder),
    ...countFinding('passed', report.tests_passed, testCounts?.passed),
    ...countFinding('failed', report.tests_failed, testCounts?.failed),
    ...criterionFindings(report, testCounts, criteria),
  ];
}

function fileFindings(
  { decision, files_modified }: PlayerReport,
  changedFiles: readonly string[],
  changedSinceReport: readonly string[],
  folder: string | undefined,
): string[] {
  const claimed = new Set(
    files_modified
      .map((path) => relativeTo(folder, path))
      // Plans are not part of the change, so claims about them do not count.
      .filter((path) => path !== '' && !isTaskPlan(path)),
  );
  const changed = new Set(changedSinceReport);
  const invented = [...claimed].filter(
    (path) => !changed.has(path) && !containsAny(path, changedSinceReport),
  );
  const unreported = changedFiles.filter((path) => !claimed.has(path) && !isInAny(path, claimed));
  return [
    ...(decision === 'implemented' && changed.size === 0
      ? ['The report claims that the task is implemented, but no file changed.']
      : []),
    ...(invented.length > 0
      ? [`The report claims changes that are not in the diff: ${some(invented)}.`]
      : []),
    ...(unreported.length > 0 ? [`The report omits changed files: ${some(unreported)}.`] : []),
  ];
}

function countFinding(
  what: 'passed' | 'failed',
  claimed: number | null,
  counted: number | undefined,
): string[] {
  if (claimed === null || claimed === counted) return [];
  if (counted !== undefined)
    return [`The report claims that ${tests(claimed)} ${what}; GuardKit counted ${counted}.`];
  return claimed === 0 ? [] : [`The report claims that ${tests(claimed)} ${what}; GuardKit ran none.`];
}

function criterionFindings(
  report: PlayerReport,
  testCounts: TurnEvidence['testCounts'],
  criteria: readonly Pick<Criterion, 'id' | 'text'>[],
): string[] {
  const verified: string[] = [];
  const unknown: string[] = [];
  for (const [key, status] of Object.entries(report.criteria)) {
    const id = findCriterion(criteria, key)?.id;
    if (id === undefined) unknown.push(key);
    else if (status === 'verified') verified.push(id);
  }
  const noTestPassed = (testCounts?.passed ?? 0) === 0;
  return [
    ...(verified.length > 0 && noTestPassed
      ? [
          `The report claims that ${some(verified)} ${verified.length === 1 ? 'is' : 'are'} verified, but no test passed.`,
        ]
      : []),
    ...(unknown.length > 0
      ? [`The report names criteria that the task does not have: ${some(unknown)}.`]
      : []),
  ];
}

function relativeTo(folder: string | undefined, path: string): string {
  const written = path.trim();
  const inside =
    folder !== undefined && written.startsWith(`${folder}/`) ? written.slice(folder.length + 1) : written;
  return inside === '' ? '' : posix.normalize(inside);
}

/** A report may name a folder instead of each file in it. */
function containsAny(folder: string, paths: readonly string[]): boolean {
  const start = folder.endsWith('/') ? folder : `${folder}/`;
  return paths.some((path) => path.startsWith(start));
}

function isInAny(path: string, folders: ReadonlySet<string>): boolean {
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
    if (folders.has(path.slice(0, at)) || folders.has(path.slice(0, at + 1))) return true;
  }
  return false;
}

function some(items: readonly string[]): string {
  const shown = items.slice(0, SHOWN).map((item) => item.replace(/\s+/g, ' ').slice(0, LONGEST));
  const rest = items.length - shown.length;
  return rest > 0 ? `${shown.join(', ')} and ${rest} more` : shown.join(', ');
}

function tests(count: number): string {
  return `${count} ${count === 1 ? 'test' : 'tests'}`;
}
