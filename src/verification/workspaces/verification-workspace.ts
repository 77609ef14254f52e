import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { makeFolder } from '../../platform/files/make-folder.ts';
import { listTree } from '../../platform/git/git-tree.ts';
import type { Repository } from '../../platform/git/repository.ts';
import type { ProcessLock } from '../../platform/processes/process-lock.ts';
import { CACHE_FOLDERS } from './dependency-folders.ts';
import { KeptBuilds } from './kept-builds.ts';
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
  readonly builds: KeptBuilds;
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
    this.builds = new KeptBuilds(this.folder);
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
    await this.#placeSubmodules(tree);
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

  /** Checks out the commit that the tree names from the submodule's own repository, if that is present. */
  async #placeSubmodules(tree: string): Promise<void> {
    const modules = join(this.#repository.folder.commonDir, 'modules');
    if (!existsSync(modules)) return;
    const links = (await listTree(this.#repository, tree)).filter(({ mode }) => mode === '160000');
    for (const { path, object } of links) {
      const gitDir = join(modules, path);
      if (!existsSync(join(gitDir, 'HEAD'))) continue;
      const target = join(this.folder, path);
      makeFolder(target);
      if (readdirSync(target).length > 0) continue;
      const scratch = join(this.#repository.folder.gitDir, 'submodule-index');
      const submodule = await this.#repository.worktree(target, gitDir);
      rmSync(scratch, { force: true });
      const env = { GIT_INDEX_FILE: scratch };
      const read = await submodule.attempt(['read-tree', '--reset', '-u', object], {
        env,
        timeoutMs: 10 * 60_000,
      });
      rmSync(scratch, { force: true });
      // Safe: a commit that was never fetched leaves the folder empty, and the project's commands report it.
      if (read.exitCode !== 0) continue;
    }
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
