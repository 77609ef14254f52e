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

export interface RenderedSection {
  /** Empty where there is nothing to say. */
  text: string;
  /** What the section has and does not show, each as a phrase. */
  leftOut: readonly string[];
}

/** A part of a prompt. */
export interface PromptSection {
  name: string;
  /** The lowest is shortened, then left out, first; `always` is neither. */
  priority: number | 'always';
  /** Below so many characters it is of no use; undefined if it is whole or not there. */
  shortest?: number;
  /** At most about `limit` characters. */
  render(limit: number): RenderedSection;
}

export interface Prompt {
  text: string;
  /** What did not fit, each as a phrase. */
  leftOut: string[];
  /** The names of the sections that are in it. */
  injected: string[];
}

/** Text that is ours or has been made harmless, as it is. */
export function fixedSection(
  name: string,
  text: string,
  priority: PromptSection['priority'] = 'always',
): PromptSection {
  return { name, priority, render: () => ({ text, leftOut: [] }) };
}

/** More than any prompt has room for; what follows is not even looked at. */
const LONGEST_BLOCK = 1_000_000;
/** Below this a part of somebody's text tells nothing. */
const SHORTEST_BLOCK = 600;

/** A heading and somebody else's text in a block of its own; cut at its end if need be. */
export function blockSection(
  name: string,
  heading: string,
  content: string,
  priority: PromptSection['priority'],
): PromptSection {
  const whole = cleanText(content.slice(0, LONGEST_BLOCK)).trim();
  const beyond = Math.max(0, content.length - LONGEST_BLOCK);
  return {
    name,
    priority,
    shortest: heading.length + SHORTEST_BLOCK,
    render(limit) {
      if (whole === '') return { text: '', leftOut: [] };
      const block = quoteBlock(whole, name);
      if (beyond === 0 && heading.length + 1 + block.length <= limit)
        return { text: `${heading}\n${block}`, leftOut: [] };
      // What the fences and the remark take.
      const around = block.length - whole.length + heading.length + 80;
      const part = whole.slice(0, Math.max(0, limit - around)).toWellFormed();
      const missing = whole.length - part.length + beyond;
      return {
        text: `${heading}\n${quoteBlock(part, name)}\n(The rest, ${missing} characters, is left out.)`,
        leftOut: [`${name}: the last ${missing} of ${whole.length + beyond} characters`],
      };
    },
  };
}

/** A heading and lines, each harmless, as many as fit; `keep` says from which end. */
export function linesSection(
  name: string,
  heading: string,
  lines: readonly string[],
  { priority, keep = 'first' }: { priority: PromptSection['priority']; keep?: 'first' | 'last' },
): PromptSection {
  return {
    name,
    priority,
    shortest: heading.length + SHORTEST_BLOCK,
    render(limit) {
      if (lines.length === 0) return { text: '', leftOut: [] };
      const ordered = keep === 'first' ? lines : [...lines].reverse();
      const shown: string[] = [];
      let length = heading.length + 60;
      for (const line of ordered) {
        length += line.length + 1;
        if (length > limit && limit !== Number.POSITIVE_INFINITY) break;
        shown.push(line);
      }
      const missing = lines.length - shown.length;
      if (missing === 0) return { text: [heading, ...lines].join('\n'), leftOut: [] };
      const remark = `(${missing} more ${missing === 1 ? 'is' : 'are'} left out.)`;
      const body = keep === 'first' ? [...shown, remark] : [remark, ...shown.reverse()];
      return { text: [heading, ...body].join('\n'), leftOut: [`${name}: ${missing} of ${lines.length}`] };
    },
  };
}
