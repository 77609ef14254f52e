import { existsSync, lstatSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { sha256 } from '../../domain/json/json.ts';
import { makeFolder } from '../../platform/files/make-folder.ts';
import { listTree } from '../../platform/git/git-tree.ts';
import type { Repository } from '../../platform/git/repository.ts';
import type { ProcessLock } from '../../platform/processes/process-lock.ts';
import { CACHE_FOLDERS } from './dependency-folders.ts';
import { GoBuildCache } from './go-build-cache.ts';
import { keepSetup, restoreSetup } from './kept-setups.ts';
import { leaveOutTasks } from './leave-out-tasks.ts';
import {
  BARE_WORKSPACE,
  readWorkspaceState,
  type WorkspaceState,
  writeWorkspaceState,
} from './workspace-state.ts';

/**
 * GuardKit's own checkout, in which commands run on a known tree. Placing a tree removes everything that earlier
 * commands left, except the dependencies from the set-up, to which other commands cannot write permanently.
 */
export class VerificationWorkspace {
  readonly folder: string;
  /** The home folder of the commands here, next to the workspace. Only a set-up's writes to it persist. */
  readonly home: string;
  readonly builds: GoBuildCache;
  readonly #repository: Repository;
  readonly #statePath: string;
  readonly #lock: ProcessLock;
  #state: WorkspaceState;
  /** The placed tree, as long as nothing has touched it. */
  #placed: string | undefined;

  constructor(parts: { repository: Repository; statePath: string; lock: ProcessLock }) {
    this.#repository = parts.repository;
    this.folder = parts.repository.root;
    this.home = `${this.folder}.home`;
    this.builds = new GoBuildCache(this.folder);
    this.#statePath = parts.statePath;
    this.#lock = parts.lock;
    this.#state = readWorkspaceState(parts.statePath);
  }

  get state(): WorkspaceState {
    return this.#state;
  }

  /** Makes the workspace's files those of the tree, without tasks, and points HEAD to `commit`. */
  async place(tree: string, commit: string, keep: 'set-up' | 'nothing' = 'set-up'): Promise<void> {
    if (keep === 'nothing') this.keepSetup();
    const kept = keep === 'nothing' ? [] : this.keptWith(tree);
    this.#placed = undefined;
    makeFolder(this.folder, 0o700);
    const { gitDir } = this.#repository.folder;
    // A command may have replaced it, so git gets the folder explicitly.
    rmSync(join(this.folder, '.git'), { recursive: true, force: true });
    writeFileSync(join(this.folder, '.git'), `gitdir: ${gitDir}\n`);
    const excluded = kept.map((folder) => `--exclude=/${escapePattern(folder)}`);
    const commands = [
      ...(readHead(gitDir) === commit ? [] : [['update-ref', '--no-deref', 'HEAD', commit]]),
      ['read-tree', '--reset', '-u', tree],
      ['clean', '-ffdxq', ...excluded],
    ];
    await this.#repository.runAll(commands, { timeoutMs: 10 * 60_000 });
    for (const folder of keep === 'nothing' ? [] : this.#state.dependencyFolders) this.#emptyCaches(folder);
    await this.#placeSubmodules(tree, kept);
    await leaveOutTasks(this.#repository);
    this.#placed = JSON.stringify([tree, commit, kept]);
  }

  /** Places the tree, unless it is already there and no command has run since. */
  async ensurePlaced(tree: string, commit: string, keep: 'set-up' | 'nothing' = 'set-up'): Promise<void> {
    const kept = keep === 'nothing' ? [] : this.keptWith(tree);
    if (this.#placed !== JSON.stringify([tree, commit, kept])) await this.place(tree, commit, keep);
  }

  /** Additions of a set-up that stay when a tree is placed. */
  keptWith(tree: string): string[] {
    const { dependencyFolders, dependencyFiles, otherAdditions, setupTree } = this.#state;
    const others = otherAdditions.map((path) => path.replace(/\/$/, ''));
    return [...dependencyFolders, ...dependencyFiles, ...(setupTree === tree ? others : [])];
  }

  /** Keeps the result of the set-up for reuse. */
  keepSetup(): void {
    if (this.#state.setupKey === null) return;
    keepSetup(this, this.#state);
    this.remember(BARE_WORKSPACE);
  }

  /** Restores the result of an earlier set-up, if there is one; call it on an emptied workspace. */
  restoreSetup(key: string, tree: string): boolean {
    const state = restoreSetup(this, key, tree);
    if (state) this.remember(state);
    return state !== undefined;
  }

  /** Call before anything may write here. */
  disturb(): void {
    this.#placed = undefined;
  }

  remember(state: WorkspaceState): void {
    this.#placed = undefined;
    this.#state = state;
    writeWorkspaceState(this.#statePath, state);
  }

  /** Paths in the workspace outside its tree; a folder stands for its content. */
  async additions(): Promise<string[]> {
    const text = await this.#repository.run(['ls-files', '--others', '--directory', '-z']);
    return text.split('\0').filter((path) => path !== '');
  }

  release(): void {
    this.#lock.release();
  }

  #emptyCaches(folder: string): void {
    // A link would lead out of the workspace.
    if (!lstatSync(join(this.folder, folder), { throwIfNoEntry: false })?.isDirectory()) return;
    for (const cache of CACHE_FOLDERS) {
      const path = join(this.folder, folder, cache);
      rmSync(path, { recursive: true, force: true });
      mkdirSync(path);
    }
  }

  /**
   * Checks out the commit that the tree names from the submodule's own repository, if that is present. Otherwise the
   * folder stays empty, and the project's commands report it.
   */
  async #placeSubmodules(tree: string, kept: readonly string[]): Promise<void> {
    const { commonDir, gitDir } = this.#repository.folder;
    const modules = join(commonDir, 'modules');
    if (!existsSync(modules)) return;
    const links = (await listTree(this.#repository, tree)).filter(({ mode }) => mode === '160000');
    const names = links.length === 0 ? new Map<string, string>() : await this.#submoduleNames(tree);
    for (const { path, object } of links) {
      const source = join(modules, names.get(path) ?? path);
      if (!existsSync(join(source, 'HEAD'))) continue;
      const target = join(this.folder, path);
      // A command may have replaced it by a link.
      if (!lstatSync(target, { throwIfNoEntry: false })?.isDirectory()) removeFromWorkspace(this, path);
      makeFolder(target);
      if (realpathSync(target) !== join(realpathSync(this.folder), path)) continue;
      rmSync(join(target, '.git'), { recursive: true, force: true });
      const submodule = await this.#repository.worktree(target, source);
      const options = {
        // Kept from tree to tree, so that only differences are written.
        env: { GIT_INDEX_FILE: join(gitDir, `submodule-${sha256(path).slice(0, 16)}`) },
        timeoutMs: 10 * 60_000,
      };
      const read = await submodule.attempt(['read-tree', '--reset', '-u', object], options);
      // A commit that was never fetched: the files of another one must not stay.
      if (read.exitCode !== 0) await submodule.attempt(['read-tree', '--empty'], options);
      const excluded = kept
        .filter((folder) => folder.startsWith(`${path}/`))
        .map((folder) => `--exclude=/${escapePattern(folder.slice(path.length + 1))}`);
      await submodule.attempt(['clean', '-ffdxq', ...excluded], options);
    }
  }

  /** Names of submodules by their paths. A submodule that moved keeps the name of its first path. */
  async #submoduleNames(tree: string): Promise<Map<string, string>> {
    const read = ['config', '--blob', `${tree}:.gitmodules`, '-z', '--get-regexp', '^submodule\\..*\\.path$'];
    const { stdout } = await this.#repository.attempt(read);
    return new Map(
      stdout.split('\0').flatMap((entry): [string, string][] => {
        const [, name = '', path = ''] = /^submodule\.([^\n]+)\.path\n(.+)$/.exec(entry) ?? [];
        // A name must not lead out of git's folder for submodules.
        return name === '' || name.split('/').includes('..') ? [] : [[path, name]];
      }),
    );
  }
}

/** The commit of a detached HEAD; undefined if it is stored in another way. */
function readHead(gitDir: string): string | undefined {
  try {
    return readFileSync(join(gitDir, 'HEAD'), 'utf8').trimEnd();
  } catch {
    // Safe: HEAD is then set again.
    return undefined;
  }
}

/** A folder's name as an exclude pattern for git, with wildcards escaped. */
function escapePattern(path: string): string {
  return path.replace(/[\\*?[\]!#]/g, (character) => `\\${character}`);
}

/** Removes a path from the workspace, unless a link on the way leads elsewhere: that content is not ours. */
export function removeFromWorkspace(workspace: VerificationWorkspace, path: string): void {
  const root = workspace.folder;
  workspace.disturb();
  const target = join(root, path);
  const above = dirname(target);
  if (!existsSync(above)) return;
  if (`${realpathSync(above)}${sep}`.startsWith(`${realpathSync(root)}${sep}`))
    rmSync(target, { recursive: true, force: true });
}
