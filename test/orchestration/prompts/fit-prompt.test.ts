import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateTokens, fitPrompt } from '../../../src/orchestration/prompts/fit-prompt.ts';
import {
  blockSection,
  fixedSection,
  linesSection,
} from '../../../src/orchestration/prompts/prompt-section.ts';
import { runs } from '../../support/thorough.ts';

const ROLE = fixedSection('role', '## Your Role: Player');
const ANSWER = fixedSection('answer', '## How to Answer');
const plan = (text: string, priority = 50) => blockSection('plan', '## Plan', text, priority);
const turns = (count: number) =>
  linesSection(
    'earlier turns',
    '## Earlier Turns',
    Array.from({ length: count }, (_, index) => `- Turn ${index + 1}: it went as it went`),
    { priority: 20, keep: 'last' },
  );

describe('a prompt within its budget', () => {
  it('that fits is whole and leaves nothing out', () => {
    const { text, leftOut, injected } = fitPrompt([ROLE, plan('Do it.'), turns(2), ANSWER], 1000);
    expect(leftOut).toEqual([]);
    expect(injected).toEqual(['role', 'plan', 'earlier turns', 'answer']);
    expect(text).toContain('Turn 1:');
  });

  it('that does not fit shortens the least important section first and says so', () => {
    const { text, leftOut, injected } = fitPrompt([ROLE, plan('Do it.'), turns(300), ANSWER], 400);
    expect(estimateTokens(text)).toBeLessThanOrEqual(400);
    expect(injected).toContain('earlier turns');
    expect(text).toContain('Turn 300');
    expect(text).not.toContain('- Turn 1:');
    expect(leftOut).toHaveLength(1);
    expect(leftOut[0]).toMatch(/^earlier turns: \d+\D+300$/);
    expect(text).toContain(`\n- ${leftOut[0]}`);
  });

  it('leaves a section out only if shortening is not enough', () => {
    const { leftOut, injected, text } = fitPrompt(
      [ROLE, plan('word '.repeat(3000)), turns(300), ANSWER],
      300,
    );
    expect(injected).toEqual(['role', 'plan', 'answer']);
    expect(leftOut).toContainEqual(expect.stringMatching(/^earlier turns: /));
    expect(text).not.toContain('- Turn ');
    expect(estimateTokens(text)).toBeLessThanOrEqual(300);
  });

  it('never leaves out a mandatory section, and reports that it is too long', () => {
    const feedback = fixedSection('previous turn', 'MUST ADDRESS '.repeat(100));
    const { text, leftOut } = fitPrompt([ROLE, feedback, plan('x'), ANSWER], 10);
    expect(text).toContain('MUST ADDRESS MUST ADDRESS');
    expect(leftOut).toContainEqual(expect.stringMatching(/^plan: /));
    expect(leftOut.at(-1)).toMatch(/\b10\b/);
  });

  it('keeps the answer format at its end', () => {
    expect(fitPrompt([ROLE, turns(300), ANSWER], 100).text.endsWith('## How to Answer\n')).toBe(true);
  });

  it('does not read more of a text than a prompt can contain', () => {
    const { leftOut } = fitPrompt([plan('y'.repeat(3_000_000)), ANSWER], 1_000_000);
    expect(leftOut[0]).toMatch(/^plan: .*\b3000000\b/);
  });
});

it('any prompt keeps its budget or contains only mandatory sections', () => {
  const anything = fc.array(
    fc.record({
      text: fc.oneof(
        fc.string({ maxLength: 5000, unit: 'grapheme' }),
        fc.integer({ min: 0, max: 9000 }).map((n) => '`a\n'.repeat(n)),
      ),
      priority: fc.integer({ min: 0, max: 9 }),
    }),
    { maxLength: 6 },
  );
  fc.assert(
    fc.property(anything, fc.integer({ min: 60, max: 5000 }), (blocks, budget) => {
      const sections = blocks.map(({ text, priority }, index) =>
        blockSection(`block ${index}`, '## B', text, priority),
      );
      const { text, injected, leftOut } = fitPrompt([ROLE, ...sections, ANSWER], budget);
      expect(injected).toContain('role');
      expect(injected.at(-1)).toBe('answer');
      if (estimateTokens(text) > budget) expect(injected).toEqual(['role', 'answer']);
      const dropped = sections.filter(
        ({ name, render }) => render(Infinity).text !== '' && !injected.includes(name),
      );
      for (const { name } of dropped)
        expect(leftOut.filter((line) => line.startsWith(`${name}: `))).toHaveLength(1);
    }),
    { numRuns: runs(100) },
  );
});
