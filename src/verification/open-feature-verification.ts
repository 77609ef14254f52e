import type { VerifyConfig } from '../config/project/verify-config.ts';
import type { StoreSettings } from '../config/project/workspace.ts';
import type { FoundWork } from '../config/work/find-work.ts';
import type { Feature } from '../domain/entities/feature.ts';
import type { Repository } from '../platform/git/repository.ts';
import type { Ledger } from '../store/ledger/ledger.ts';
import { featureIds, readFeature } from '../store/ledger/tables/feature-table.ts';
import { Acceptances } from './definition/acceptances.ts';
import type { Base } from './definition/find-base.ts';
import { type Definition, loadDefinition } from './definition/load-definition.ts';

export interface FeatureVerificationRequest {
  project: string;
  ledger: Ledger;
  repository: Repository;
  store: StoreSettings;
  /** The id of a feature or a task. */
  id: string;
  /** The base whose definitions are read. */
  base: Base;
  /** The base of the work, if it differs; its `rules` may name another commit for the definitions. */
  baseOfWork?: (definition: Definition) => Promise<Base>;
  commandsFor(definition: Definition): VerifyConfig | Promise<VerifyConfig>;
  /** Default: read from the ledger. */
  acceptances?: Acceptances;
  /** Default: read from the ledger. */
  listed?: Feature | undefined;
  /** Work that the base does not define (default: found on the base by its id). */
  work?: FoundWork | undefined;
}

/** Everything that decides how a feature or task is judged. */
export interface FeatureVerification {
  project: string;
  ledger: Ledger;
  repository: Repository;
  base: Base;
  definition: Definition;
  /** The commands to run. */
  verify: VerifyConfig;
  acceptances: Acceptances;
  /** Null for a whole feature. */
  taskId: string | null;
}

/** Throws if the base does not define the feature or its commands, before any work is done. */
export async function openFeatureVerification(
  request: FeatureVerificationRequest,
): Promise<FeatureVerification> {
  const { project, ledger, repository, store, id } = request;
  const { acceptances = Acceptances.read(ledger, project) } = request;
  const listed = request.listed ?? readFeature(ledger, project, id);
  const listedIds = featureIds(ledger, project);
  const load = (from: Base) =>
    loadDefinition({ repository, base: from, id, acceptances, store, listed, listedIds, work: request.work });
  const first = await load(request.base);
  const base = (await request.baseOfWork?.(first)) ?? request.base;
  const rules = base.rules ?? base.commit;
  const definition = rules === request.base.commit ? first : await load({ ...base, commit: rules });
  const isTask = id !== definition.feature.id && definition.tasks.some((task) => task.id === id);
  return {
    project,
    ledger,
    repository,
    base,
    definition,
    verify: await request.commandsFor(definition),
    acceptances,
    taskId: isTask ? id : null,
  };
}
