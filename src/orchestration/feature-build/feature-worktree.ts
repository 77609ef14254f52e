import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isProtectedPath } from '../../domain/protection/protected-paths.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import { movePath } from '../../platform/files/file-trees.ts';
import { makeFolder } from '../../platform/files/make-folder.ts';
import { firstLine } from '../../platform/first-line.ts';
import { findWorktree, repairWorktree } from '../../platform/git/git-refs.ts';
import {
  changedPaths,
  comparing,
  exportFiles,
  listing,
  listTree,
  overlayTree,
  type PathChange,
  readChanges,
  readEntries,
  snapshotTree,
  type TreeEntry,
} from '../../platform/git/git-tree.ts';
import type { Repository } from '../../platform/git/repository.ts';

/** Turns are committed as GuardKit; the person's name appears on the merge. */
export const IDENTITY = {
  GIT_AUTHOR_NAME: 'GuardKit',
  GIT_AUTHOR_EMAIL: 'guardkit@localhost',
  GIT_COMMITTER_NAME: 'GuardKit',
  GIT_COMMITTER_EMAIL: 'guardkit@localhost',
};

export interface CommittedTurn {
  commit: string;
  /** Protected files that were changed and restored from the base; copies are in quarantine. */
  restored: string[];
}

export function branchOf(featureId: string): string {
  return `guardkit/${featureId}`;
}

/** The branch and worktree in which a feature is built. The person's checkout is never touched. */
export class FeatureWorktree {
  readonly folder: string;
  readonly branch: string;
  /** The folder as a working tree of the project's repository. */
  readonly repository: Repository;
  readonly #main: Repository;
  readonly #featureId: string;
  /** The branch's commit before the agent ran; an agent may move the branch. */
  #left: string | undefined;
  /** Cache by commit. */
  readonly #trees = new Map<string, string>();

  private constructor(main: Repository, repository: Repository, branch: string, featureId: string) {
    this.#main = main;
    this.repository = repository;
    this.folder = repository.root;
    this.branch = branch;
    this.#featureId = featureId;
  }

  /** Creates the worktree on a new branch from `base`, or opens the existing one. */
  static async open(
    main: Repository,
    { folder, featureId, base }: { folder: string; featureId: string; base: string },
  ): Promise<FeatureWorktree> {
    const branch = branchOf(featureId);
    let gitDir = findWorktree(main.folder, folder);
    if (gitDir === undefined || !existsSync(folder)) {
      if (existsSync(folder) && readdirSync(folder).length > 0) throw folderTaken(folder);
      makeFolder(dirname(folder), 0o700);
      const known = (await main.commit(`refs/heads/${branch}`)) !== undefined;
      const start = known ? [folder, branch] : ['-b', branch, folder, base];
      await main.run(['worktree', 'prune']);
      await main.run(['worktree', 'add', '--quiet', '--force', ...start], { timeoutMs: 10 * 60_000 });
      gitDir = findWorktree(main.folder, folder);
    }
    if (gitDir === undefined) throw new Error(`git created no working tree at ${folder}`);
    repairWorktree(folder, gitDir);
    return new FeatureWorktree(main, await main.worktree(folder, gitDir), branch, featureId);
  }

  /** The last commit of the branch. */
  async tip(): Promise<string> {
    const tip = await this.#found();
    if (tip === undefined) throw branchGone(this.branch);
    return tip;
  }

  /** Runs git only if the ref file does not contain the known commit. */
  async #found(): Promise<string | undefined> {
    const name = `refs/heads/${this.branch}`;
    const { commonDir } = this.#main.folder;
    if (this.#left !== undefined && firstLine(join(commonDir, name)) === this.#left) return this.#left;
    return this.#main.commit(name);
  }

  /** Paths with uncommitted changes. */
  async pending(): Promise<string[]> {
    const tree = await snapshotTree(this.repository, []);
    return (await changedPaths(this.repository, await this.tip(), tree)).map(({ path }) => path);
  }

