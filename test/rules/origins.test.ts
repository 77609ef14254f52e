import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolveQualityGates } from '../../src/rules/resolve-quality-gates.ts';
import { resolveRoleConstraints } from '../../src/rules/resolve-role-constraints.ts';
import { runs } from '../support/thorough.ts';
import { filesWith, SEEDED } from './rule-sources-fixture.ts';

/** The line that `mark` stands on, as a person counts. */
function lineOf(text: string, mark: string): number {
  return text.slice(0, text.indexOf(mark)).split('\n').length;
}

describe('the origin of a value is its line,', () => {
  const layouts: [string, string][] = [
    [
      'in blocks',
      'quality_gate_configs:\n  - task_type: feature\n    complexity_range: [4, 6]\n    coverage_threshold: 0.9\n',
    ],
    [
      'after comments',
      '# one\n\n# two\nquality_gate_configs: # three\n  # four\n  - task_type: feature # five\n    # six\n    complexity_range: [4, 6]\n\n    coverage_threshold: 0.9 # seven\n',
    ],
    [
      'in one flow',
      'quality_gate_configs: [{task_type: feature, complexity_range: [4, 6], coverage_threshold: 0.9}]\n',
    ],
    [
      'in a flow of many lines',
      'quality_gate_configs: [\n  {\n    task_type: feature, complexity_range: [\n      4,\n      6\n    ],\n    # why\n    coverage_threshold:\n      0.9\n  }\n]\n',
    ],
    [
      'with a mark',
      'quality_gate_configs:\n  - &base\n    task_type: feature\n    complexity_range: [4, 6]\n    coverage_threshold: &cov 0.9\n',
    ],
    [
      'after a long text',
      'quality_gate_configs:\n  - task_type: >-\n      feature\n    complexity_range:\n      - 4\n      - 6\n    coverage_threshold: 0.9\n',
    ],
    [
      'as JSON',
      '{\n"quality_gate_configs": [\n{"task_type": "feature",\n"complexity_range": [4, 6],\n"coverage_threshold": 0.9}\n]\n}\n',
    ],
    [
      'after a beginning of a document',
      '%YAML 1.2\n---\nquality_gate_configs:\n  - task_type: feature\n    complexity_range: [4, 6]\n    coverage_threshold: 0.9\n...\n',
    ],
  ];

  it.each(layouts)('%s', async (_layout, text) => {
    for (const gates of [text, text.replaceAll('\n', '\r\n'), `\ufeff${text}`]) {
      const { values } = resolveQualityGates({ ...SEEDED, ...(await filesWith({ gates })) }, 'feature', 5);
      expect(values.coverage_threshold).toMatchObject({
        value: 0.9,
        origin: `quality-gates.yaml:${lineOf(text, 'coverage_threshold')}`,
      });
    }
  });

  it('with an alias, the line that uses it', async () => {
    const overrides =
      'role_constraints:\n  player:\n    must_do_additions: &both\n      - Be kind\n  coach:\n    must_do_additions: *both\n';
    const sources = { ...SEEDED, ...(await filesWith({ overrides })) };
    const last = (role: 'player' | 'coach') => resolveRoleConstraints(sources, role).lists.must_do.at(-1);
    expect(last('player')).toEqual({ value: 'Be kind', origin: 'entity-overrides.yaml:4' });
    expect(last('coach')).toEqual({ value: 'Be kind', origin: 'entity-overrides.yaml:6' });
  });

  it('regardless of the lines around it [RULE-5]', async () => {
    const noise = fc.array(fc.constantFrom('', '# a', '      # b', '   '), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(noise, { minLength: 6, maxLength: 6 }),
        fc.boolean(),
        async (between, windows) => {
          const lines = [
            'quality_gate_configs:',
            '  feature:',
            '    overrides:',
            '      - complexity_range: [4, 6]',
            '        tests_required: false',
            '        coverage_threshold: 0.91',
          ].flatMap((line, index) => [...(between[index] ?? []), line]);
          const overrides = lines.join(windows ? '\r\n' : '\n');
          const { values } = resolveQualityGates(
            { ...SEEDED, ...(await filesWith({ overrides })) },
            'feature',
            5,
          );
          expect(values.coverage_threshold.origin).toBe(`entity-overrides.yaml:${lines.length}`);
          expect(values.tests_required.origin).toBe(
            `entity-overrides.yaml:${lineOf(overrides, 'tests_required')}`,
          );
        },
      ),
      { numRuns: runs(50) },
    );
  });
});
