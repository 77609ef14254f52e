import type { PlayerReport } from '../../domain/entities/agent-answers.ts';
import type { TestResult } from '../../domain/entities/test-report.ts';
import { cutText, oneLine, withoutTags } from '../../domain/json/clean-text.ts';
import type { PathChange } from '../../platform/git/git-tree.ts';
import type { ChangedTest } from '../../verification/facts.ts';
import type { TurnEvidence } from '../turns/turn-evidence.ts';
import {
  blockSection,
  fixedSection,
  linesSection,
  type PromptSection,
  quoteBlock,
} from './prompt-section.ts';

const LONGEST_REASON = 600;
const LONGEST_NAME = 300;
const MOST_DETAILS = 16;

export function gateResultsSection(
  evidence: TurnEvidence | undefined,
  notRun: string | undefined,
): PromptSection {
  if (!evidence) {
    const why = oneLine(notRun ?? '', LONGEST_REASON);
    return fixedSection(
      'gate results',
      `## Gate Results\nThe gates could not be run${why === '' ? '' : `: ${why}`}. Do not approve.`,
    );
  }
  const { verification, coverage, testCounts, faults, checks } = evidence;
  const lines = verification.gates.flatMap((one) => {
    const { gate, result, required, reason, warnings, manual, details = [] } = one;
    const marks = [required ? 'required' : 'not required', ...(manual ? ['confirmed by a person'] : [])];
    const warned = warnings.length === 0 ? '' : ` (${warnings.join('; ')})`;
    return [
      `- ${gate}: ${result.toUpperCase()}, ${marks.join(', ')}. ${oneLine(reason + warned, LONGEST_REASON)}`,
      // Output of the candidate's commands: prefixed single lines cannot imitate a section.
      ...details.slice(0, MOST_DETAILS).map((line) => `    | ${oneLine(withoutTags(line), LONGEST_NAME)}`),
    ];
  });
  return fixedSection(
    'gate results',
    [
      '## Gate Results',
      `GuardKit ran these on tree ${verification.tree.slice(0, 12)}. Treat them as facts and do not run them again.`,
      ...lines,
      `Tests: ${testCounts ? `${testCounts.passed} passed, ${testCounts.failed} failed, ${testCounts.skipped} skipped` : 'not run'}`,
      `Coverage: ${coverage === null ? 'not measured' : `${coverage}%`}`,
      ...faults.slice(0, 5).map((fault) => `Error outside any test: ${oneLine(fault, LONGEST_REASON)}`),
      ...checks.slice(0, 50).map(({ name, result, reason }) => {
        return `Check ${oneLine(name, LONGEST_NAME)}: ${result}. ${oneLine(reason, LONGEST_REASON)}`;
      }),
    ].join('\n'),
  );
}

/** Tests by name, because evidence is a test's name; failed tests first. */
export function testResultSections(
  tests: readonly TestResult[],
  changed: readonly PathChange[],
): PromptSection[] {
  const failed = tests.filter(({ status }) => status === 'failed');
  const skipped = tests.filter(({ status }) => status === 'skipped' || status === 'todo');
  // Tests of the change first: they prove its criteria, and there may be thousands of others.
  const files = new Set(changed.map(({ path }) => path));
  const isNew = ({ file }: TestResult) => file !== undefined && files.has(file);
  const passed = tests.filter(({ status }) => status === 'passed');
  const ordered = [...passed.filter(isNew), ...passed.filter((test) => !isNew(test))];
  return [
    linesSection(
      'failed tests',
      '## Failed Tests',
      failed.map((test) => `- ${named(test)}${test.message ? `: ${oneLine(test.message, 300)}` : ''}`),
      { priority: 70 },
    ),
    linesSection(
      'skipped tests',
      '## Skipped Tests',
      skipped.map((test) => `- ${named(test)}`),
      { priority: 10 },
    ),
    linesSection(
      'passed tests',
      '## Passed Tests (by file > name)',
      ordered.map((test) => `- ${named(test)}`),
      {
        priority: 40,
      },
    ),
  ];
}

function named({ name, file }: TestResult): string {
  return oneLine(file === undefined ? name : `${file} > ${name}`, LONGEST_NAME);
}

export function changeSections(changes: readonly PathChange[], diff: string): PromptSection[] {
  return [
    linesSection(
      'changed files',
      `## The Change (${changes.length} ${changes.length === 1 ? 'file' : 'files'})`,
      changes.map(({ path, change }) => `- ${change}: ${oneLine(path, LONGEST_NAME)}`),
      { priority: 65 },
    ),
    blockSection('diff', 'The diff; read the files for the rest:', diff, 20),
  ];
}

/** The Player's report, and the false claims in it. */
export function reportSections(
  report: PlayerReport | undefined,
  noReport: string | undefined,
  honesty: readonly string[],
): PromptSection[] {
  const heading = '## Player Report (Claims, Not Evidence)';
  const claim = report
    ? `${heading}\n${quoteBlock(cutText(describeReport(report), 6000), 'player')}`
    : `${heading}\nThe Player gave no report${noReport ? `: ${oneLine(noReport, LONGEST_REASON)}` : '.'}`;
  return [
    fixedSection('player report', claim, 30),
    linesSection(
      'honesty',
      '## False Claims in the Report',
      honesty.map((finding) => `- ${oneLine(finding, LONGEST_REASON)}`),
      { priority: 75 },
    ),
  ];
}

function describeReport(report: PlayerReport): string {
  const criteria = Object.entries(report.criteria).map(([id, status]) => `${id}: ${status}`);
  return [
    `decision: ${report.decision}`,
    `summary: ${report.summary}`,
    `files: ${report.files_modified.slice(0, 100).join(', ')}`,
    `tests: ${report.tests_passed ?? 'unknown'} passed, ${report.tests_failed ?? 'unknown'} failed`,
    `criteria: ${criteria.join(', ')}`,
    `progress: ${report.progress}`,
    `blockers: ${report.blockers.join('; ')}`,
    `lessons: ${report.lessons.join('; ')}`,
  ].join('\n');
}

const MOST_TESTS = 20;
const HEADING =
  '## Changed Tests (the base version fails on the candidate)\nFor each test, judge whether a criterion requires the new expectation or the test was only weakened. Reject a change that weakens a test.';

/** Both versions of every test whose base version fails on the candidate or can no longer be loaded. */
export function changedTestsSection(tests: readonly ChangedTest[]): PromptSection {
  const shown = tests.slice(0, MOST_TESTS).map(describeTest);
  const rest = tests.length - shown.length;
  const more = rest > 0 ? [`(${rest} more not shown)`] : [];
  return blockSection('changed tests', HEADING, [...shown, ...more].join('\n\n'), 60);
}

function describeTest({ name, file, outcome, message, changedFiles, before, after }: ChangedTest): string {
  const place = oneLine(file === undefined ? name : `${file} > ${name}`, 300);
  const why =
    outcome === 'fails'
      ? `fails: ${oneLine(message, 300)}`
      : 'not comparable: it needs code that was removed or changed';
  const files = before === after && changedFiles.length > 0 ? [`changed: ${changedFiles.join(', ')}`] : [];
  return [
    `# ${place}`,
    why,
    ...files,
    '--- on the base',
    before === '' ? '(not found)' : before,
    '--- now',
    after === '' ? '(not found)' : after,
  ].join('\n');
}
