import { oneLine } from '../../domain/json/clean-text.ts';
import type { ChangedTest } from '../../verification/test-side/compare-base-tests.ts';
import { blockSection, type PromptSection } from './prompt-section.ts';

const MOST_TESTS = 20;
const HEADING =
  '## Tests the Change Alters (the base version does not pass on the candidate)\nJudge for each whether a criterion asks for the new expectation, or the test was only weakened. A weakened test is a reason to reject.';

/** Both versions of every test whose base version fails on the candidate or can no longer be loaded. */
export function changedTestsSection(tests: readonly ChangedTest[]): PromptSection {
  const shown = tests.slice(0, MOST_TESTS).map(describeTest);
  const rest = tests.length - shown.length;
  const more = rest > 0 ? [`(${rest} more are not shown)`] : [];
  return blockSection('changed tests', HEADING, [...shown, ...more].join('\n\n'), 60);
}

function describeTest({ name, file, outcome, message, changedFiles, before, after }: ChangedTest): string {
  const place = oneLine(file === undefined ? name : `${file} > ${name}`, 300);
  const why =
    outcome === 'fails' ? `fails: ${oneLine(message, 300)}` : 'not comparable: it needs code that is gone';
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
