import { statSync } from 'node:fs';
import { join } from 'node:path';
import {
  expandGroup,
  formatGroup,
  GROUPS,
  type GroupRef,
  parseGroup,
  projectGroup,
} from '../../domain/entities/group.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import { findGitFolder } from '../../platform/git/git-folder.ts';
import { guardkitHome } from '../../platform/guardkit-home.ts';
import { requireValid } from '../yaml/yaml-file.ts';
import { type ProjectConfig, readProjectConfig } from './project-config.ts';
import { deriveProjectId, type ProjectId } from './project-id.ts';

/** Where a command runs: the data folder, the project if there is one, and what its configuration says. */
export interface Workspace {
  home: string;
  /** Root of the working tree; undefined outside a repository. */
  root: string | undefined;
  project: ProjectId;
  store: StoreSettings;
}

/** What is needed to open the store. */
export interface StoreSettings {
  url?: string;
  path: string;
  embeddings?: { baseUrl: string; model: string; apiKey?: string };
}

/** Where GuardKit keeps what it knows: a folder, or nothing yet. */
export function dataFolder(env: NodeJS.ProcessEnv): string {
  const home = guardkitHome(env);
  assertFolder(home);
  return home;
}

export async function openWorkspace(cwd: string, env: NodeJS.ProcessEnv): Promise<Workspace> {
  const home = dataFolder(env);
  const folder = findGitFolder(cwd);
  const config = folder ? requireValid(await readProjectConfig(folder.root)) : {};
  return {
    home,
    root: folder?.root,
    project: await projectId(config, folder),
    store: storeSettings(config, env, home),
  };
}

/** Said here once, rather than by everything that will lie in it. */
function assertFolder(home: string): void {
  const found = whatStandsAt(home);
  if (found === undefined) return;
  throw new GuardKitError({
    code: 'home.not-a-folder',
    kind: 'outside',
    message: `The data folder ${home} ${found}.`,
    hint: 'Move that file away, or point GUARDKIT_HOME at a folder.',
  });
}

/** What is there instead of a folder; undefined for a folder, and for nothing, which becomes one. */
function whatStandsAt(home: string): string | undefined {
  try {
    // Some versions of Node take a path below a file for nothing when they are told not to throw.
    return statSync(home).isDirectory() ? undefined : 'is a file';
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error;
    return code === 'ENOENT' ? undefined : `cannot be reached (${code})`;
  }
}

async function projectId(
  config: ProjectConfig,
  folder: ReturnType<typeof findGitFolder>,
): Promise<ProjectId> {
  if (config.project !== undefined) return { known: true, id: config.project };
  if (folder) return deriveProjectId(folder);
  return {
    known: false,
    why: 'this folder is not in a git repository',
    hint: 'Run the command inside the project, or make it a repository with `git init`.',
  };
}

/** What a configuration and the environment say about the store. */
export function storeSettings(config: ProjectConfig, env: NodeJS.ProcessEnv, home: string): StoreSettings {
  const url = env.GUARDKIT_DATABASE_URL || config.store?.url;
  // Only a key meant for GuardKit: a project's file names the server, and must not be able to draw other keys to it.
  const apiKey = env.GUARDKIT_EMBEDDINGS_API_KEY;
  return {
    path: join(home, 'guardkit.db'),
    ...(url ? { url } : {}),
    ...(config.embeddings ? { embeddings: { ...config.embeddings, ...(apiKey ? { apiKey } : {}) } } : {}),
  };
}

/** The groups that a word means here. */
export function resolveGroups({ project }: Workspace, name: string): string[] {
  const ref = parseGroup(name);
  if (ref.project !== '') return [knownProjectGroup(ref)];
  const groups = expandGroup(name, project.known ? project.id : undefined);
  if (groups.length > 0 || project.known) return groups;
  throw new GuardKitError({
    code: 'project.unknown',
    kind: 'input',
    message: `${name} belongs to a project, and ${project.why}.`,
    hint: project.hint,
  });
}

/** A group written in full, of this project or another; its name must be one that projects have. */
function knownProjectGroup(ref: GroupRef): string {
  const group = formatGroup(ref);
  if (expandGroup(ref.name, ref.project).includes(group)) return group;
  throw new GuardKitError({
    code: 'group.unknown',
    kind: 'input',
    message: `${ref.name} is a system group; projects have none of that name.`,
    hint: `Write ${ref.name}.`,
  });
}

/** Everything visible from here: the system's groups and this project's. */
export function visibleGroups({ project }: Workspace): string[] {
  return GROUPS.flatMap(({ name, scope }) => {
    if (scope === 'system') return [name];
    return project.known ? [projectGroup(project.id, name)] : [];
  });
}
