import type { FailedApproach } from '../../domain/entities/failed-approach.ts';
import { oneLine } from '../../domain/json/clean-text.ts';
import { linesSection, type PromptSection } from './prompt-section.ts';

/** What was tried for this feature and did not work. */
export function failedApproachesSection(approaches: readonly FailedApproach[]): PromptSection {
  const lines = approaches.map(({ approach, why_it_failed, what_to_do_instead }) => {
    const instead = oneLine(what_to_do_instead ?? '', 300);
    return [
      `- ${oneLine(approach, 300)}`,
      `Failed: ${oneLine(why_it_failed, 300)}`,
      ...(instead === '' ? [] : [`Instead: ${instead}`]),
    ].join(' | ');
  });
  return linesSection('failed approaches', '## Approaches That Failed (Do Not Repeat)', lines, {
    priority: 30,
  });
}
