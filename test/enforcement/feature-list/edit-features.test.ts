import { describe, expect, it } from 'vitest';
import type { ListEditor } from '../../../src/domain/feature-list/list-rights.ts';
import { editFeatures } from '../../../src/enforcement/feature-list/edit-features.ts';
import {
  describeMissing,
  planAddition,
  planFeatureEdit,
  planUnblock,
} from '../../../src/enforcement/feature-list/plan-feature-edit.ts';
import { feature, ListedProject, PERSON } from './list-fixture.ts';

const ME: ListEditor = { kind: 'person' };
const agentOf = (type?: string): ListEditor => ({ kind: 'agent', type });
const WHO = { by: 'person', actor: 'me' } as const;
const EDIT = {
  values: {},
  criteriaAdded: [],
  criteriaRemoved: [],
  dependenciesAdded: [],
  dependenciesRemoved: [],
  remove: false,
};
const add = (description: string) => (current: readonly ReturnType<typeof feature>[]) =>
  planAddition(current, new Set(), { id: undefined, values: { description } }, ME);

describe('features changed by a command', () => {
  it('get different ids when added at the same time, in ledger and list', async () => {
    const project = new ListedProject();
    const names = ['a', 'b', 'c', 'd'];
    await Promise.all(names.map((name) => editFeatures(project.context, PERSON, WHO, add(name))));
    expect(project.list().features.map(({ id }) => id)).toEqual(['F001', 'F002', 'F003', 'F004']);
    expect(project.recorded('F004')).toMatchObject({ tested: false, status: 'pending' });
  });

  it('create no list if the edit is rejected', async () => {
    const project = new ListedProject();
    const { planned } = await editFeatures(project.context, PERSON, WHO, (current) =>
      planFeatureEdit(current, 'F9', EDIT, ME),
    );
    expect(planned).toMatchObject({ ok: false, faults: [{ feature: 'F9', field: 'id' }] });
    expect(() => project.text()).toThrow('ENOENT');
  });

  it('are returned as recorded, without secrets', async () => {
    const project = new ListedProject();
    const key = `AKIA${'ABCDEFGH23456723'}`;
    const { planned } = await editFeatures(project.context, PERSON, WHO, add(`Use ${key}`));
    expect(JSON.stringify(planned)).not.toContain(key);
    expect(project.text()).not.toContain(key);
  });
});

describe('rights', () => {
  it.each([
    ['initializer', true],
    [undefined, true],
    ['coding', false],
    ['tester', false],
  ])('of the agent %s to add a feature: %s', (type, ok) => {
    const values = { description: 'a', acceptance_criteria: [{ text: 'b' }] };
    expect(planAddition([], new Set(), { id: undefined, values }, agentOf(type)).ok).toBe(ok);
  });

  it('let the coding agent set only its own fields', () => {
    const current = [feature('F1', { acceptance_criteria: [{ id: 'AC-1', text: 'a' }] })];
    const plan = (edit: object) => planFeatureEdit(current, 'F1', { ...EDIT, ...edit }, agentOf('coding'));
    expect(plan({ values: { status: 'completed', notes: 'n' } })).toMatchObject({
      ok: true,
      changed: [{ status: 'completed', notes: 'n', tested: false, acceptance_criteria: [{ id: 'AC-1' }] }],
    });
    for (const edit of [
      { values: { priority: 1 } },
      { remove: true },
      { criteriaRemoved: ['AC-001'] },
      { criteriaAdded: [{ text: 'b' }] },
      { dependenciesAdded: ['F2'] },
    ])
      expect(plan(edit).ok).toBe(false);
  });

  it.each(['tested', 'evidence', 'retries', 'blocked_reason'])('let nobody set %s', (field) => {
    const all = { tested: true, evidence: ['x'], retries: 1, blocked_reason: 'x' };
    const values = { [field]: all[field as keyof typeof all] };
    expect(planFeatureEdit([feature('F1')], 'F1', { ...EDIT, values }, ME)).toMatchObject({
      ok: false,
      faults: [{ field }],
    });
    expect(planAddition([], new Set(), { id: 'F1', values }, ME).ok).toBe(false);
  });
});

it('an existing cycle does not block other edits', () => {
  const current = [feature('A', { dependencies: ['B'] }), feature('B', { dependencies: ['A'] })];
  const plan = (edit: object) => planFeatureEdit(current, 'A', { ...EDIT, ...edit }, ME).ok;
  expect(plan({ values: { notes: 'n' } })).toBe(true);
  expect(plan({ dependenciesRemoved: ['B'] })).toBe(true);
  expect(describeMissing(current, [feature('C', { dependencies: ['A', 'D'] })])).toEqual([
    expect.stringMatching(/\bC\b.*\bD\b/),
  ]);
});

it.each([
  ['blocked', { status: 'blocked' }, true],
  ['out of attempts', { retries: 2 }, true],
  ['tried once', { retries: 1 }, false],
  ['pending', {}, false],
] as const)('a feature that is %s can be unblocked: %s', (_case, fields, ok) => {
  const unblock = { id: 'F1', by: 'me', reason: 'r', maxAttempts: 2 };
  expect(planUnblock([feature('F1', fields)], unblock).ok).toBe(ok);
});
