import { projectConfigSchema } from '../config/project/project-config.ts';
import { type StoreSettings, storeSettings, type Workspace } from '../config/project/workspace.ts';
import { readYamlFile } from '../config/yaml/yaml-file.ts';
import { GuardKitError } from '../guardkit-error.ts';
import { Repository } from '../platform/git/repository.ts';
import { type Base, type BaseChooser, findBase } from './definition/find-base.ts';
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
