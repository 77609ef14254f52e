import { isProjectId } from '../../domain/entities/group.ts';
import { git } from '../../platform/git/git.ts';
import type { GitFolder } from '../../platform/git/git-folder.ts';
import type { ProcessResult } from '../../platform/processes/run-process.ts';

export type ProjectId = { known: true; id: string } | { known: false; why: string; hint: string };

const INIT_HINT = 'Run `guardkit init`, which sets `project` in .guardkit/config.yaml, and commit that file.';
const SHALLOW_HINT = 'Run `git fetch --unshallow`, or set `project: NAME` in .guardkit/config.yaml.';

/**
 * The default project id: the folder name of the main worktree and the root commit. Every worktree has the same id, and so
 * has a clone in a folder of the same name.
 */
export async function deriveProjectId(folder: GitFolder): Promise<ProjectId> {
  if (folder.shallow) {
    return {
      known: false,
      why: 'this is a shallow clone without the root commit',
      hint: SHALLOW_HINT,
    };
  }
  // First parents only: a history merged in later has its own root, which must not change the id.
  const result = await git(folder.root, ['rev-list', '--first-parent', '--max-parents=0', 'HEAD']);
  if (result.exitCode !== 0) return whyUnknown(result, folder.root);
  const rootCommit = result.stdout.trim();
  if (rootCommit === '') return whyUnknown(result, folder.root);
  const id = `${projectSlug(folder.name)}-${rootCommit.slice(0, 4)}`;
  return isProjectId(id)
    ? { known: true, id }
    : { known: false, why: 'its folder name cannot be used', hint: INIT_HINT };
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
  const said = timedOut ? 'timeout' : (stderr.split('\n')[0] ?? '');
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
