import { projectConfigSchema } from '../config/project-config.ts';
import type { Workspace } from '../config/workspace.ts';
import { readYamlFile } from '../config/yaml-file.ts';
import { GuardKitError } from '../guardkit-error.ts';
import { Repository } from '../platform/repository.ts';
import { type Base, findBase } from './definition/find-base.ts';
import { withBaseFile } from './definition/with-base-file.ts';

/** Where a verification takes place: the repository, what it is judged against, and whose ledger it goes to. */
export interface VerificationGround {
  repository: Repository;
  base: Base;
  project: string;
}

export async function openVerification(
  { root, project }: Workspace,
  cwd: string,
  baseRef: string | undefined,
): Promise<VerificationGround> {
  const repository = await Repository.open(root ?? cwd);
  const base = await findBase(repository, baseRef);
  // The base's word on the id, since a candidate that renames the project would get an empty ledger.
  const own = await withBaseFile(repository, base.commit, '.guardkit/config.yaml', async (file) => {
    const config = await readYamlFile(file, projectConfigSchema);
    return config.ok ? config.value.project : undefined;
  });
  const id = own ?? (project.known ? project.id : undefined);
  if (id !== undefined) return { repository, base, project: id };
  throw new GuardKitError({
    code: 'project.unknown',
    kind: 'input',
    message: `This project has no id${project.known ? '' : `: ${project.why}`}.`,
    hint: project.known ? 'Run `guardkit init`.' : project.hint,
  });
}
