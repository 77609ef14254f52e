import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { querySystemRules } from '../../src/rules/load-rule-sources.ts';
import {
  DEFAULT_GROUPS,
  projectSeedGroup,
  seedGroups,
  selectSeedGroups,
  systemSeedGroups,
} from '../../src/rules/seed-groups.ts';
import type { EpisodeStore } from '../../src/store/episode-store.ts';
import { openStore } from '../../src/store/open-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { filesWith, SEEDED } from './rule-sources-fixture.ts';

let store: EpisodeStore;
beforeEach(async () => {
  store = await openStore({ path: join(temporaryFolder(), 'guardkit.db') });
});
afterEach(() => store.close());

async function exported(): Promise<unknown[]> {
  const records = [];
  for await (const record of store.export()) records.push(record);
  return records;
}

describe('the built-in values', () => {
  it('are two roles, six profiles and three modes', () => {
    expect(DEFAULT_GROUPS.map(({ group, bodies }) => [group, bodies.length])).toEqual([
      ['role_constraints', 2],
      ['quality_gate_configs', 6],
      ['implementation_modes', 3],
    ]);
  });

  it('are the same when they come out of the store as when they are the fallback [RULE-8]', async () => {
    await seedGroups(store, systemSeedGroups());
    const { roles, gates, modes } = await querySystemRules(store);
    const byJson = (bodies: readonly unknown[]) => bodies.map((body) => JSON.stringify(body)).sort();
    for (const [index, stored] of [roles, gates, modes].entries()) {
      expect(byJson(stored)).toEqual(byJson(DEFAULT_GROUPS[index]?.bodies ?? []));
    }
  });

  it('are written once: the second time changes no row [CLI-3]', async () => {
    const first = await seedGroups(store, systemSeedGroups());
    expect(first.map(({ created }) => created)).toEqual([2, 6, 3]);
    const before = await exported();
    const second = await seedGroups(store, systemSeedGroups());
    expect(second.map(({ created, updated, unchanged }) => [created, updated, unchanged])).toEqual([
      [0, 0, 2],
      [0, 0, 6],
      [0, 0, 3],
    ]);
    expect(await exported()).toEqual(before);
  });

  it('are not written by a dry run', async () => {
    const planned = await seedGroups(store, systemSeedGroups(), { dryRun: true });
    expect(planned.map(({ created }) => created)).toEqual([2, 6, 3]);
    expect(await exported()).toEqual([]);
  });

  it('keep a person’s changes, unless forced', async () => {
    await seedGroups(store, systemSeedGroups());
    const role = await store.get('role_constraints', 'ROLE-coach');
    const body = { ...role?.body, must_do: ['Be kind'] };
    await store.upsert({
      group: 'role_constraints',
      entity_type: 'role_constraints',
      body,
      source: 'person',
    });
    const [kept] = await seedGroups(store, systemSeedGroups());
    expect(kept).toMatchObject({ unchanged: 2, kept: ['ROLE-coach'] });
    const [forced] = await seedGroups(store, systemSeedGroups(), { force: true });
    expect(forced).toMatchObject({ updated: 1, kept: [] });
    expect(await store.get('role_constraints', 'ROLE-coach')).toMatchObject({ body: role?.body });
  });

  it('can be seeded group by group, and an unknown one is named', () => {
    expect(selectSeedGroups(systemSeedGroups(), ['implementation_modes']).map(({ group }) => group)).toEqual([
      'implementation_modes',
    ]);
    expect(() => selectSeedGroups(systemSeedGroups(), ['turn_states'])).toThrow(
      expect.objectContaining({
        code: 'seed.unknown-group',
        message: expect.stringContaining('turn_states'),
      }),
    );
  });
});

describe('a project’s own quality gates', () => {
  const seedProject = async (gates: string) => {
    const sources = { ...SEEDED, ...(await filesWith({ gates })) };
    return (await seedGroups(store, [projectSeedGroup('shop-64fb', sources)]))[0];
  };
  const profile = (range: string, coverage: number) =>
    `  - {task_type: feature, complexity_range: ${range}, coverage_threshold: ${coverage}}\n`;

  it('go to the project’s group as complete profiles', async () => {
    await seedProject(`quality_gate_configs:\n${profile('[4, 6]', 0.9)}`);
    expect(await store.get('shop-64fb__quality_gate_configs', 'QG-feature-4-6')).toMatchObject({
      body: { coverage_threshold: 0.9, arch_review_threshold: 60, tests_must_pass: true },
    });
  });

  it('that span several profiles inherit missing fields from each', async () => {
    await seedProject(`quality_gate_configs:\n${profile('[1, 10]', 0.9)}`);
    const stored = await store.list('shop-64fb__quality_gate_configs', {
      orderBy: { field: 'entity_id', direction: 'asc' },
    });
    expect(stored.map(({ entity_id, body }) => [entity_id, body.arch_review_threshold])).toEqual([
      ['QG-feature-1-3', 50],
      ['QG-feature-4-6', 60],
      ['QG-feature-7-10', 70],
    ]);
  });

  it('are updated one by one when the file changes, and keep their history [RULE-9]', async () => {
    await seedProject(`quality_gate_configs:\n${profile('[1, 3]', 0.75)}${profile('[4, 6]', 0.9)}`);
    const seeded = await seedProject(
      `quality_gate_configs:\n${profile('[1, 3]', 0.75)}${profile('[4, 6]', 0.92)}`,
    );
    expect(seeded).toMatchObject({ created: 0, updated: 1, unchanged: 1 });
    const history = await store.history('shop-64fb__quality_gate_configs', 'QG-feature-4-6');
    expect(history.map(({ body }) => body.coverage_threshold)).toEqual([0.9, 0.92]);
    expect(await store.history('shop-64fb__quality_gate_configs', 'QG-feature-1-3')).toHaveLength(1);
  });

  it('end when the file no longer has them', async () => {
    await seedProject(`quality_gate_configs:\n${profile('[1, 3]', 0.75)}`);
    expect(await seedProject('quality_gate_configs: []\n')).toMatchObject({ ended: ['QG-feature-1-3'] });
    expect(await store.list('shop-64fb__quality_gate_configs')).toEqual([]);
  });
});
