import { projectConfigSchema } from '../config/project/project-config.ts';
import type { VerifyConfig } from '../config/project/verify-config.ts';
import { type StoreSettings, storeSettings, type Workspace } from '../config/project/workspace.ts';
import type { FoundWork } from '../config/work/find-work.ts';
import { readYamlFile } from '../config/yaml/yaml-file.ts';
import type { Feature } from '../domain/entities/feature.ts';
import { GuardKitError } from '../guardkit-error.ts';
import { Repository } from '../platform/git/repository.ts';
import type { Ledger } from '../store/ledger/ledger.ts';
import { featureIds, readFeature } from '../store/ledger/tables/feature-table.ts';
import { Acceptances } from './definition/acceptances.ts';
import { type Base, type BaseChooser, findBase } from './definition/find-base.ts';
import { type Definition, loadDefinition } from './definition/load-definition.ts';
import { withBaseFile } from './definition/with-base-file.ts';

/** The repository, the base and the ledger of a verification. */
export interface VerificationContext {
  repository: Repository;
  base: Base;
  project: string;
  store: StoreSettings;
}

export async function openVerification(
  { root, project, home }: Workspace,
  { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv },
  asked: { base: string | undefined; by: BaseChooser } = { base: undefined, by: 'anybody' },
): Promise<VerificationContext> {
  const repository = await Repository.open(root ?? cwd);
  const base = await findBase(repository, asked.base, asked.by);
  // Id and store come from the base: a candidate that renames the project would get an empty ledger, and one that
  // names its own store would bring its own rules and receive the evidence.
  const config = await withBaseFile(repository, base.commit, '.guardkit/config.yaml', async (file) => {
    const read = await readYamlFile(file, projectConfigSchema);
    return read.ok ? read.value : {};
  });
  const id = config.project ?? (project.known ? project.id : undefined);
  if (id !== undefined) return { repository, base, project: id, store: storeSettings(config, env, home) };
  throw new GuardKitError({
    code: 'project.unknown',
    kind: 'input',
    message: `GuardKit is not set up in this project${project.known ? '' : `: ${project.why}`}.`,
    hint: project.known ? 'Run `guardkit init`.' : project.hint,
  });
}

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
