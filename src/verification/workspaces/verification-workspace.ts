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
import { listTree } from '../../platform/git/git-tree.ts';
import type { Repository } from '../../platform/git/repository.ts';
import type { ProcessLock } from '../../platform/processes/process-lock.ts';
import { CACHE_FOLDERS } from './dependency-folders.ts';
import { KeptBuilds } from './kept-builds.ts';
import { bringBack, keepSetup } from './kept-setups.ts';
import {
  BARE_WORKSPACE,
  readWorkspaceState,
  type WorkspaceState,
  writeWorkspaceState,
} from './workspace-state.ts';

/**
 * A checkout of GuardKit's own, in which commands run on a known tree. What earlier commands left in it is gone when
 * the next tree is placed, but for the dependencies that the set-up installed, to which no other command's writes last.
 */
export class VerificationWorkspace {
  readonly folder: string;
  /** The home folder of everything that runs here, beside the workspace. Only a set-up's writes to it last. */
  readonly home: string;
  readonly builds: KeptBuilds;
  readonly #repository: Repository;
  readonly #statePath: string;
  readonly #lock: ProcessLock;
  #state: WorkspaceState;
  /** What was placed, as long as nothing has touched it. */
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

  /** Makes the workspace's files exactly those of the tree; `commit` is what HEAD says in it. */
  async place(tree: string, commit: string, keep: 'set-up' | 'nothing' = 'set-up'): Promise<void> {
    if (keep === 'nothing') this.keepSetup();
    const kept = keep === 'nothing' ? [] : this.keptWith(tree);
    this.#placed = undefined;
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const { gitDir } = this.#repository.folder;
    // A command may have replaced it; git is told where to look without it.
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
    this.#placed = JSON.stringify([tree, commit, kept]);
  }

  /** Places the tree, unless it is there and nothing that could write has run since. */
  async ensurePlaced(tree: string, commit: string, keep: 'set-up' | 'nothing' = 'set-up'): Promise<void> {
    const kept = keep === 'nothing' ? [] : this.keptWith(tree);
    if (this.#placed !== JSON.stringify([tree, commit, kept])) await this.place(tree, commit, keep);
  }

  /** What a set-up left that stays when a tree is placed. */
  keptWith(tree: string): string[] {
    const { dependencyFolders, dependencyFiles, otherAdditions, setupTree } = this.#state;
    const others = otherAdditions.map((path) => path.replace(/\/$/, ''));
    return [...dependencyFolders, ...dependencyFiles, ...(setupTree === tree ? others : [])];
  }

  /** Puts the result of the set-up aside, so that it need not be done again. */
  keepSetup(): void {
    if (this.#state.setupKey === null) return;
    keepSetup(this, this.#state);
    this.remember(BARE_WORKSPACE);
  }

  /** Brings back the result of an earlier set-up, if there is one; what is in the workspace has to be gone. */
  bringBack(key: string, tree: string): boolean {
    const state = bringBack(this, key, tree);
    if (state) this.remember(state);
    return state !== undefined;
  }

  /** Said before anything may write here. */
  disturb(): void {
    this.#placed = undefined;
  }

  remember(state: WorkspaceState): void {
    this.#placed = undefined;
    this.#state = state;
    writeWorkspaceState(this.#statePath, state);
  }

  /** What lies in the workspace and is not part of its tree; a folder stands for all in it. */
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

  /** At the commit that the tree names, out of the submodule's own repository, if that is here. */
  async #placeSubmodules(tree: string): Promise<void> {
    const modules = join(this.#repository.folder.commonDir, 'modules');
    if (!existsSync(modules)) return;
    const links = (await listTree(this.#repository, tree)).filter(({ mode }) => mode === '160000');
    for (const { path, object } of links) {
      const gitDir = join(modules, path);
      if (!existsSync(join(gitDir, 'HEAD'))) continue;
      const target = join(this.folder, path);
      mkdirSync(target, { recursive: true });
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
      // Safe: a commit that was never fetched leaves the folder empty, and the project's own commands tell.
      if (read.exitCode !== 0) continue;
    }
  }
}

/** The commit that a detached HEAD names; undefined where it is kept in another way. */
function readHead(gitDir: string): string | undefined {
  try {
    return readFileSync(join(gitDir, 'HEAD'), 'utf8').trimEnd();
  } catch {
    // Safe: git is then told what HEAD is.
    return undefined;
  }
}

/** A folder's name as git reads it in an exclusion, where some characters are wild. */
function escapePattern(path: string): string {
  return path.replace(/[\\*?[\]!#]/g, (character) => `\\${character}`);
}

/** Takes a path out of the workspace, unless a link on the way leads elsewhere: what lies there is not ours to remove. */
export function removeFromWorkspace(workspace: VerificationWorkspace, path: string): void {
  const root = workspace.folder;
  workspace.disturb();
  const target = join(root, path);
  const above = dirname(target);
  if (!existsSync(above)) return;
  if (`${realpathSync(above)}${sep}`.startsWith(`${realpathSync(root)}${sep}`))
    rmSync(target, { recursive: true, force: true });
}
