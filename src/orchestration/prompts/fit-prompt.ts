import type { Prompt, PromptSection, RenderedSection } from './prompt-section.ts';

const CHARACTERS_PER_TOKEN = 4;

/** An estimate that is the same everywhere: four characters a token. Real models differ by script and by model. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

interface Part {
  section: PromptSection;
  rendered: RenderedSection;
}

/**
 * Sections as one prompt of about so many tokens. Where they do not fit, the least important is shortened first; only if
 * that is not enough is one left out whole. The prompt itself says what is missing.
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
    // The remark at the end names it, and takes some room itself.
    const limit = Math.max(section.shortest, rendered.text.length - excess - 160);
    const shortened = section.render(limit);
    if (shortened.text.length < rendered.text.length) part.rendered = shortened;
  }
  for (const part of optional) {
    if (over() <= 0) break;
    parts.splice(parts.indexOf(part), 1);
    dropped.push(`${part.section.name}: all of it`);
  }
  const text = assemble(parts, dropped);
  const tooLong =
    text.length > budget
      ? [`the prompt has about ${estimateTokens(text)} tokens, more than its budget of ${budgetTokens}`]
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
  // How to answer comes last, so that it is nearest to the answer.
  const texts = parts.map(({ rendered }) => rendered.text);
  return `${[...texts.slice(0, -1), ...remark, ...texts.slice(-1)].join('\n\n')}\n`;
}
