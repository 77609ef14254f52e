import type { ComplexityRange } from '../domain/complexity.ts';
import type { EpisodeInput } from '../domain/entities/episode.ts';
import { projectGroup } from '../domain/entities/group.ts';
import { DEFAULT_IMPLEMENTATION_MODES, implementationMode } from '../domain/entities/implementation-mode.ts';
import {
  DEFAULT_QUALITY_GATE_CONFIGS,
  type QualityGateConfig,
  qualityGateConfig,
} from '../domain/entities/quality-gate-config.ts';
import { DEFAULT_ROLE_CONSTRAINTS, roleConstraints } from '../domain/entities/role-constraints.ts';
import { canonicalJson, type JsonObject } from '../domain/json/json.ts';
import { GuardKitError } from '../guardkit-error.ts';
import type { EpisodeStore, UpsertAction } from '../store/episode-store.ts';
import type { RuleSources } from './load-rule-sources.ts';
import { resolveQualityGates } from './resolve-quality-gates.ts';

export const SEED_SOURCE = 'system_seeding';

/** A group and the entities to write to it. */
export interface SeedGroup {
  group: string;
  entity_type: string;
  bodies: readonly JsonObject[];
  /** The project's file defines the whole group: seeding also overwrites other sources and ends what the file no longer has. */
  fromFile: boolean;
}

export interface SeededGroup {
  group: string;
  created: number;
  updated: number;
  unchanged: number;
  /** Unchanged entities that differ but have another source, so that seeding left them alone. */
  kept: string[];
  /** Entities that the file no longer has. */
  ended: string[];
}

export interface SeedOptions {
  /** Also overwrite entities from another source. */
  force?: boolean;
  dryRun?: boolean;
}

/** The built-in values of the system groups. */
export function systemSeedGroups(): SeedGroup[] {
  return DEFAULT_GROUPS.map((defaults) => ({ ...defaults, fromFile: false }));
}

/** The project's own quality gates. */
export function projectSeedGroup(project: string, sources: RuleSources): SeedGroup {
  return {
    group: projectGroup(project, 'quality_gate_configs'),
    entity_type: 'quality_gate_config',
    bodies: projectGateProfiles(sources),
    fromFile: true,
  };
}

/** The groups with these names, with or without the project prefix; default: all. */
export function selectSeedGroups(
  groups: readonly SeedGroup[],
  names: readonly string[] | undefined,
): SeedGroup[] {
  if (names === undefined) return [...groups];
  const named = (name: string) => groups.filter(({ group }) => group === name || group.endsWith(`__${name}`));
  const unknown = names.filter((name) => named(name).length === 0);
  if (unknown.length > 0) {
    throw new GuardKitError({
      code: 'seed.unknown-group',
      kind: 'input',
      message: `Cannot seed ${unknown.join(', ')}: no such group to seed.`,
      hint: `Groups that can be seeded: ${groups.map(({ group }) => group).join(', ')}.`,
    });
  }
  return groups.filter((group) => names.some((name) => named(name).includes(group)));
}

/** Writes the groups in one transaction; deletions follow it. */
export async function seedGroups(
  store: EpisodeStore,
  groups: readonly SeedGroup[],
  { force = false, dryRun = false }: SeedOptions = {},
): Promise<SeededGroup[]> {
  const steps = (await Promise.all(groups.map((group) => planGroup(store, group, force)))).flat();
  const writes = steps.flatMap((step) => (step.write ? [{ step, input: step.write }] : []));
  if (!dryRun) {
    // With nothing to write, take no lock that would block another writer.
    const inputs = writes.map(({ input }) => input);
    const results = inputs.length > 0 ? ((await store.upsertMany(inputs)) ?? []) : [];
    // Another process may have seeded meanwhile: report what this one did.
    for (const [index, { step }] of writes.entries()) step.action = results[index]?.action ?? step.action;
    for (const step of steps) if (step.action === 'ended') await store.delete(step.group, step.id);
  }
  return groups.map(({ group }) =>
    summarize(
      group,
      steps.filter((step) => step.group === group),
    ),
  );
}

