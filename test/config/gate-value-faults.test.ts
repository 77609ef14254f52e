import { describe, expect, it } from 'vitest';
import { readRuleFiles } from '../../src/config/rule-files.ts';
import { projectWith, type RuleTexts } from '../rules/rule-sources-fixture.ts';

async function messages(texts: RuleTexts): Promise<string[]> {
  const result = await readRuleFiles(projectWith(texts));
  return result.ok
    ? []
    : result.faults.map(({ message }) => message.replace(/^quality_gate_configs\.\S+ /, ''));
}

const inGates = (field: string): RuleTexts => ({
  gates: `quality_gate_configs:\n  - {task_type: feature, complexity_range: [4, 6], ${field}}\n`,
});
const inOverrides = (field: string): RuleTexts => ({
  overrides: `quality_gate_configs: {feature: {overrides: [{complexity_range: [4, 6], ${field}}]}}\n`,
});

describe('a threshold outside its unit comes with the likely fix [RULE-10]:', () => {
  it.each([
    ['coverage_threshold: 80', 'a fraction from 0 to 1 is expected: write 0.80 for 80 %, found 80'],
    ['coverage_threshold: 82.5', 'a fraction from 0 to 1 is expected: write 0.825 for 82.5 %, found 82.5'],
    ['coverage_threshold: 1.5', 'a fraction from 0 to 1 is expected: write 0.015 for 1.5 %, found 1.5'],
    ['coverage_threshold: 80%', 'a fraction from 0 to 1 is expected: write 0.80 for 80 %, found "80%"'],
    ['coverage_threshold: "0.8"', 'a fraction from 0 to 1 is expected: write 0.8, found "0.8"'],
    ['coverage_threshold: "0,8"', 'a fraction from 0 to 1 is expected: write 0.8, found "0,8"'],
    ['coverage_threshold: -1', 'a fraction from 0 to 1 is expected, found -1'],
    ['coverage_threshold: 800', 'a fraction from 0 to 1 is expected, found 800'],
    ['coverage_threshold: high', 'a fraction from 0 to 1 is expected, found "high"'],
    ['arch_review_threshold: 0.6', 'a whole number from 0 to 100 is expected: write 60, found 0.6'],
    ['arch_review_threshold: "60"', 'a whole number from 0 to 100 is expected: write 60, found "60"'],
    ['arch_review_threshold: 160', 'a whole number from 0 to 100 is expected, found 160'],
    ['tests_required: yes', 'true or false is expected: write true, found "yes"'],
    ['tests_required: "False"', 'true or false is expected: write false, found "False"'],
  ])('%s', async (field, expected) => {
    expect(await messages(inGates(field))).toEqual([expected]);
    expect(await messages(inOverrides(field))).toEqual([expected]);
  });

  it.each([
    'coverage_threshold: 0',
    'coverage_threshold: 1',
    'coverage_threshold: 0.80',
    'arch_review_threshold: 100',
  ])('and %s is none', async (field) => {
    expect(await messages(inGates(field))).toEqual([]);
  });
});

describe('a range', () => {
  const FULL =
    'arch_review_required: false, arch_review_threshold: 0, coverage_required: false, coverage_threshold: 0, tests_required: false, tests_must_pass: false';
  const gates = (...ranges: string[]): RuleTexts => ({
    gates: `quality_gate_configs:\n${ranges.map((range) => `  - {task_type: spike, complexity_range: ${range}, ${FULL}}\n`).join('')}`,
  });

  it.each([
    '[6, 4]',
    '[0, 5]',
    '[1, 11]',
    '[1.5, 3]',
    '[1]',
    '[1, 2, 3]',
    '1-3',
    '["1", "3"]',
    '{low: 1}',
    '[1, ~]',
  ])('of %s is refused', async (range) => {
    expect(await messages(gates(range))).not.toEqual([]);
  });

  it('that leaves a hole in the middle is refused, also where an override covers it', async () => {
    const overrides =
      'quality_gate_configs: {spike: {overrides: [{complexity_range: [5, 5], coverage_threshold: 1}]}}\n';
    expect(await messages({ ...gates('[1, 4]', '[6, 10]'), overrides })).toEqual([
      'spike has no profile for complexity 5; the ranges must cover 1 to 10',
    ]);
  });

  it('in any order, whole and without overlap, has no fault', async () => {
    expect(await messages(gates('[5, 10]', '[1, 1]', '[2, 4]'))).toEqual([]);
  });

  it('that stands twice overlaps itself', async () => {
    expect(await messages(gates('[1, 10]', '[1, 10]'))).toEqual([
      'the range 1–10 of spike overlaps 1–10, which stands above it',
    ]);
  });

  it('of an override may cross the profiles of the other file', async () => {
    const overrides =
      'quality_gate_configs: {spike: {overrides: [{complexity_range: [2, 9], coverage_threshold: 1}]}}\n';
    expect(await messages({ ...gates('[1, 4]', '[5, 10]'), overrides })).toEqual([]);
  });
});

describe('a task type', () => {
  it('of the project is no fault of the overrides while the file that defines it has one', async () => {
    const overrides = 'quality_gate_configs: {spike: {overrides: []}}\n';
    expect(await messages({ gates: 'quality_gate_configs: [{task_type: spike}]\n', overrides })).toEqual([
      'is missing',
    ]);
  });

  it('that is misspelt is told even then', async () => {
    const overrides = 'quality_gate_configs: {featur: {overrides: []}}\n';
    expect(await messages({ gates: 'nonsense: 1\n', overrides })).toEqual([
      'unknown key "nonsense"',
      'there is no task type "featur"; did you mean feature?',
    ]);
  });

  it.each(['Feature', 'feature ', 'f\u0435ature', 'fea-ture', '1feature', ''])(
    'of %j, which only looks like one, is refused',
    async (type) => {
      const text = `quality_gate_configs: [{task_type: ${JSON.stringify(type)}, complexity_range: [1, 2]}]\n`;
      expect(await messages({ gates: text })).toEqual([
        expect.stringContaining('a task type is lower-case words joined by underscores'),
      ]);
    },
  );
});
