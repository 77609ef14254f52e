import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeWork } from '../../config/work/read-work.ts';
import type { FeatureDefinition, Work } from '../../config/work/work.ts';
import { formatWorkFault } from '../../config/work/work-fault.ts';
import type { Feature } from '../../domain/entities/feature.ts';
import { definedFeatures } from '../../enforcement/feature-list/defined-feature.ts';
import { listNoticesForPerson } from '../../enforcement/feature-list/format-reconciliation.ts';
import { createList } from '../../enforcement/feature-list/project-list.ts';
import { reconcileFeatureList } from '../../enforcement/feature-list/reconcile-feature-list.ts';
import type { Repository } from '../../platform/git/repository.ts';
import { loadRuleSources } from '../../rules/load-rule-sources.ts';
import { knownTaskTypes } from '../../rules/resolve-quality-gates.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { changeFeatures, readFeatures } from '../../store/ledger/tables/feature-table.ts';
import { exportDefinitions } from '../../verification/definition/export-definitions.ts';
import type { Base } from '../../verification/definition/find-base.ts';
import { isRunsOwn, type RunDetails } from './run-details.ts';
import { asBase, type RunSettings } from './run-settings.ts';

export interface RunFeatures {
  features: Feature[];
  /** Why features are left out, for a person. */
  notices: string[];
}

/** The features and tasks defined in a commit. */
export interface Definitions {
  work: Work;
  /** Files of the checkout that differ from the commit and are not accepted. */
  uncommitted: string[];
}

type DefinitionsContext = Pick<RunSettings, 'repository' | 'acceptances' | 'store'>;

const known = new WeakMap<Repository, { commit: string; definitions: Definitions }>();

/** Cached, because a commit never changes. */
async function definitionsAt(run: RunSettings, base: Base): Promise<Definitions> {
  const last = known.get(run.repository);
  if (last?.commit === base.commit) return last.definitions;
  const definitions = await readDefinitionsAt(run, base);
  known.set(run.repository, { commit: base.commit, definitions });
  return definitions;
}

/** The features and tasks in force where a run starts. */
export async function workAt(
  run: RunSettings,
  { start, own }: Pick<RunDetails, 'start' | 'own'>,
): Promise<Work> {
  return (await definitionsAt(run, asBase(run, { own }, start, 'where the run starts'))).work;
}

/** Reads the definitions of a commit. */
export async function readDefinitionsAt(
  { repository, acceptances, store }: DefinitionsContext,
  base: Pick<Base, 'commit' | 'provenance'>,
): Promise<Definitions> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'guardkit-run-')));
  try {
    const exported = await exportDefinitions(repository, base, acceptances, folder);
    const work = await decodeWork(exported.work, {
      taskTypes: knownTaskTypes(await loadRuleSources(folder, store)),
    });
    return {
      work,
      uncommitted: exported.differences.flatMap(({ path, accepted }) => (accepted ? [] : [path])),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Reports definitions in the checkout that the run does not use. */
export async function reportUncommitted(run: RunSettings): Promise<void> {
  // Not cached: the run reads its features from another commit.
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
  return [`a run uses committed definitions; these differ from the commit: ${told}${more}`];
}

const takenIn = new WeakSet<Work>();

/** The features of a run: those defined at its start, and those that only the list has. */
export function readRunFeatures(run: RunSettings, work: Work): RunFeatures {
  const { ledger, project, sessionFiles, emit } = run;
  const reconciled = reconcileFeatureList(sessionFiles.list, sessionFiles.changedBy);
  for (const text of listNoticesForPerson(reconciled)) emit({ type: 'notice', text });
  // Once: with a thousand files this is the slowest part of a choice.
  if (!takenIn.has(work)) takeIn(ledger, project, work);
  takenIn.add(work);
  const all = readFeatures(ledger, project);
  const found = featuresOf(work, all, run.repository.folder.root);
  showInList(run, all, found.features);
  return found;
}

/** Tools and agents read the state of the features from the list. The session keeps it up to date. */
function showInList(
  { sessionFiles, emit }: RunSettings,
  all: readonly Feature[],
  features: readonly Feature[],
): void {
  if (features.length === 0) return;
  const shown = new Set(features.map(({ id }) => id));
  try {
    createList(
      sessionFiles.list,
      all
        .filter(({ id }) => !shown.has(id))
        .map(({ id }) => id)
        .sort(),
    );
  } catch (error) {
    // Safe: the ledger has the features, and the run does not read the list.
    const why = error instanceof Error ? error.message : String(error);
    emit({ type: 'notice', text: `cannot write feature-list.json: ${why}` });
  }
}

/** The features of a run whose start defines `work`. Those whose file was deleted need no mention. */
export function featuresOf(work: Work, all: readonly Feature[], checkout: string): RunFeatures {
  const defined = new Map(work.features.map((one) => [one.id, one]));
  const isIn = ({ id, defined_in }: Feature) => (defined_in === null || defined.has(id)) && !isRunsOwn(id);
  const isDeleted = ({ id, defined_in }: Feature) =>
    !isRunsOwn(id) && defined_in !== null && !existsSync(join(checkout, defined_in));
  const outside = all.filter((one) => !isIn(one) && !one.closed && !isDeleted(one));
  return {
    features: all.filter(isIn).map((one) => asDefined(one, defined.get(one.id))),
    notices: [
      ...work.faults.map((fault) => `invalid committed definition: ${formatWorkFault(fault)}`),
      ...outside.map(({ id, defined_in }) =>
        isRunsOwn(id)
          ? `${id} is left out: GuardKit uses such ids for its own branches`
          : `${id} is left out: ${defined_in} is not committed, or needs \`guardkit accept\``,
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

/** Priority and dependencies come from the run's start, not from the checkout. */
function asDefined(feature: Feature, definition: FeatureDefinition | undefined): Feature {
  if (!definition) return feature;
  const { priority, dependencies } = definition;
  return { ...feature, priority, dependencies };
}
