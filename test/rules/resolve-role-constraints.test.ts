import { expect, it } from 'vitest';
import { DEFAULT_ROLE_CONSTRAINTS } from '../../src/domain/entities/role-constraints.ts';
import { resolveRoleConstraints } from '../../src/rules/resolve-role-constraints.ts';
import { BARE, filesWith, SEEDED } from './rule-sources-fixture.ts';

const ADDING = `role_constraints:
  coach:
    must_do_additions:
      - Verify that money is never a float
    escalate_when_additions: [Customer data is found in a log]
`;

it('the defaults apply without project files [RULE-1]', () => {
  const { lists } = resolveRoleConstraints(SEEDED, 'coach');
  const coach = DEFAULT_ROLE_CONSTRAINTS.find(({ role }) => role === 'coach');
  expect(lists.must_do.map(({ value }) => value)).toEqual(coach?.must_do);
  expect(new Set(Object.values(lists).flatMap((list) => list.map(({ origin }) => origin)))).toEqual(
    new Set(['system']),
  );
});

it('the built-in values apply without the store, with that origin [RULE-1]', () => {
  const away = resolveRoleConstraints(BARE, 'player');
  const seeded = resolveRoleConstraints(SEEDED, 'player');
  const values = ({ lists }: typeof away) =>
    Object.values(lists).map((list) => list.map(({ value }) => value));
  expect(values(away)).toEqual(values(seeded));
  expect(away.lists.must_do[0]?.origin).toBe('built-in');
});

it('additions extend the lists and replace nothing [RULE-2]', async () => {
  const sources = { ...SEEDED, ...(await filesWith({ overrides: ADDING })) };
  const before = resolveRoleConstraints(SEEDED, 'coach').lists;
  const after = resolveRoleConstraints(sources, 'coach').lists;
  expect(after.must_do).toEqual([
    ...before.must_do,
    { value: 'Verify that money is never a float', origin: 'entity-overrides.yaml:4' },
  ]);
  expect(after.escalate_when.at(-1)).toEqual({
    value: 'Customer data is found in a log',
    origin: 'entity-overrides.yaml:5',
  });
  expect(after.must_not_do).toEqual(before.must_not_do);
  expect(resolveRoleConstraints(sources, 'player').lists).toEqual(
    resolveRoleConstraints(SEEDED, 'player').lists,
  );
});

it('an addition that exists already is not duplicated', async () => {
  const overrides = 'role_constraints: {coach: {must_do_additions: ["provide actionable feedback "]}}\n';
  const { lists } = resolveRoleConstraints({ ...SEEDED, ...(await filesWith({ overrides })) }, 'coach');
  expect(lists.must_do).toEqual(resolveRoleConstraints(SEEDED, 'coach').lists.must_do);
});

it('a removal removes one statement and is reported with it', async () => {
  const overrides = `role_constraints:
  player:
    ask_before_removals:
      - Modifying external dependencies
      - Something that is not there
`;
  const resolved = resolveRoleConstraints({ ...SEEDED, ...(await filesWith({ overrides })) }, 'player');
  expect(resolved.lists.ask_before.map(({ value }) => value)).not.toContain(
    'Modifying external dependencies',
  );
  expect(resolved.removed).toEqual([
    {
      list: 'ask_before',
      value: 'Modifying external dependencies',
      origin: 'system',
      removedBy: 'entity-overrides.yaml:4',
    },
  ]);
  expect(resolved.unmatched).toEqual([
    { list: 'ask_before', value: 'Something that is not there', origin: 'entity-overrides.yaml:5' },
  ]);
});

it('resolving never changes the defaults [RULE-3]', async () => {
  const before = structuredClone(DEFAULT_ROLE_CONSTRAINTS);
  const sources = { ...BARE, ...(await filesWith({ overrides: ADDING })) };
  resolveRoleConstraints(sources, 'coach').lists.must_do.push({ value: 'more', origin: 'a caller' });
  resolveRoleConstraints(sources, 'coach');
  expect(DEFAULT_ROLE_CONSTRAINTS).toEqual(before);
  expect(resolveRoleConstraints(BARE, 'coach').lists.must_do).toHaveLength(4);
});
