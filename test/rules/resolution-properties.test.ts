import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GATE_FIELDS, ROLE_LISTS } from '../../src/config/rule-files/project-rules.ts';
import { ROLES } from '../../src/domain/entities/role-constraints.ts';
import { knownTaskTypes, resolveQualityGates } from '../../src/rules/resolve-quality-gates.ts';
import { resolveRoleConstraints } from '../../src/rules/resolve-role-constraints.ts';
import { DEFAULT_GROUPS, projectGateProfiles } from '../../src/rules/seed-groups.ts';
import { suggestImplementationMode } from '../../src/rules/suggest-implementation-mode.ts';
import { runs } from '../support/thorough.ts';
import { BARE, filesWith, SEEDED } from './rule-sources-fixture.ts';

const COMPLEXITIES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

const EMPTY: [string, string][] = [
  ['nothing at all', ''],
  ['only comments', '# later\n'],
  ['an empty mapping', '{}\n'],
  ['an empty document', '---\n'],
  ['empty roles', 'role_constraints: {}\n'],
  ['a role without changes', 'role_constraints: {coach: {}, player: {}}\n'],
  ['empty lists', 'role_constraints: {coach: {must_do_additions: [], must_do_removals: []}}\n'],
  ['empty gates', 'quality_gate_configs: {}\n'],
  ['a type without overrides', 'quality_gate_configs: {feature: {}, testing: {overrides: []}}\n'],
  [
    'an override that overrides nothing',
    'quality_gate_configs: {feature: {overrides: [{complexity_range: [1, 10]}]}}\n',
  ],
];

it.each(EMPTY)('an overrides file with %s resolves like none [RULE-6]', async (_what, overrides) => {
  const files = await filesWith({ overrides });
  for (const sources of [SEEDED, BARE]) {
    for (const role of ROLES)
      expect(resolveRoleConstraints({ ...sources, ...files }, role)).toEqual(
        resolveRoleConstraints(sources, role),
      );
    for (const taskType of knownTaskTypes(sources))
      for (const complexity of COMPLEXITIES) {
        expect(resolveQualityGates({ ...sources, ...files }, taskType, complexity)).toEqual(
          resolveQualityGates(sources, taskType, complexity),
        );
        expect(suggestImplementationMode({ ...sources, ...files }, taskType, complexity)).toEqual(
          suggestImplementationMode(sources, taskType, complexity),
        );
      }
  }
});

const range = fc
  .tuple(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 1, max: 10 }))
  .map(([a, b]): [number, number] => [Math.min(a, b), Math.max(a, b)]);
const fraction = fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100);
const profile = fc.record(
  {
    coverage_threshold: fraction,
    arch_review_threshold: fc.integer({ min: 0, max: 100 }),
    tests_required: fc.boolean(),
  },
  { requiredKeys: [] },
);

/** Ranges that do not overlap, each with values. */
const profiles = fc
  .array(fc.tuple(range, profile), { maxLength: 5 })
  .map((all) =>
    all.filter(([[low, high]], index) => !all.slice(0, index).some(([[a, b]]) => a <= high && low <= b)),
  );

it('any files resolve each type and complexity to one profile, by the order of the files [RULE-4] [RULE-5]', async () => {
  await fc.assert(
    fc.asyncProperty(profiles, profiles, async (inFile, inOverrides) => {
      const files = await filesWith({
        gates: JSON.stringify({
          quality_gate_configs: inFile.map(([complexity_range, values]) => ({
            task_type: 'feature',
            complexity_range,
            ...values,
          })),
        }),
        overrides: JSON.stringify({
          quality_gate_configs: {
            feature: {
              overrides: inOverrides.map(([complexity_range, values]) => ({ complexity_range, ...values })),
            },
          },
        }),
      });
      for (const taskType of knownTaskTypes(SEEDED))
        for (const complexity of COMPLEXITIES) {
          const found = resolveQualityGates({ ...SEEDED, ...files }, taskType, complexity);
          const plain = resolveQualityGates(SEEDED, taskType, complexity);
          const [low, high] = found.complexity_range.value;
          expect(low <= complexity && complexity <= high).toBe(true);
          const here = ([[from, to]]: [[number, number], unknown]) => from <= complexity && complexity <= to;
          const own = taskType === found.profile_type && taskType !== 'feature';
          for (const field of GATE_FIELDS) {
            const said = (all: typeof inFile) => all.find(here)?.[1][field as 'coverage_threshold'];
            const expected = own ? undefined : (said(inOverrides) ?? said(inFile));
            expect(found.values[field].value).toBe(expected ?? plain.values[field].value);
          }
        }
    }),
    { numRuns: runs(40) },
  );
});

it('seeded profiles equal the file for every complexity it names', async () => {
  await fc.assert(
    fc.asyncProperty(profiles, async (inFile) => {
      const gates = JSON.stringify({
        quality_gate_configs: inFile.map(([complexity_range, values]) => ({
          task_type: 'feature',
          complexity_range,
          ...values,
        })),
      });
      const sources = { ...SEEDED, ...(await filesWith({ gates })) };
      const stored = projectGateProfiles(sources);
      for (const complexity of COMPLEXITIES) {
        const copies = stored.filter(
          ({ complexity_range: [low, high] }) => low <= complexity && complexity <= high,
        );
        const named = inFile.some(([[low, high]]) => low <= complexity && complexity <= high);
        expect(copies).toHaveLength(named ? 1 : 0);
        const { values } = resolveQualityGates(sources, 'feature', complexity);
        for (const copy of copies)
          for (const field of GATE_FIELDS) expect(copy[field]).toBe(values[field].value);
      }
    }),
    { numRuns: runs(40) },
  );
});

