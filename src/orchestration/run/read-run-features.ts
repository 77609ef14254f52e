import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readWork } from '../../config/work/read-work.ts';
import type { FeatureDefinition, Work } from '../../config/work/work.ts';
import { formatWorkFault } from '../../config/work/work-fault.ts';
import type { Feature } from '../../domain/entities/feature.ts';
import { definedFeatures } from '../../enforcement/feature-list/defined-feature.ts';
import { reconcileFeatureList } from '../../enforcement/feature-list/reconcile-feature-list.ts';
import type { Repository } from '../../platform/git/repository.ts';
import { loadRuleSources } from '../../rules/load-rule-sources.ts';
import { knownTaskTypes } from '../../rules/resolve-quality-gates.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { changeFeatures, readFeatures } from '../../store/ledger/tables/feature-table.ts';
import { exportDefinitions } from '../../verification/definition/export-definitions.ts';
import type { Base } from '../../verification/definition/find-base.ts';
import { asBase, type RunSettings } from './run-context.ts';
import { isRunsOwn, type RunDetails } from './run-details.ts';

export interface RunFeatures {
  features: Feature[];
  /** What a person should know of those that are not among them. */
  notices: string[];
}

/** What the files of a commit say is to be done. */
export interface Definitions {
  work: Work;
  /** Files of the checkout that are not as the commit has them, and that nobody accepted. */
  uncommitted: string[];
}

type Ground = Pick<RunSettings, 'repository' | 'acceptances' | 'store'>;

const known = new WeakMap<Repository, { commit: string; definitions: Definitions }>();

/** Read once, since a commit never changes. */
async function definitionsAt(run: RunSettings, base: Base): Promise<Definitions> {
  const last = known.get(run.repository);
  if (last?.commit === base.commit) return last.definitions;
  const definitions = await readDefinitionsAt(run, base);
  known.set(run.repository, { commit: base.commit, definitions });
  return definitions;
}

/** The work that is in force where a run starts. */
export async function workAt(
  run: RunSettings,
  { start, own }: Pick<RunDetails, 'start' | 'own'>,
): Promise<Work> {
  return (await definitionsAt(run, asBase(run, { own }, start, 'where the run starts'))).work;
}

/** The same, read in any case. */
export async function readDefinitionsAt(
  { repository, acceptances, store }: Ground,
  base: Pick<Base, 'commit' | 'provenance'>,
): Promise<Definitions> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'guardkit-run-')));
  try {
    const differences = await exportDefinitions(repository, base, acceptances, folder);
    const work = await readWork(folder, { taskTypes: knownTaskTypes(await loadRuleSources(folder, store)) });
    return { work, uncommitted: differences.flatMap(({ path, accepted }) => (accepted ? [] : [path])) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Says which definitions of the checkout a run knows nothing of. */
export async function tellUncommitted(run: RunSettings): Promise<void> {
  // Not kept: it is the person's commit, and not what the run reads its features from.
  const start = known.get(run.repository);
  const { uncommitted } =
    start?.commit === run.base.commit ? start.definitions : await readDefinitionsAt(run, run.base);
  for (const text of describeUncommitted(uncommitted)) run.emit({ type: 'notice', text });
}

const MOST_TOLD = 5;

export function describeUncommitted(paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  const more = paths.length > MOST_TOLD ? ` and ${paths.length - MOST_TOLD} more` : '';
  const told = paths.slice(0, MOST_TOLD).join(', ');
  return [`a run takes what is committed, and these are not as they are committed: ${told}${more}`];
}

const takenIn = new WeakSet<Work>();

/** The features of a run: those that its start defines, and those that only the list has. What a person wrote there counts. */
export function readRunFeatures({ ledger, project, sessionFiles }: RunSettings, work: Work): RunFeatures {
  reconcileFeatureList(sessionFiles.list, sessionFiles.doer);
  // Once: with a thousand files it takes longer than all the rest of a choice.
  if (!takenIn.has(work)) takeIn(ledger, project, work);
  takenIn.add(work);
  return featuresOf(work, readFeatures(ledger, project));
}

/** Which of all features are a run's, whose start defines `work`. */
export function featuresOf(work: Work, all: readonly Feature[]): RunFeatures {
  const defined = new Map(work.features.map((one) => [one.id, one]));
  const isIn = ({ id, defined_in }: Feature) => (defined_in === null || defined.has(id)) && !isRunsOwn(id);
  const outside = all.filter((one) => !isIn(one) && !one.closed);
  return {
    features: all.filter(isIn).map((one) => asDefined(one, defined.get(one.id))),
    notices: [
      ...work.faults.map((fault) => `a fault in what is committed: ${formatWorkFault(fault)}`),
      ...outside.map(({ id, defined_in }) =>
        isRunsOwn(id)
          ? `${id} is left out: GuardKit names branches so`
          : `${id} is left out: ${defined_in} is not committed, or waits for \`guardkit accept\``,
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
