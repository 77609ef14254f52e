import { DEFAULT_GROUPS, type DefaultGroup } from '../domain/defaults.ts';
import type { EpisodeInput } from '../domain/episode.ts';
import { canonicalJson } from '../domain/json.ts';
import { GuardKitError } from '../guardkit-error.ts';
import type { EpisodeStore, UpsertAction } from '../store/episode-store.ts';

export const SEED_SOURCE = 'system_seeding';

export interface SeededGroup {
  group: string;
  created: number;
  updated: number;
  unchanged: number;
  /** Of the unchanged: entities that somebody else wrote and that seeding left alone. */
  kept: string[];
}

export interface SeedOptions {
  /** All, if left out. */
  groups?: readonly string[];
  /** Also overwrite what somebody else wrote. */
  force?: boolean;
  dryRun?: boolean;
}

/** Writes the built-in values into the system groups: all of them or none. */
export async function seedDefaults(
  store: EpisodeStore,
  { groups, force, dryRun }: SeedOptions = {},
): Promise<SeededGroup[]> {
  const wanted = selectGroups(groups);
  const steps = (await Promise.all(wanted.map((group) => planGroup(store, group, force === true)))).flat();
  const writes = steps.flatMap((step) => (step.write ? [{ step, input: step.write }] : []));
  if (!dryRun) {
    const results = (await store.upsertMany(writes.map(({ input }) => input))) ?? [];
    // Another process may have seeded in between: what counts is what this one did.
    for (const [index, { step }] of writes.entries()) step.action = results[index]?.action ?? step.action;
  }
  return wanted.map(({ group }) =>
    summarize(
      group,
      steps.filter((step) => step.group === group),
    ),
  );
}

interface SeedStep {
  group: string;
  id: string;
  action: UpsertAction;
  kept?: true;
  write?: EpisodeInput;
}

function summarize(group: string, steps: readonly SeedStep[]): SeededGroup {
  const count = (action: UpsertAction) => steps.filter((step) => step.action === action).length;
  return {
    group,
    created: count('created'),
    updated: count('updated'),
    unchanged: count('unchanged'),
    kept: steps.filter((step) => step.kept).map((step) => step.id),
  };
}

function selectGroups(names: readonly string[] | undefined): readonly DefaultGroup[] {
  if (names === undefined) return DEFAULT_GROUPS;
  const unknown = names.filter((name) => !DEFAULT_GROUPS.some(({ group }) => group === name));
  if (unknown.length > 0) {
    throw new GuardKitError({
      code: 'seed.unknown-group',
      kind: 'input',
      message: `There is nothing to seed in ${unknown.join(', ')}.`,
      hint: `Groups with defaults: ${DEFAULT_GROUPS.map(({ group }) => group).join(', ')}.`,
    });
  }
  return DEFAULT_GROUPS.filter(({ group }) => names.includes(group));
}

async function planGroup(store: EpisodeStore, defaults: DefaultGroup, force: boolean): Promise<SeedStep[]> {
  const { group, entity_type, bodies } = defaults;
  const entity = store.entityTypes.get(entity_type);
  return Promise.all(
    bodies.map(async (body): Promise<SeedStep> => {
      const id = entity?.id?.(body) ?? '';
      const write = { group, entity_type, body, source: SEED_SOURCE };
      const current = await store.get(group, id);
      if (!current) return { group, id, action: 'created', write };
      if (canonicalJson(current.body) === canonicalJson(body)) return { group, id, action: 'unchanged' };
      if (current.source !== SEED_SOURCE && !force) return { group, id, action: 'unchanged', kept: true };
      return { group, id, action: 'updated', write };
    }),
  );
}