const statement = fc.constantFrom(
  'Be kind',
  'be KIND ',
  'Write tests for what it implements',
  'Fly',
  'Prüfe',
  'Pru\u0308fe',
  '',
);
const statements = fc.array(
  statement.filter((text) => text !== ''),
  { maxLength: 5 },
);

it('additions extend each list, replace nothing and are never duplicated [RULE-2]', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...ROLES),
      fc.constantFrom(...ROLE_LISTS),
      statements,
      async (role, list, added) => {
        const overrides = JSON.stringify({ role_constraints: { [role]: { [`${list}_additions`]: added } } });
        const before = resolveRoleConstraints(SEEDED, role);
        const after = resolveRoleConstraints({ ...SEEDED, ...(await filesWith({ overrides })) }, role);
        expect(after.lists[list].slice(0, before.lists[list].length)).toEqual(before.lists[list]);
        const texts = after.lists[list].map(({ value }) => value.normalize().trim().toLowerCase());
        expect(new Set(texts).size).toBe(texts.length);
        for (const one of added) expect(texts).toContain(one.normalize().trim().toLowerCase());
        for (const other of ROLE_LISTS)
          if (other !== list) expect(after.lists[other]).toEqual(before.lists[other]);
        expect([after.removed, after.unmatched]).toEqual([[], []]);
      },
    ),
    { numRuns: runs(60) },
  );
});

describe('a removal', () => {
  const resolve = async (overrides: string) =>
    resolveRoleConstraints({ ...SEEDED, ...(await filesWith({ overrides })) }, 'player');

  it('finds its statement despite other Unicode forms, spaces and line breaks', async () => {
    const added = 'role_constraints:\n  player:\n    must_do_additions: ["Prüfe das Geld"]\n';
    expect((await resolve(added)).lists.must_do).toHaveLength(5);
    const { lists, removed } = await resolve(
      'role_constraints:\n  player:\n    must_do_removals:\n      - |\n        write   tests for\n        what it implements\n',
    );
    expect(removed).toMatchObject([
      { value: 'Write tests for what it implements', removedBy: 'entity-overrides.yaml:4' },
    ]);
    expect(lists.must_do).toHaveLength(3);
  });

  it('of a statement that is also added keeps the addition, and both are reported', async () => {
    const both =
      'role_constraints: {player: {must_do_additions: [Follow the implementation plan], must_do_removals: [Follow the implementation plan]}}\n';
    const { lists, removed } = await resolve(both);
    expect(lists.must_do.at(-1)).toEqual({
      value: 'Follow the implementation plan',
      origin: 'entity-overrides.yaml:1',
    });
    expect(lists.must_do).toHaveLength(4);
    expect(removed).toHaveLength(1);
  });

  it('that occurs twice is reported as unmatched the second time', async () => {
    const { unmatched } = await resolve(
      'role_constraints:\n  player:\n    ask_before_removals:\n      - Skipping acceptance criteria\n      - Skipping acceptance criteria\n',
    );
    expect(unmatched).toEqual([
      { list: 'ask_before', value: 'Skipping acceptance criteria', origin: 'entity-overrides.yaml:5' },
    ]);
  });

  it('of everything leaves an empty list', async () => {
    const { lists } = await resolve(
      'role_constraints: {player: {ask_before_removals: [Changing the architecture from the plan, Modifying external dependencies, Skipping acceptance criteria]}}\n',
    );
    expect(lists.ask_before).toEqual([]);
  });

  it.each(['""', '"  "', '~', '5', '[x]'])('of %s is a fault', async (value) => {
    await expect(
      resolve(`role_constraints: {player: {must_do_removals: [${value}]}}\n`),
    ).rejects.toMatchObject({
      code: 'config.invalid',
    });
  });
});

it('changing a result does not change the defaults or the next result [RULE-3]', async () => {
  const before = structuredClone(DEFAULT_GROUPS);
  const spoil = (value: unknown): void => {
    if (value === null || typeof value !== 'object') return;
    for (const key of Object.keys(value)) {
      spoil(Reflect.get(value, key));
      Reflect.set(value, key, 'spoilt');
    }
  };
  const files = await filesWith({
    gates:
      'quality_gate_configs: [{task_type: feature, complexity_range: [1, 5], coverage_threshold: 0.4}]\n',
    overrides:
      'quality_gate_configs: {feature: {overrides: [{complexity_range: [1, 5], coverage_threshold: 0.5}]}}\n' +
      'role_constraints: {coach: {must_do_additions: [Be kind], must_not_do_removals: [Fly]}}\n',
  });
  for (const sources of [BARE, SEEDED].map((one) => ({ ...one, ...files }))) {
    const ask = () => [
      ...COMPLEXITIES.map((complexity) => resolveQualityGates(sources, 'feature', complexity)),
      ...ROLES.map((role) => resolveRoleConstraints(sources, role)),
    ];
    const first = structuredClone(ask());
    ask().forEach(spoil);
    expect(DEFAULT_GROUPS).toEqual(before);
    expect(ask()).toEqual(first);
  }
});
