import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readWork } from '../../config/read-work.ts';
import type { FeatureDefinition, Work } from '../../config/work.ts';
import { formatWorkFault } from '../../config/work-fault.ts';
import type { Feature } from '../../domain/feature.ts';
import { definedFeatures } from '../../enforcement/features/defined-feature.ts';
import { reconcileFeatureList } from '../../enforcement/features/reconcile-feature-list.ts';
import { loadRuleSources } from '../../rules/load-rule-sources.ts';
import { knownTaskTypes } from '../../rules/resolve-quality-gates.ts';
import { changeFeatures, readFeatures } from '../../store/ledger/feature-table.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { exportDefinitions } from '../../verification/definition/export-definitions.ts';
import type { RunSettings } from './run-context.ts';
import { isRunsOwn } from './run-details.ts';

export interface RunFeatures {
  features: Feature[];
  /** What a person should know of those that are not among them. */
  notices: string[];
}

const known = new WeakMap<RunSettings, { commit: string; work: Work }>();

/** What the files of a commit say is to be done; read once, since a commit never changes. */
export async function workAt(run: RunSettings, commit: string): Promise<Work> {
  const last = known.get(run);
  if (last?.commit === commit) return last.work;
  const work = await readWorkAt(run, commit);
  known.set(run, { commit, work });
  return work;
}

/** The same, read in any case. */
export async function readWorkAt(
  { repository, acceptances, store }: RunSettings,
  commit: string,
): Promise<Work> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'guardkit-run-')));
  try {
    await exportDefinitions(repository, commit, acceptances, folder);
    return await readWork(folder, { taskTypes: knownTaskTypes(await loadRuleSources(folder, store)) });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const takenIn = new WeakSet<Work>();

/** The features of a run: those that its start defines, and those that only the list has. What a person wrote there counts. */
export function readRunFeatures({ ledger, project, place }: RunSettings, work: Work): RunFeatures {
  reconcileFeatureList(place.list, place.doer);
  // Once: with a thousand files it takes longer than all the rest of a choice.
  if (!takenIn.has(work)) takeIn(ledger, project, work);
  takenIn.add(work);
  const defined = new Map(work.features.map((one) => [one.id, one]));
  const isIn = ({ id, defined_in }: Feature) => (defined_in === null || defined.has(id)) && !isRunsOwn(id);
  const all = readFeatures(ledger, project);
  const outside = all.filter((one) => !isIn(one) && !one.closed);
  return {
    features: all.filter(isIn).map((one) => asDefined(one, defined.get(one.id))),
    notices: [
      ...work.faults.map((fault) => `left out: ${formatWorkFault(fault)}`),
      ...outside.map(({ id, defined_in }) =>
        isRunsOwn(id)
          ? `${id} is left out: GuardKit names branches so`
          : `${id} is left out: ${defined_in} is not in the run’s base`,
      ),
    ],
  };
}

function takeIn(ledger: Ledger, project: string, work: Work): void {
  changeFeatures(ledger, project, (current) => ({
    by: 'projection',
    actor: 'guardkit',
    features: definedFeatures(ledger, project, work, current),
  }));
}

/** What decides on the order is the run's start, whatever somebody has in their checkout meanwhile. */
function asDefined(feature: Feature, definition: FeatureDefinition | undefined): Feature {
  if (!definition) return feature;
  const { priority, dependencies } = definition;
  return { ...feature, priority, dependencies };
}
