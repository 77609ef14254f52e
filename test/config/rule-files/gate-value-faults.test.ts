import { describe, expect, it } from 'vitest';
import { readRuleFiles } from '../../../src/config/rule-files/rule-files.ts';
import type { Fault } from '../../../src/config/yaml/yaml-file.ts';
import { projectWith, type RuleTexts } from '../../rules/rule-sources-fixture.ts';

async function faults(texts: RuleTexts): Promise<Fault[]> {
  const result = await readRuleFiles(projectWith(texts));
  return result.ok ? [] : result.faults;
}

const briefly = async (texts: RuleTexts) =>
  (await faults(texts)).map(({ code, message }) => ({ code, message }));

/** Text values of the file are shown in quotes. */
const withoutQuoted = (message: string) => message.replace(/"[^"]*"/g, '');

/** The numbers in a message, without limits and the value of the file. */
function proposals(message: string, field: string): string[] {
  const known = ['0', '1', '100', field.replace(/^\w+: /, '').replace('%', '')];
  const numbers = withoutQuoted(message.replace(/^\S+ /, '')).match(/-?\d+(?:\.\d+)?/g) ?? [];
  return numbers.filter((number) => !known.includes(number));
}

const inGates = (field: string): RuleTexts => ({
  gates: `quality_gate_configs:\n  - {task_type: feature, complexity_range: [4, 6], ${field}}\n`,
});
const inOverrides = (field: string): RuleTexts => ({
  overrides: `quality_gate_configs: {feature: {overrides: [{complexity_range: [4, 6], ${field}}]}}\n`,
});

describe('a threshold outside its unit comes with the likely fix [RULE-10]:', () => {
  it.each([
    ['coverage_threshold: 80', '0.80'],
    ['coverage_threshold: 82.5', '0.825'],
    ['coverage_threshold: 1.5', '0.015'],
    ['coverage_threshold: 80%', '0.80'],
    ['coverage_threshold: "0.8"', '0.8'],
    ['coverage_threshold: "0,8"', '0.8'],
    ['coverage_threshold: -1', undefined],
    ['coverage_threshold: 800', undefined],
    ['coverage_threshold: high', undefined],
    ['arch_review_threshold: 0.6', '60'],
    ['arch_review_threshold: "60"', '60'],
    ['arch_review_threshold: 160', undefined],
  ])('%s, which should be %s', async (field, fix) => {
    for (const texts of [inGates(field), inOverrides(field)]) {
      const found = await faults(texts);
      expect(found).toMatchObject([{ code: 'invalid-value' }]);
      expect(proposals(found[0]?.message ?? '', field)).toEqual(fix === undefined ? [] : [fix]);
    }
  });

  it('a word that older YAML took for true or false is answered with that value', async () => {
    const answer = async (word: string) => {
      const found = await faults(inGates(`tests_required: "${word}"`));
      expect(found).toMatchObject([{ code: 'invalid-value' }]);
      return withoutQuoted(found[0]?.message ?? '');
    };
    expect(await answer('yes')).toBe(await answer('on'));
    expect(await answer('False')).toBe(await answer('no'));
    expect(await answer('yes')).not.toBe(await answer('no'));
    expect(await answer('yes')).not.toBe(await answer('sometimes'));
  });

  it.each([
    'coverage_threshold: 0',
    'coverage_threshold: 1',
    'coverage_threshold: 0.80',
    'arch_review_threshold: 100',
  ])('and %s is none', async (field) => {
    expect(await briefly(inGates(field))).toEqual([]);
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
    expect(await briefly(gates(range))).not.toEqual([]);
  });

  it('that leaves a hole in the middle is refused, also where an override covers it', async () => {
    const overrides =
      'quality_gate_configs: {spike: {overrides: [{complexity_range: [5, 5], coverage_threshold: 1}]}}\n';
    expect(await briefly({ ...gates('[1, 4]', '[6, 10]'), overrides })).toEqual([
      { code: 'uncovered-complexity', message: expect.stringMatching(/spike.*\b5\b/) },
    ]);
  });

  it('in any order, complete and without overlap, has no fault', async () => {
    expect(await briefly(gates('[5, 10]', '[1, 1]', '[2, 4]'))).toEqual([]);
  });

  it('that is repeated overlaps itself', async () => {
    expect(await briefly(gates('[1, 10]', '[1, 10]'))).toEqual([
      { code: 'overlap', message: expect.stringContaining('spike') },
    ]);
  });

  it('of an override may cross the profiles of the other file', async () => {
    const overrides =
      'quality_gate_configs: {spike: {overrides: [{complexity_range: [2, 9], coverage_threshold: 1}]}}\n';
    expect(await briefly({ ...gates('[1, 4]', '[5, 10]'), overrides })).toEqual([]);
  });
});

describe('a task type', () => {
  it('of the project is not reported in the overrides while the file that defines it has a fault', async () => {
    const overrides = 'quality_gate_configs: {spike: {overrides: []}}\n';
    expect(await briefly({ gates: 'quality_gate_configs: [{task_type: spike}]\n', overrides })).toEqual([
      { code: 'missing', message: expect.stringContaining('complexity_range') },
    ]);
  });

  it('that is misspelt is reported even then', async () => {
    const overrides = 'quality_gate_configs: {featur: {overrides: []}}\n';
    expect(await briefly({ gates: 'nonsense: 1\n', overrides })).toEqual([
      { code: 'unknown-key', message: expect.stringContaining('nonsense') },
      { code: 'unknown-task-type', message: expect.stringMatching(/featur\b.*feature\b/) },
    ]);
  });

  it.each(['Feature', 'feature ', 'f\u0435ature', 'fea-ture', '1feature', ''])(
    'of %j, which only looks like one, is refused',
    async (type) => {
      const text = `quality_gate_configs: [{task_type: ${JSON.stringify(type)}, complexity_range: [1, 2]}]\n`;
      expect(await briefly({ gates: text })).toEqual([
        { code: 'invalid-value', message: expect.stringContaining('quality_gate_configs.0.task_type') },
      ]);
    },
  );
});
