import { describe, expect, it } from 'vitest';
import { ENTITY_REGISTRY } from '../../src/domain/entities/entity-types.ts';
import { checkFilters, checkOrder, latestField } from '../../src/store/check-filter.ts';
import type { Filter } from '../../src/store/episode-store.ts';

const TURNS = 'demo__turn_states';
const check = (group: string, ...filters: Filter[]) => checkFilters(ENTITY_REGISTRY, group, filters);

describe('checking filters', () => {
  it('accepts the declared fields of the types in the group', () => {
    expect(check(TURNS, { field: 'turn_number', op: 'gte', value: 2 })).toEqual([
      { on: 'field', field: 'turn_number', test: { op: 'gte', value: 2 } },
    ]);
  });

  it('accepts the columns of every episode', () => {
    expect(check(TURNS, { field: 'source', op: 'eq', value: 'cli' })).toEqual([
      { on: 'column', column: 'source', test: { op: 'in', values: ['cli'] } },
    ]);
  });

  it('compares text columns as text', () => {
    expect(check(TURNS, { field: 'entity_id', op: 'ne', value: 7 })).toEqual([
      { on: 'column', column: 'entity_id', test: { op: 'notIn', values: ['7'] } },
    ]);
  });

  it('reads times, including dates and offsets', () => {
    const moment = Date.parse('2026-01-02T00:00:00Z');
    expect(check(TURNS, { field: 'created_at', op: 'lt', value: '2026-01-02' })).toEqual([
      { on: 'column', column: 'created_at', test: { op: 'lt', value: moment } },
    ]);
    expect(check(TURNS, { field: 'valid_at', op: 'in', value: ['2026-01-02T01:00:00+01:00'] })).toEqual([
      { on: 'column', column: 'valid_at', test: { op: 'in', values: [moment] } },
    ]);
  });

  it('converts booleans to the form in which fields store them', () => {
    expect(check(TURNS, { field: 'mode', op: 'in', value: [true, false] })).toEqual([
      { on: 'field', field: 'mode', test: { op: 'in', values: [1, 0] } },
    ]);
  });

  it('reads null as an absent field, which compares with nothing', () => {
    const test = (op: 'eq' | 'ne' | 'lt') =>
      check(TURNS, { field: 'coach_decision', op, value: null })[0]?.test;
    expect(test('eq')).toEqual({ op: 'absent' });
    expect(test('ne')).toEqual({ op: 'present' });
    expect(test('lt')).toEqual({ op: 'in', values: [] });
  });

  it('puts the most selective equality first', () => {
    const checked = check(
      TURNS,
      { field: 'created_at', op: 'gt', value: '2026-01-01' },
      { field: 'turn_number', op: 'gt', value: 1 },
      { field: 'feature_id', op: 'eq', value: 'FEAT-A' },
      { field: 'coach_decision', op: 'eq', value: null },
      { field: 'task_id', op: 'eq', value: 'TASK-1' },
    );
    expect(checked.slice(0, 2).map((filter) => filter.on === 'field' && filter.field)).toEqual([
      'task_id',
      'feature_id',
    ]);
    expect(checked).toHaveLength(5);
  });

  it.each([
    ['a field that no type of the group declares', TURNS, 'tags'],
    ['a field of the body that is not indexed', TURNS, 'player_summary'],
    ['a column that may not be asked for', TURNS, 'body'],
    ['an injected expression', TURNS, 'task_id = task_id OR 1'],
    ['an empty name', TURNS, ''],
  ])('refuses %s and lists the valid ones', (_what, group, field) => {
    expect(() => check(group, { field, op: 'eq', value: 'x' })).toThrow(
      expect.objectContaining({
        code: 'list.unknown-field',
        kind: 'input',
        hint: expect.stringContaining('turn_number'),
      }),
    );
  });

  it('refuses an unreadable time', () => {
    expect(() => check(TURNS, { field: 'created_at', op: 'lt', value: 'yesterday' })).toThrow(
      expect.objectContaining({ code: 'time.format' }),
    );
  });

  it('refuses an unknown operator, which may come from untyped code', () => {
    const forged = { field: 'task_id', op: 'like', value: 'x' } as unknown as Filter;
    expect(() => check(TURNS, forged)).toThrow(expect.objectContaining({ kind: 'input' }));
  });

  it('refuses an invalid group', () => {
    expect(() => check('No Group', { field: 'source', op: 'eq', value: 'x' })).toThrow(
      expect.objectContaining({ code: 'group.illegal' }),
    );
  });
});

describe('checking an order', () => {
  it('accepts declared fields and columns', () => {
    expect(checkOrder(ENTITY_REGISTRY, TURNS, 'turn_number')).toEqual({ on: 'field', field: 'turn_number' });
    expect(checkOrder(ENTITY_REGISTRY, TURNS, 'valid_at')).toEqual({ on: 'column', column: 'valid_at' });
  });

  it('refuses anything else', () => {
    expect(() => checkOrder(ENTITY_REGISTRY, TURNS, 'seq; DROP TABLE episode')).toThrow(
      expect.objectContaining({ code: 'list.unknown-field' }),
    );
  });
});

describe('the order of the latest', () => {
  it("is the type's own, if declared", () => {
    expect(latestField(ENTITY_REGISTRY, TURNS)).toBe('turn_number');
  });

  it('is by time otherwise', () => {
    expect(latestField(ENTITY_REGISTRY, 'role_constraints')).toBeUndefined();
  });
});
