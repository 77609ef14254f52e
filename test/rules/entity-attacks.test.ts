import { describe, expect, it } from 'vitest';
import { ENTITY_REGISTRY } from '../../src/domain/entities/entity-types.ts';
import { qualityGateConfigSchema } from '../../src/domain/entities/quality-gate-config.ts';
import { turnStateSchema } from '../../src/domain/entities/turn-state.ts';
import { DEFAULT_GROUPS } from '../../src/rules/seed-groups.ts';

const TURN = { feature_id: 'FEAT-1', task_id: 'TASK-1', turn_number: 1, mode: 'FRESH_START' };

describe('a turn record', () => {
  it('takes its time from the guides’ name for it, also where ours is there and empty', () => {
    const timestamp = '2026-11-15T09:30:00Z';
    for (const record of [
      { ...TURN, timestamp },
      { ...TURN, timestamp, completed_at: null },
    ]) {
      expect(turnStateSchema.parse(record).completed_at).toBe('2026-11-15T09:30:00.000Z');
    }
    const both = { ...TURN, timestamp, completed_at: '2026-11-15T10:00:00Z' };
    expect(turnStateSchema.parse(both).completed_at).toBe('2026-11-15T10:00:00.000Z');
  });

  it('with a criterion that would be lost is refused', () => {
    const record = JSON.parse(`{"acceptance_criteria_status": {"__proto__": "verified"}}`);
    expect(turnStateSchema.safeParse({ ...TURN, ...record }).error?.issues).toMatchObject([
      { path: ['acceptance_criteria_status'], message: expect.stringContaining('__proto__') },
    ]);
  });

  it('keeps both criteria where their ids are the same', () => {
    const status = { 'AC-001: a': 'verified', 'AC-001: b': 'pending' };
    expect(
      turnStateSchema.parse({ ...TURN, acceptance_criteria_status: status }).acceptance_criteria_status,
    ).toEqual(status);
  });

  it.each([
    { turn_number: 0 },
    { turn_number: 1.5 },
    { turn_number: Number.NaN },
    { coverage: 100.1 },
    { coverage: -1 },
    { coach_decision: 'аpproved' },
    { coach_decision: 'constructor' },
    { mode: '__proto__' },
    { feature_id: '../FEAT' },
    { feature_id: 'FEAT\n1' },
    { acceptance_criteria_status: ['verified'] },
    { quality_gate_results: [] },
    { unknown: 1 },
  ])('with %j is refused', (wrong) => {
    expect(turnStateSchema.safeParse({ ...TURN, ...wrong }).success).toBe(false);
  });
});

describe('the built-in values', () => {
  it.each(DEFAULT_GROUPS)(
    'of $group fit their schema and stay as they are through it',
    ({ entity_type, bodies }) => {
      const entity = ENTITY_REGISTRY.get(entity_type);
      for (const body of bodies) expect(entity?.schema.parse(structuredClone(body))).toEqual(body);
      expect(new Set(bodies.map((body) => entity?.id?.(body))).size).toBe(bodies.length);
    },
  );
});

it('a missing field is reported as missing, not as a wrong unit', () => {
  const { coverage_threshold, arch_review_threshold, tests_required } = qualityGateConfigSchema.shape;
  for (const schema of [coverage_threshold, arch_review_threshold, tests_required]) {
    expect(schema.safeParse(undefined).error?.issues[0]?.code).toBe('invalid_type');
  }
});