  /** Commits the files to the branch and the turn's ref, with protected files restored from the base. */
  async commitTurn(turn: {
    taskId: string;
    number: number;
    base: string;
    message: string;
    quarantine: string;
  }): Promise<CommittedTurn> {
    const { tip, moved } = await this.#returnToBranch(turn.taskId, turn.number);
    const { tree: raw, changes } = await this.#wholeTree(turn.base, turn.quarantine);
    const restored = await this.#restored(changes, turn.base, turn.quarantine);
    const tree = restored.length > 0 ? await overlayTree(this.repository, raw, turn.base, restored) : raw;
    const commit = await this.#commitTree(tree, tip, turn.message);
    await this.#move(tip, commit, this.turnRef(turn.taskId, turn.number));
    this.#left = commit;
    return { commit, restored: [...restored, ...moved] };
  }

  /** Moves the branch and the turn's ref in one transaction, then the index. */
  async #move(from: string, to: string, ref: string): Promise<void> {
    const input = `update ${ref} ${to}\nupdate refs/heads/${this.branch} ${to} ${from}\n`;
    const commands = [
      ['update-ref', '--stdin'],
      ['read-tree', '--reset', to],
    ];
    try {
      await this.repository.runAll(commands, { input });
    } catch (error) {
      // A locked or marked index can be repaired; refs that did not move cannot.
      if ((await this.#main.commit(ref)) !== to) throw error;
      await this.#takeIndex(to);
    }
  }

  /** Notes the branch's commit before an agent runs. */
  async leave(): Promise<string> {
    this.#left = await this.tip();
    return this.#left;
  }

  /** Moves the branch back if an agent moved it other than by adding commits; the agent's commit stays on a ref. */
  async #returnToBranch(taskId: string, number: number): Promise<{ tip: string; moved: string[] }> {
    const name = `refs/heads/${this.branch}`;
    const moved: string[] = [];
    const found = await this.#found();
    const left = this.#left;
    if (left !== undefined && (found === undefined || !(await this.#leadsTo(left, found)))) {
      if (found !== undefined)
        await this.#main.run([
          'update-ref',
          `refs/guardkit/${this.#featureId}/${taskId}/moved-${number}`,
          found,
        ]);
      await this.#main.run(['update-ref', name, left]);
      moved.push(name);
    }
    if (!(await this.#isOn(name))) {
      await this.repository.run(['symbolic-ref', 'HEAD', name]);
      moved.push('HEAD');
    }
    // If the branch is gone and no earlier commit is known, tip() throws.
    return { tip: moved.includes(name) || found === undefined ? await this.tip() : found, moved };
  }

  async #isOn(name: string): Promise<boolean> {
    // Other ref storage formats do not use this file; then ask git.
    if (firstLine(join(this.repository.folder.gitDir, 'HEAD')) === `ref: ${name}`) return true;
    return (await this.repository.attempt(['symbolic-ref', '--quiet', 'HEAD'])).stdout.trim() === name;
  }

  turnRef(taskId: string, number: number): string {
    return `refs/guardkit/${this.#featureId}/${taskId}/T${number}`;
  }

