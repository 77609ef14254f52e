import type { Prompt, PromptSection, RenderedSection } from './prompt-section.ts';

const CHARACTERS_PER_TOKEN = 4;

/** A fixed estimate of four characters per token; real tokenizers differ by script and model. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

interface Part {
  section: PromptSection;
  rendered: RenderedSection;
}

/**
 * Joins sections into one prompt within the budget. The least important sections are shortened first, then left out. The
 * prompt lists what is missing.
 */
export function fitPrompt(sections: readonly PromptSection[], budgetTokens: number): Prompt {
  const budget = budgetTokens * CHARACTERS_PER_TOKEN;
  const parts: Part[] = sections
    .map((section) => ({ section, rendered: section.render(Number.POSITIVE_INFINITY) }))
    .filter(({ rendered }) => rendered.text !== '');
  const dropped: string[] = [];
  const over = () => assemble(parts, dropped).length - budget;
  const optional = parts
    .filter(({ section }) => section.priority !== 'always')
    .sort((a, b) => Number(a.section.priority) - Number(b.section.priority));

  for (const part of optional) {
    const excess = over();
    if (excess <= 0) break;
    const { section, rendered } = part;
    if (section.shortest === undefined || rendered.text.length <= section.shortest) continue;
    // Leave room for the note that lists the omission.
    const limit = Math.max(section.shortest, rendered.text.length - excess - 160);
    const shortened = section.render(limit);
    if (shortened.text.length < rendered.text.length) part.rendered = shortened;
  }
  for (const part of optional) {
    if (over() <= 0) break;
    parts.splice(parts.indexOf(part), 1);
    dropped.push(`${part.section.name}: all`);
  }
  const text = assemble(parts, dropped);
  const tooLong =
    text.length > budget
      ? [`the prompt has about ${estimateTokens(text)} tokens, over its budget of ${budgetTokens}`]
      : [];
  return {
    text,
    leftOut: [...leftOutOf(parts, dropped), ...tooLong],
    injected: parts.map(({ section }) => section.name),
  };
}

function leftOutOf(parts: readonly Part[], dropped: readonly string[]): string[] {
  return [...parts.flatMap(({ rendered }) => rendered.leftOut), ...dropped];
}

function assemble(parts: readonly Part[], dropped: readonly string[]): string {
  const leftOut = leftOutOf(parts, dropped);
  const remark =
    leftOut.length === 0
      ? []
      : [['## Left Out of This Prompt', ...leftOut.map((what) => `- ${what}`)].join('\n')];
  // "How to Answer" stays last, nearest to the answer.
  const texts = parts.map(({ rendered }) => rendered.text);
  return `${[...texts.slice(0, -1), ...remark, ...texts.slice(-1)].join('\n\n')}\n`;
}
