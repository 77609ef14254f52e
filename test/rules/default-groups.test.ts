import { describe, expect, it } from 'vitest';
import { ENTITY_REGISTRY } from '../../src/domain/entities/entity-types.ts';
import { DEFAULT_IMPLEMENTATION_MODES } from '../../src/domain/entities/implementation-mode.ts';
import { DEFAULT_QUALITY_GATE_CONFIGS } from '../../src/domain/entities/quality-gate-config.ts';
import { DEFAULT_ROLE_CONSTRAINTS } from '../../src/domain/entities/role-constraints.ts';
import { DEFAULT_GROUPS } from '../../src/rules/seed-groups.ts';

// The figures and words below are copied by hand from the data that the product was ordered with.
describe('the built-in values', () => {
  it('have the specified thresholds for every task type and complexity', () => {
    const figures = DEFAULT_QUALITY_GATE_CONFIGS.map((gate) => [
      gate.task_type,
      gate.complexity_range.join('-'),
      gate.arch_review_required,
      gate.arch_review_threshold,
      gate.coverage_required,
      gate.coverage_threshold,
      gate.tests_required,
      gate.tests_must_pass,
    ]);
    expect(figures).toEqual([
      ['scaffolding', '1-10', false, 0, false, 0.0, false, false],
      ['feature', '1-3', true, 50, true, 0.7, true, true],
      ['feature', '4-6', true, 60, true, 0.8, true, true],
      ['feature', '7-10', true, 70, true, 0.85, true, true],
      ['testing', '1-10', false, 0, true, 0.9, true, true],
      ['documentation', '1-10', false, 0, false, 0.0, false, false],
    ]);
  });

  it('have the specified modes', () => {
    const figures = DEFAULT_IMPLEMENTATION_MODES.map((mode) => [
      mode.mode,
      mode.complexity_range.join('-'),
      mode.ceremony_level,
      mode.invocation_method,
      mode.result_location_pattern,
      mode.state_recovery_strategy,
      mode.when_to_use.length,
      mode.pitfalls.length,
    ]);
    expect(figures).toEqual([
      ['direct', '1-3', 'minimal', 'inline', '{worktree_path}/', 'git_check_first', 3, 2],
      [
        'task_work',
        '3-7',
        'standard',
        'sdk_query',
        '{worktrees_root}/{feature_id}/',
        'resume_from_checkpoint',
        2,
        3,
      ],
      [
        'autobuild',
        '5-10',
        'full',
        'orchestrated',
        '{worktrees_root}/{feature_id}/',
        'resume_from_checkpoint',
        1,
        2,
      ],
    ]);
    const pitfalls = DEFAULT_IMPLEMENTATION_MODES.flatMap((mode) => mode.pitfalls).join(' ');
    for (const decision of ['ADR-FB-001', 'ADR-FB-002', 'ADR-FB-003']) expect(pitfalls).toContain(decision);
  });

  it('have the specified rules for each role', () => {
    // One telling word of each statement, in its order.
    const expected = {
      player: {
        must_do: ['Implement', 'plan', 'tests', 'blockers'],
        must_not_do: ['quality gates', 'ADR', 'thresholds', 'human'],
        ask_before: ['architecture', 'dependencies', 'Skipping'],
        escalate_when: [],
      },
      coach: {
        must_do: ['acceptance criteria', 'quality-gate', 'feedback', 'status'],
        must_not_do: ['Write', 'Modify', 'decisions', 'Change acceptance'],
        ask_before: [],
        escalate_when: ['3 attempts', 'violations', 'cannot be met'],
      },
    };
    for (const { role, ...lists } of DEFAULT_ROLE_CONSTRAINTS) {
      for (const [list, words] of Object.entries(expected[role])) {
        const statements = lists[list as keyof typeof lists];
        expect(statements).toHaveLength(words.length);
        for (const [index, word] of words.entries()) expect(statements[index]).toContain(word);
      }
    }
    expect(DEFAULT_ROLE_CONSTRAINTS.map(({ role }) => role)).toEqual(['player', 'coach']);
  });

  it('fit their own types, and each has an id of its own', () => {
    for (const { group, entity_type, bodies } of DEFAULT_GROUPS) {
      const entity = ENTITY_REGISTRY.get(entity_type);
      expect(entity?.groups).toContain(group);
      const ids = bodies.map((body) => {
        expect(entity?.schema.parse(body)).toEqual(body);
        return entity?.id?.(body);
      });
      expect(new Set(ids).size).toBe(bodies.length);
    }
    expect(DEFAULT_GROUPS.flatMap(({ bodies }) => bodies)).toHaveLength(11);
  });
});
