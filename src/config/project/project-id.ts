import { isProjectId } from '../../domain/entities/group.ts';
import { git } from '../../platform/git/git.ts';
import type { GitFolder } from '../../platform/git/git-folder.ts';
import type { ProcessResult } from '../../platform/processes/run-process.ts';

export type ProjectId = { known: true; id: string } | { known: false; why: string; hint: string };

const INIT_HINT =
  'Run `guardkit init`, which writes `project: NAME` into .guardkit/config.yaml, and commit that file.';
const SHALLOW_HINT =
  'Run `git fetch --unshallow`, or write the project’s id as `project: NAME` into .guardkit/config.yaml.';

/**
 * The id that a project has without being told: the main worktree's folder and the root commit. It is the same in
 * every worktree, and in a clone whose folder has the same name.
 */
export async function deriveProjectId(folder: GitFolder): Promise<ProjectId> {
  if (folder.shallow) {
    return {
      known: false,
      why: 'this is a shallow clone, whose first commit is not the project’s',
      hint: SHALLOW_HINT,
    };
  }
  // Along first parents only: a history that is merged in later brings a root of its own, and must not rename us.
  const result = await git(folder.root, ['rev-list', '--first-parent', '--max-parents=0', 'HEAD']);
  if (result.exitCode !== 0) return whyUnknown(result, folder.root);
  const rootCommit = result.stdout.trim();
  if (rootCommit === '') return whyUnknown(result, folder.root);
  const id = `${projectSlug(folder.name)}-${rootCommit.slice(0, 4)}`;
  return isProjectId(id)
    ? { known: true, id }
    : { known: false, why: 'its folder has no usable name', hint: INIT_HINT };
}

function whyUnknown({ stderr, timedOut }: ProcessResult, root: string): ProjectId {
  if (stderr.includes("ambiguous argument 'HEAD'"))
    return { known: false, why: 'this repository has no commits yet', hint: INIT_HINT };
  if (stderr.includes('dubious ownership')) {
    return {
      known: false,
      why: 'git refuses this repository because it belongs to another user',
      hint: `If you trust it: git config --global --add safe.directory ${root}`,
    };
  }
  const said = timedOut ? 'it did not answer in time' : (stderr.split('\n')[0] ?? '');
  return { known: false, why: `git cannot read this repository (${said})`, hint: INIT_HINT };
}

export function projectSlug(name: string): string {
  const words = name.normalize('NFKD').replace(/[^A-Za-z0-9]+/g, '-');
  return (
    words
      .replace(/^-+|-+$/g, '')
      .toLowerCase()
      .slice(0, 60) || 'project'
  );
}
