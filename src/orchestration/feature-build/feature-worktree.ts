import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isProtectedPath } from '../../domain/protection/protected-paths.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import { movePath } from '../../platform/files/file-trees.ts';
import { firstLine } from '../../platform/first-line.ts';
import { findWorktree } from '../../platform/git/git-refs.ts';
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

/** Commits of turns are GuardKit's; a person's own name comes in when they merge. */
export const IDENTITY = {
  GIT_AUTHOR_NAME: 'GuardKit',
  GIT_AUTHOR_EMAIL: 'guardkit@localhost',
  GIT_COMMITTER_NAME: 'GuardKit',
  GIT_COMMITTER_EMAIL: 'guardkit@localhost',
};

export interface CommittedTurn {
  commit: string;
  /** Protected files that were changed and are as on the base again; copies are in quarantine. */
  putBack: string[];
}

/** The branch that a feature is built on. */
export function branchOf(featureId: string): string {
  return `guardkit/${featureId}`;
}

/** The branch and the folder in which a feature is built. The person's own checkout is never touched. */
export class FeatureWorktree {
  readonly folder: string;
  readonly branch: string;
  /** The folder as a working tree of the project's repository. */
  readonly repository: Repository;
  readonly #main: Repository;
  readonly #featureId: string;
  /** Where the branch was left; an agent that can reach it may move it. */
  #left: string | undefined;
  /** By commit, which has the same for ever. */
  readonly #trees = new Map<string, string>();

  private constructor(main: Repository, repository: Repository, branch: string, featureId: string) {
    this.#main = main;
    this.repository = repository;
    this.folder = repository.root;
    this.branch = branch;
    this.#featureId = featureId;
  }

  /** Makes the worktree on a new branch from `base`, or goes on with the one that is there. */
  static async open(
    main: Repository,
    { folder, featureId, base }: { folder: string; featureId: string; base: string },
  ): Promise<FeatureWorktree> {
    const branch = branchOf(featureId);
    let gitDir = findWorktree(main, folder);
    if (gitDir === undefined || !existsSync(folder)) {
      if (existsSync(folder) && readdirSync(folder).length > 0) throw folderTaken(folder);
      mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
      const known = (await main.commit(`refs/heads/${branch}`)) !== undefined;
      const start = known ? [folder, branch] : ['-b', branch, folder, base];
      await main.run(['worktree', 'prune']);
      await main.run(['worktree', 'add', '--quiet', '--force', ...start], { timeoutMs: 10 * 60_000 });
      gitDir = findWorktree(main, folder);
    }
    if (gitDir === undefined) throw new Error(`git made no working tree at ${folder}`);
    return new FeatureWorktree(main, await main.worktree(folder, gitDir), branch, featureId);
  }

  /** The last commit of the branch. */
  async tip(): Promise<string> {
    const tip = await this.#found();
    if (tip === undefined) throw branchGone(this.branch);
    return tip;
  }

  /** Git is asked only where the branch is not where it was left. */
  async #found(): Promise<string | undefined> {
    const name = `refs/heads/${this.branch}`;
    const { commonDir } = this.#main.folder;
    if (this.#left !== undefined && firstLine(join(commonDir, name)) === this.#left) return this.#left;
    return this.#main.commit(name);
  }

  /** What lies in the folder and in no commit, as paths. */
  async pending(): Promise<string[]> {
    const tree = await snapshotTree(this.repository, []);
    return (await changedPaths(this.repository, await this.tip(), tree)).map(({ path }) => path);
  }

  /** Puts the files as they are onto the branch and onto the turn's own ref, with protected ones as on the base. */
  async commitTurn(turn: {
    taskId: string;
    number: number;
    base: string;
    message: string;
    quarantine: string;
  }): Promise<CommittedTurn> {
    const { tip, moved } = await this.#returnToBranch(turn.taskId, turn.number);
    const { tree: raw, changes } = await this.#wholeTree(turn.base, turn.quarantine);
    const putBack = await this.#putBack(changes, turn.base, turn.quarantine);
    const tree = putBack.length > 0 ? await overlayTree(this.repository, raw, turn.base, putBack) : raw;
    const commit = await this.#commitTree(tree, tip, turn.message);
    await this.#move(tip, commit, this.turnRef(turn.taskId, turn.number));
    this.#left = commit;
    return { commit, putBack: [...putBack, ...moved] };
  }

  /** The branch and the turn's ref, both or neither, and the index with them. */
  async #move(from: string, to: string, ref: string): Promise<void> {
    const input = `update ${ref} ${to}\nupdate refs/heads/${this.branch} ${to} ${from}\n`;
    const commands = [
      ['update-ref', '--stdin'],
      ['read-tree', '--reset', to],
    ];
    try {
      await this.repository.runAll(commands, { input });
    } catch (error) {
      // An index that an agent has locked or marked can be mended; refs that did not move cannot.
      if ((await this.#main.commit(ref)) !== to) throw error;
      await this.#takeIndex(to);
    }
  }

  /** Before an agent runs: where the branch is, and what it has to lead on from. */
  async leave(): Promise<void> {
    this.#left = await this.tip();
  }

  /** What an agent has done to the branch is undone, unless it only added commits; what it moved it to stays on a ref. */
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
    // Undefined where nothing is known of the branch but that it is gone.
    return { tip: moved.includes(name) || found === undefined ? await this.tip() : found, moved };
  }

  async #isOn(name: string): Promise<boolean> {
    // Where refs are kept in another way, the file says something else, and git is asked.
    if (firstLine(join(this.repository.folder.gitDir, 'HEAD')) === `ref: ${name}`) return true;
    return (await this.repository.attempt(['symbolic-ref', '--quiet', 'HEAD'])).stdout.trim() === name;
  }

  turnRef(taskId: string, number: number): string {
    return `refs/guardkit/${this.#featureId}/${taskId}/T${number}`;
  }

  /** Makes the files exactly those of a commit; whatever else was there is kept on a ref first. */
  async restore(commit: string, taskId: string, at: number): Promise<void> {
    const tip = await this.tip();
    const aside = join(this.repository.folder.gitDir, 'guardkit-kept', String(at));
    const { tree } = await this.#wholeTree(commit, aside);
    const saved = await this.#commitTree(tree, tip, 'Kept before restoring');
    // Files that are in no commit, and commits that are on no other ref.
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

  /** Brings a branch without work of its own to a later commit; any other stays as it is. */
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

  /** An agent may have locked or marked the index so that git leaves it as it is; then it is made anew. */
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
   * The files as a tree, and how it differs from the base. A repository that was made within the folder would stand in
   * it as a name without content: its own record goes to `aside`, and its files are files.
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

  async #putBack(all: readonly PathChange[], base: string, quarantine: string): Promise<string[]> {
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
    message: `${folder} is there, but it is no working tree of this repository.`,
    hint: 'Move that folder away; it may belong to another clone of the project.',
  });
}

function branchGone(branch: string): GuardKitError {
  return new GuardKitError({
    code: 'worktree.no-branch',
    kind: 'outside',
    message: `The branch ${branch} is gone.`,
    hint: 'The turns are kept under refs/guardkit; make the branch again from the last one with `git branch`.',
  });
}
