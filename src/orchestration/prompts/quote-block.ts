import { cleanText } from '../../domain/json/clean-text.ts';

/** A run longer than this is shortened: the fence would be as long as the text. */
const LONGEST_RUN = 60;

/**
 * Somebody else's words as a block that they cannot close: its fence is longer than any run of backticks in them. What
 * follows the opening fence says whose words they are.
 */
export function quoteBlock(text: string, label: string): string {
  let longest = 2;
  const content = cleanText(text).replace(/`{3,}/g, (run) => {
    const kept = run.slice(0, LONGEST_RUN);
    longest = Math.max(longest, kept.length);
    return kept;
  });
  const fence = '`'.repeat(longest + 1);
  return `${fence}${label.replace(/[`\s]+/g, '-')}\n${content.replace(/\n+$/, '')}\n${fence}`;
}
