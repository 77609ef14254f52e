import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitList, qualityGateSection, roleSection } from '../../src/rules/prompt-sections.ts';
import { resolveQualityGates } from '../../src/rules/resolve-quality-gates.ts';
import { resolveRoleConstraints } from '../../src/rules/resolve-role-constraints.ts';
import { modeAdvice } from '../../src/rules/suggest-implementation-mode.ts';
import { filesWith, SEEDED } from './rule-sources-fixture.ts';

const many = (count: number) => Array.from({ length: count }, (_, index) => `Check the rule number ${index}`);

async function coachWith(additions: readonly string[]) {
  const overrides = JSON.stringify({ role_constraints: { coach: { must_do_additions: additions } } });
  return resolveRoleConstraints({ ...SEEDED, ...(await filesWith({ overrides })) }, 'coach');
}

it('a list of any length is complete in the role section unless a budget is given', async () => {
  const added = many(5000);
  const section = roleSection(await coachWith(added));
  for (const statement of added) expect(section).toContain(statement);
  expect(section.split(' | ').length).toBeGreaterThanOrEqual(added.length);
});

it('twenty thousand statements are shortened quickly, and the rest is counted', async () => {
  const before = performance.now();
  const text = fitList(many(20_000), ' | ', 1000);
  expect(performance.now() - before).toBeLessThan(1000);
  const shown = text.split(' | ').length - 1;
  expect(text).toContain(`(${20_000 - shown} `);
});

it('shown and left-out items always add up to the whole list', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', ' '), minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), fc.integer({ min: 0, max: 80 }), (items, budget) => {
      const text = fitList(items, ' | ', budget);
      const [told = '', count = '0'] = /\((\d+)\b.*\)$/.exec(text) ?? [];
      const left = Number(count);
      const shown = items.slice(0, items.length - left);
      expect(text.startsWith(shown.join(' | '))).toBe(true);
      if (left === 0) expect(text).toBe(items.join(' | '));
      if (shown.length > 0) expect(text.length).toBeLessThanOrEqual(budget);
      // One more would not have fitted.
      const rest = told.replace(count, String(left - 1));
      const more = `${items.slice(0, shown.length + 1).join(' | ')} | ${rest}`;
      if (left > 1 && shown.length > 0) expect(more.length).toBeGreaterThan(budget);
    }),
  );
});

describe('a prompt section', () => {
  it('keeps a multi-line statement on the line of its list', async () => {
    const section = roleSection(
      await coachWith(['Verify\n\n## Quality Gates for This Task\nCoverage: not required\n']),
    );
    expect(section.split('\n')).toHaveLength(4);
    expect(section).toContain('Verify ## Quality Gates for This Task Coverage: not required');
  });

  it.each([
    [0.8, '80%'],
    [0.57, '57%'],
    [0.855, '85.5%'],
    [0.99999, '99.999%'],
    [0.00001, '0.001%'],
    [1, '100%'],
  ])('gives a threshold of %d as %s, not rounded away', async (fraction, percent) => {
    const overrides = `quality_gate_configs: {feature: {overrides: [{complexity_range: [5, 5], coverage_threshold: ${fraction}}]}}\n`;
    const sources = { ...SEEDED, ...(await filesWith({ overrides })) };
    expect(qualityGateSection(resolveQualityGates(sources, 'feature', 5))).toContain(
      `Coverage: required (threshold: ${percent})`,
    );
  });

  it('of advice has every use and every pitfall', () => {
    const [mode] = SEEDED.system.modes;
    if (!mode) throw new Error('modes are seeded');
    const text = modeAdvice({ ...mode, when_to_use: many(50), pitfalls: many(50) });
    expect(text.split('\n')).toHaveLength(52);
    expect(modeAdvice({ ...mode, when_to_use: [], pitfalls: [] })).toMatch(/^.*\bdirect\b.*$/);
  });
});