interface SeedStep {
  group: string;
  id: string;
  action: UpsertAction | 'ended';
  kept?: true;
  write?: EpisodeInput;
}

function summarize(group: string, steps: readonly SeedStep[]): SeededGroup {
  const ids = (wanted: (step: SeedStep) => boolean) => steps.filter(wanted).map(({ id }) => id);
  return {
    group,
    created: ids(({ action }) => action === 'created').length,
    updated: ids(({ action }) => action === 'updated').length,
    unchanged: ids(({ action }) => action === 'unchanged').length,
    kept: ids(({ kept }) => kept === true),
    ended: ids(({ action }) => action === 'ended'),
  };
}

async function planGroup(store: EpisodeStore, seeded: SeedGroup, force: boolean): Promise<SeedStep[]> {
  const { group, entity_type, bodies, fromFile } = seeded;
  const entity = store.entityTypes.get(entity_type);
  const current = new Map((await store.list(group)).map((episode) => [episode.entity_id, episode]));
  const steps = bodies.map((body): SeedStep => {
    const id = entity?.id?.(body) ?? '';
    const write = { group, entity_type, body, source: SEED_SOURCE };
    const stored = current.get(id);
    current.delete(id);
    if (!stored) return { group, id, action: 'created', write };
    if (canonicalJson(stored.body) === canonicalJson(body)) return { group, id, action: 'unchanged' };
    if (stored.source !== SEED_SOURCE && !force && !fromFile)
      return { group, id, action: 'unchanged', kept: true };
    return { group, id, action: 'updated', write };
  });
  const left = fromFile ? [...current.keys()] : [];
  return [...steps, ...left.map((id): SeedStep => ({ group, id, action: 'ended' }))];
}

/**
 * The project's quality-gates.yaml as complete profiles. A profile with missing fields may become several, because the
 * inherited values can differ by complexity.
 */
export function projectGateProfiles(sources: RuleSources): QualityGateConfig[] {
  const withoutOverrides = { ...sources, gateOverrides: [] };
  return sources.gates.flatMap(({ task_type, complexity_range: [low, high] }) => {
    const profiles: {
      range: ComplexityRange;
      values: Omit<QualityGateConfig, 'task_type' | 'complexity_range'>;
    }[] = [];
    for (let complexity = low; complexity <= high; complexity++) {
      const { values: sourced } = resolveQualityGates(withoutOverrides, task_type, complexity);
      const values = {
        arch_review_required: sourced.arch_review_required.value,
        arch_review_threshold: sourced.arch_review_threshold.value,
        coverage_required: sourced.coverage_required.value,
        coverage_threshold: sourced.coverage_threshold.value,
        tests_required: sourced.tests_required.value,
        tests_must_pass: sourced.tests_must_pass.value,
        effective_from: sourced.effective_from.value,
      };
      const last = profiles.at(-1);
      if (last && canonicalJson(last.values) === canonicalJson(values))
        last.range = [last.range[0], complexity];
      else profiles.push({ range: [complexity, complexity], values });
    }
    return profiles.map(({ range, values }) => ({ task_type, complexity_range: range, ...values }));
  });
}

interface DefaultGroup {
  group: string;
  entity_type: string;
  bodies: readonly JsonObject[];
}

/** The built-in values of each system group: written by `seed`, and used when the store is unavailable. */
export const DEFAULT_GROUPS: readonly DefaultGroup[] = [
  { group: 'role_constraints', entity_type: roleConstraints.type, bodies: DEFAULT_ROLE_CONSTRAINTS },
  {
    group: 'quality_gate_configs',
    entity_type: qualityGateConfig.type,
    bodies: DEFAULT_QUALITY_GATE_CONFIGS,
  },
  {
    group: 'implementation_modes',
    entity_type: implementationMode.type,
    bodies: DEFAULT_IMPLEMENTATION_MODES,
  },
];