  /** Restores exactly the files of a commit; everything else is first kept on a ref. */
  async restore(commit: string, taskId: string, at: number): Promise<void> {
    const tip = await this.tip();
    const aside = join(this.repository.folder.gitDir, 'guardkit-kept', String(at));
    const { tree } = await this.#wholeTree(commit, aside);
    const saved = await this.#commitTree(tree, tip, 'Kept before restoring');
    // Keeps uncommitted files, and commits that are on no other ref.
    if (!(await this.#leadsTo(saved, commit))) {
      await this.#main.run(['update-ref', `refs/guardkit/${this.#featureId}/${taskId}/kept-${at}`, saved]);
    }
    await this.#main.run(['update-ref', `refs/heads/${this.branch}`, commit, tip]);
    const long = { timeoutMs: 10 * 60_000 };
    if ((await this.repository.attempt(['read-tree', '--reset', '-u', commit], long)).exitCode !== 0) {
      await this.#takeIndex(commit);
      await this.repository.run(['checkout-index', '--all', '--force', '--quiet'], long);
    }
    await this.repository.run(['clean', '-ffdq']);
  }

  /** Moves a branch without own work to a later commit; any other branch stays. */
  async advance(to: string): Promise<void> {
    const tip = await this.tip();
    if (tip === to || !(await this.#leadsTo(tip, to)) || (await this.pending()).length > 0) return;
    await this.repository.run(['read-tree', '-m', '-u', tip, to], { timeoutMs: 10 * 60_000 });
    await this.#main.run(['update-ref', `refs/heads/${this.branch}`, to, tip]);
  }

  /** Whether a commit is on the branch. */
  async holds(commit: string): Promise<boolean> {
    return this.#leadsTo(commit, await this.tip());
  }

  /** Recreates an index that an agent has locked or marked so that git cannot update it. */
  async #takeIndex(commit: string): Promise<void> {
    const { exitCode } = await this.repository.attempt(['read-tree', '--reset', commit]);
    if (exitCode === 0) return;
    for (const name of ['index.lock', 'index'])
      rmSync(join(this.repository.folder.gitDir, name), { force: true });
    await this.repository.run(['read-tree', commit]);
  }

  async #leadsTo(earlier: string, later: string): Promise<boolean> {
    return earlier === later || this.#main.isAncestor(earlier, later);
  }

  async #commitTree(tree: string, parent: string, message: string): Promise<string> {
    if ((await this.#treeOf(parent)) === tree) return parent;
    const args = ['commit-tree', tree, '-p', parent, '-m', message];
    const commit = (await this.#main.run(args, { env: IDENTITY })).trim();
    this.#trees.set(commit, tree);
    return commit;
  }

  async #treeOf(commit: string): Promise<string> {
    const tree =
      this.#trees.get(commit) ?? (await this.repository.run(['rev-parse', `${commit}^{tree}`])).trim();
    this.#trees.set(commit, tree);
    return tree;
  }

  /**
   * The files as a tree, and its changes against the base. A nested repository would appear as a link without content, so
   * its `.git` is moved to `aside` and its files are included.
   */
  async #wholeTree(base: string, aside: string): Promise<{ tree: string; changes: PathChange[] }> {
    let submodules: Set<string> | undefined;
    for (;;) {
      const tree = await snapshotTree(this.repository, []);
      const [compared = '', listed = ''] = await this.repository.runEach([
        comparing(base, tree),
        listing(tree),
      ]);
      const whole = { tree, changes: readChanges(compared) };
      const links = linksOf(readEntries(listed));
      if (links.length === 0) return whole;
      const own = submodules ?? new Set(linksOf(await listTree(this.repository, base)));
      submodules = own;
      const made = links
        .filter((path) => !own.has(path))
        .map((path) => join(path, '.git'))
        .filter((path) => lstatSync(join(this.folder, path), { throwIfNoEntry: false }));
      if (made.length === 0) return whole;
      for (const path of made) movePath(join(this.folder, path), join(aside, path));
    }
  }

  async #restored(all: readonly PathChange[], base: string, quarantine: string): Promise<string[]> {
    const changes = all.filter(({ path }) => isProtectedPath(path));
    for (const { path, change } of changes) {
      const file = join(this.folder, path);
      if (change === 'deleted' || !lstatSync(file, { throwIfNoEntry: false })) continue;
      movePath(file, join(quarantine, path));
    }
    const known = changes.filter(({ change }) => change !== 'added').map(({ path }) => path);
    if (known.length > 0) await exportFiles(this.repository, base, known, this.folder);
    return changes.map(({ path }) => path);
  }
}

function linksOf(entries: readonly TreeEntry[]): string[] {
  return entries.filter(({ mode }) => mode === '160000').map(({ path }) => path);
}

function folderTaken(folder: string): GuardKitError {
  return new GuardKitError({
    code: 'worktree.taken',
    kind: 'outside',
    message: `${folder} exists, but is not a working tree of this repository.`,
    hint: 'Move the folder elsewhere; it may belong to another clone of the project.',
  });
}

function branchGone(branch: string): GuardKitError {
  return new GuardKitError({
    code: 'worktree.no-branch',
    kind: 'outside',
    message: `The branch ${branch} is gone.`,
    hint: 'The turns are kept under refs/guardkit; recreate the branch from the last one with `git branch`.',
  });
}
