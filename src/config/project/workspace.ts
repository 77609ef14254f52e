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
import { makeFolder } from '../../platform/files/make-folder.ts';
import { findGitFolder } from '../../platform/git/git-folder.ts';
import { guardkitHome } from '../../platform/guardkit-home.ts';
import { requireValid } from '../yaml/yaml-file.ts';
import { type ProjectConfig, readProjectConfig } from './project-config.ts';
import { deriveProjectId, type ProjectId } from './project-id.ts';

/** The context of a command: the data folder, the project if any, and its configuration. */
export interface Workspace {
  home: string;
  /** Root of the working tree; undefined outside a repository. */
  root: string | undefined;
  project: ProjectId;
  store: StoreSettings;
}

export interface StoreSettings {
  url?: string;
  path: string;
  embeddings?: { baseUrl: string; model: string; apiKey?: string };
}

/** The data folder, which may not exist yet. */
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

/** Checked once here, not by every user of the folder. */
function assertFolder(home: string): void {
  const found = folderFault(home);
  if (found === undefined) return;
  throw new GuardKitError({
    code: 'home.not-a-folder',
    kind: 'outside',
    message: `The data folder ${home} ${found}.`,
    hint: 'Move that file elsewhere, or set GUARDKIT_HOME to a folder.',
  });
}

/** Creates the data folder, which most commands leave to the first write. */
export function createDataFolder(home: string): void {
  try {
    makeFolder(home, 0o700);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error;
    throw new GuardKitError({
      code: 'home.not-created',
      kind: 'outside',
      message: `Cannot create the data folder ${home} (${code}).`,
      hint: 'Check the permissions of the folder above it, or set GUARDKIT_HOME to another folder.',
      cause: error,
    });
  }
}

/** Why a path cannot be a folder; undefined for a folder, or if nothing exists yet. */
function folderFault(home: string): string | undefined {
  try {
    // Without throwing, some versions of Node report a path below a file as missing.
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
    hint: 'Run the command inside the project, or run `git init`.',
  };
}

/** Store settings from the configuration and the environment. */
export function storeSettings(config: ProjectConfig, env: NodeJS.ProcessEnv, home: string): StoreSettings {
  const url = env.GUARDKIT_DATABASE_URL || config.store?.url;
  // Only GuardKit's own key: a project's file names the server, and must not receive other keys.
  const apiKey = env.GUARDKIT_EMBEDDINGS_API_KEY;
  return {
    path: join(home, 'guardkit.db'),
    ...(url ? { url } : {}),
    ...(config.embeddings ? { embeddings: { ...config.embeddings, ...(apiKey ? { apiKey } : {}) } } : {}),
  };
}

/** Resolves a group name in this workspace. */
export function resolveGroups({ project }: Workspace, name: string): string[] {
  const ref = parseGroup(name);
  if (ref.project !== '') return [knownProjectGroup(ref)];
  const groups = expandGroup(name, project.known ? project.id : undefined);
  if (groups.length > 0 || project.known) return groups;
  throw new GuardKitError({
    code: 'project.unknown',
    kind: 'input',
    message: `${name} is a project group, but ${project.why}.`,
    hint: project.hint,
  });
}

/** A fully qualified group of this or another project; its name must be a project group. */
function knownProjectGroup(ref: GroupRef): string {
  const group = formatGroup(ref);
  if (expandGroup(ref.name, ref.project).includes(group)) return group;
  throw new GuardKitError({
    code: 'group.unknown',
    kind: 'input',
    message: `${ref.name} is a system group, not a project group.`,
    hint: `Write ${ref.name}.`,
  });
}

/** The system groups and this project's groups. */
export function visibleGroups({ project }: Workspace): string[] {
  return GROUPS.flatMap(({ name, scope }) => {
    if (scope === 'system') return [name];
    return project.known ? [projectGroup(project.id, name)] : [];
  });
}
