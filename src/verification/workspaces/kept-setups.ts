import { createHash } from 'node:crypto';
import { existsSync, readdirSync, renameSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { removeTree } from '../../platform/files/file-trees.ts';
import { makeFolder } from '../../platform/files/make-folder.ts';
import { isPlainPath } from '../../platform/files/path-inside.ts';
import { listTree, readTreeFile } from '../../platform/git/git-tree.ts';
import type { Repository } from '../../platform/git/repository.ts';
import {
  readWorkspaceState,
  setupFiles,
  setupFolders,
  type WorkspaceState,
  writeWorkspaceState,
} from './workspace-state.ts';

/** A change of dependencies alternates between two set-ups; a third is for the previous branch. */
const MAX_KEPT = 3;

export interface WorkspaceContext {
  folder: string;
  home: string;
}

/** Moves the result of a set-up out of a workspace to make room for another; moving is cheap. */
export function keepSetup({ folder, home }: WorkspaceContext, state: WorkspaceState): void {
  if (state.setupKey === null) return;
  const target = placeOf(folder, state.setupKey, state.setupTree);
  removeTree(target);
  makeFolder(join(target, 'files'), 0o700);
  try {
    for (const path of [...setupFolders(state), ...setupFiles(state)])
      moveWithin(folder, path, join(target, 'files'), path);
    renameSync(home, join(target, 'home'));
    writeWorkspaceState(join(target, 'state.json'), state);
  } catch {
    // Safe: an incomplete set-up is run again when needed.
    removeTree(target);
  }
  dropOldest(folder);
}

/** Moves a kept result back; the caller must check that it is unchanged. */
export function restoreSetup(
  { folder, home }: WorkspaceContext,
  key: string,
  tree: string,
): WorkspaceState | undefined {
  for (const setupTree of [null, tree]) {
    const from = placeOf(folder, key, setupTree);
    if (!existsSync(from)) continue;
    const state = readWorkspaceState(join(from, 'state.json'));
    try {
      if (state.setupKey !== key) throw new Error('the kept set-up has another key');
      removeTree(home);
      renameSync(join(from, 'home'), home);
      for (const path of [...setupFolders(state), ...setupFiles(state)])
        moveWithin(join(from, 'files'), path, folder, path);
      return state;
    } catch {
      // Safe: the set-up runs again, after the workspace is emptied.
    } finally {
      removeTree(from);
    }
  }
  return undefined;
}

export function dropKeptSetups(folder: string): void {
  removeTree(keptFolder(folder));
}

function moveWithin(fromRoot: string, from: string, toRoot: string, to: string): void {
  if (!isPlainPath(fromRoot, from) || !isPlainPath(toRoot, to))
    throw new Error(`the path of ${from} contains a link`);
  const target = join(toRoot, to);
  makeFolder(dirname(target));
  renameSync(join(fromRoot, from), target);
}

function dropOldest(folder: string): void {
  const kept = readdirSync(keptFolder(folder)).map((name) => join(keptFolder(folder), name));
  const byAge = kept.sort((a, b) => statSync(b).ctimeMs - statSync(a).ctimeMs);
  for (const path of byAge.slice(MAX_KEPT)) removeTree(path);
}

function keptFolder(folder: string): string {
  return `${folder}.kept`;
}

function placeOf(folder: string, key: string, tree: string | null): string {
  const name = createHash('sha256')
    .update(`${key} ${tree ?? ''}`)
    .digest('hex')
    .slice(0, 16);
  return join(keptFolder(folder), name);
}

/** Files that declare a project's dependencies. */
const DEPENDENCY_FILES = [
  /^(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|pnpm-workspace\.yaml|yarn\.lock|bun\.lockb?|deno\.lock)$/,
  /^(?:requirements[\w.-]*\.(?:txt|in)|poetry\.lock|uv\.lock|Pipfile(?:\.lock)?|pyproject\.toml|setup\.(?:py|cfg))$/,
  /^(?:go\.(?:mod|sum|work)|Cargo\.(?:toml|lock)|pom\.xml|build\.gradle(?:\.kts)?|gradle\.lockfile)$/,
  /^(?:Gemfile(?:\.lock)?|composer\.(?:json|lock)|mix\.lock|\.npmrc|\.yarnrc\.yml|\.nvmrc|\.node-version|\.tool-versions)$/,
];

/** The parts of a package.json that affect an installation; other scripts may change without a new one. */
const INSTALL_FIELDS = [
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
  'overrides',
  'resolutions',
  'workspaces',
  'packageManager',
  'engines',
  'pnpm',
];
const INSTALL_SCRIPTS = [
  'preinstall',
  'install',
  'postinstall',
  'prepublish',
  'preprepare',
  'prepare',
  'postprepare',
];

/** A hash of everything that a set-up's result depends on: trees with the same key can share it. */
export async function setupKey(repository: Repository, tree: string, command: string): Promise<string> {
  const hash = createHash('sha256');
  const add = (...parts: string[]) => {
    for (const part of parts) hash.update(`${Buffer.byteLength(part)}:${part}`);
  };
  add(command, process.platform, process.arch, process.version);
  for (const { path, object } of await listTree(repository, tree)) {
    if (path.includes('node_modules/')) continue;
    const name = basename(path);
    if (name === 'package.json') {
      add(path, installParts((await readTreeFile(repository, tree, path)) ?? ''));
    } else if (DEPENDENCY_FILES.some((pattern) => pattern.test(name))) {
      add(path, object);
    }
  }
  return hash.digest('hex');
}

function installParts(text: string): string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    // Safe: a file that is not JSON is hashed whole, so that any change counts.
    return text;
  }
  if (parsed === null || typeof parsed !== 'object') return text;
  const scripts: unknown = Reflect.get(parsed, 'scripts');
  const pick = (from: unknown, names: readonly string[]) =>
    names.map((name) =>
      from !== null && typeof from === 'object' && Object.hasOwn(from, name) ? Reflect.get(from, name) : null,
    );
  return JSON.stringify([pick(parsed, INSTALL_FIELDS), pick(scripts, INSTALL_SCRIPTS)]);
}
