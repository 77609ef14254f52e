import { cleanText } from '../../domain/json/clean-text.ts';

/** Longer runs of backticks are shortened; otherwise the fence could be as long as the text. */
const LONGEST_RUN = 60;

/** Quotes untrusted text in a block that it cannot close: the fence is longer than any run of backticks in the text. */
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
  /** Empty if there is nothing to show. */
  text: string;
  /** Phrases that name the omitted parts. */
  leftOut: readonly string[];
}

export interface PromptSection {
  name: string;
  /** The lowest is shortened and left out first; `always` never is. */
  priority: number | 'always';
  /** The least useful length in characters; undefined if the section cannot be shortened. */
  shortest?: number;
  /** At most about `limit` characters. */
  render(limit: number): RenderedSection;
}

export interface Prompt {
  text: string;
  /** Phrases that name what did not fit. */
  leftOut: string[];
  /** The names of the included sections. */
  injected: string[];
}

/** A section with trusted or sanitized text, unchanged. */
export function fixedSection(
  name: string,
  text: string,
  priority: PromptSection['priority'] = 'always',
): PromptSection {
  return { name, priority, render: () => ({ text, leftOut: [] }) };
}

/** More than any prompt can contain; the rest is not even cleaned. */
const LONGEST_BLOCK = 1_000_000;
/** A shorter part of a quoted text is useless. */
const SHORTEST_BLOCK = 600;

/** A heading and a quoted text, cut at its end if necessary. */
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
      // Room for the fences and the note.
      const around = block.length - whole.length + heading.length + 80;
      const part = whole.slice(0, Math.max(0, limit - around)).toWellFormed();
      const missing = whole.length - part.length + beyond;
      return {
        text: `${heading}\n${quoteBlock(part, name)}\n(The remaining ${missing} characters are left out.)`,
        leftOut: [`${name}: the last ${missing} of ${whole.length + beyond} characters`],
      };
    },
  };
}

/** A heading and as many sanitized lines as fit; `keep` chooses the end to keep. */
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
      const remark = `(${missing} more left out.)`;
      const body = keep === 'first' ? [...shown, remark] : [remark, ...shown.reverse()];
      return { text: [heading, ...body].join('\n'), leftOut: [`${name}: ${missing} of ${lines.length}`] };
    },
  };
}
