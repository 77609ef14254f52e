import { GuardKitError } from '../../guardkit-error.ts';

const MOST_SHOWN = 20;

export function nothingBuilt(featureId: string): GuardKitError {
  return refused('complete.nothing', `${featureId} has no build to merge and is not tested.`, [
    `Build it with \`guardkit feature-build ${featureId}\`, or verify your own work with \`guardkit verify ${featureId}\`.`,
  ]);
}

export function notCommitted(featureId: string, paths: readonly string[]): GuardKitError {
  return refused(
    'complete.not-committed',
    `These verified files of ${featureId} are not committed as they are:\n${shown(paths)}`,
    [
      'Commit them, then run this command again.',
      `If they are not part of the work, move or ignore them, and run \`guardkit verify ${featureId}\` first.`,
    ],
  );
}

export function completedBefore(featureId: string): GuardKitError {
  return refused('complete.done', `${featureId} is already completed.`, ['There is nothing left to do.']);
}

export function branchGone(branch: string): GuardKitError {
  return refused('complete.no-branch', `The branch ${branch} is gone.`, [
    'The turns are kept under refs/guardkit; recreate the branch from the last one with `git branch`.',
  ]);
}

export function notApproved(
  featureId: string,
  open: readonly { id: string; outcome: string }[],
): GuardKitError {
  return refused(
    'complete.not-approved',
    `Not every task of ${featureId} is approved:\n${open.map(({ id, outcome }) => `  ${id}: ${outcome}`).join('\n')}`,
    [
      `See why with \`guardkit explain ${featureId}\`; continue with \`guardkit feature-build ${featureId} --resume\`.`,
    ],
  );
}

export function workMissing(featureId: string, taskId: string): GuardKitError {
  return refused(
    'complete.stale',
    `The approved work of ${taskId} is not on the branch guardkit/${featureId}.`,
    [
      `Its turns are under refs/guardkit/${featureId}/${taskId}: reset the branch to the approved one, or`,
      `restart the task with \`guardkit task reset ${taskId} --reason "…"\`.`,
    ],
  );
}

export function stale(featureId: string, tip: string, worktree: string): GuardKitError {
  return refused(
    'complete.stale',
    `The branch guardkit/${featureId} is at ${tip.slice(0, 12)}, which was not approved.`,
    [`Verify it: run \`guardkit verify ${featureId}\` in ${worktree}, with nothing uncommitted there.`],
  );
}

export function changesRules(featureId: string, paths: readonly string[]): GuardKitError {
  return refused(
    'complete.stale',
    `The branch guardkit/${featureId} has changes since its approval that no gate checks:\n${shown(paths)}`,
    ['Review them; if you want them, make them on your own branch.'],
  );
}

export function conflicts(branch: string, into: string, paths: readonly string[]): GuardKitError {
  return refused(
    'complete.conflicts',
    `Nothing was merged: ${branch} conflicts with ${into}:\n${shown(paths)}`,
    [
      `Run \`git merge --no-ff ${branch}\`, resolve the conflicts and test; then run this again to record the merge.`,
    ],
  );
}

export function inTheWay(paths: readonly string[]): GuardKitError {
  return refused('complete.dirty', `The merge would overwrite uncommitted files:\n${shown(paths)}`, [
    'Commit, stash or move them, then run this again.',
  ]);
}

export function needsPrograms(featureId: string, branch: string, paths: readonly string[]): GuardKitError {
  return refused(
    'complete.needs-programs',
    `These files need a filter or merge program that the repository configures, and GuardKit runs none of those:\n${shown(paths)}`,
    [
      `Run \`git merge --no-ff ${branch}\`, then \`guardkit feature complete ${featureId}\` again to record the merge.`,
    ],
  );
}

export function moved(into: string, said: string): GuardKitError {
  return refused(
    'complete.moved',
    `Cannot fast-forward ${into} to the merge: ${said.trim().slice(0, 1000)}`,
    ['Nothing was merged. Check `git status`, then run this again.'],
  );
}

export function nobody(said: string): GuardKitError {
  return refused('complete.no-identity', `Git has no committer identity: ${said.trim().slice(0, 500)}`, [
    'Set `git config --global user.name` and user.email.',
  ]);
}

function shown(paths: readonly string[]): string {
  const more = paths.length > MOST_SHOWN ? [`  and ${paths.length - MOST_SHOWN} more`] : [];
  return [...paths.slice(0, MOST_SHOWN).map((path) => `  ${path}`), ...more].join('\n');
}

function refused(code: string, message: string, hint: readonly string[]): GuardKitError {
  return new GuardKitError({ code, kind: 'refused', message, hint: hint.join(' ') });
}
