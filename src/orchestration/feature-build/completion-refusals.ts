import { GuardKitError } from '../../guardkit-error.ts';

const MOST_SHOWN = 20;

export function nothingBuilt(featureId: string): GuardKitError {
  return refused('complete.nothing', `${featureId} has no build here that could be merged.`, [
    `Build it with \`guardkit feature-build ${featureId}\`.`,
  ]);
}

export function completedBefore(featureId: string): GuardKitError {
  return refused('complete.done', `${featureId} was merged before, and its branch is gone.`, [
    'There is nothing left to do.',
  ]);
}

export function branchGone(branch: string): GuardKitError {
  return refused('complete.no-branch', `The branch ${branch} is gone.`, [
    'The turns are kept under refs/guardkit; make the branch again from the last one with `git branch`.',
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
      `See why with \`guardkit explain ${featureId}\`; go on with \`guardkit feature-build ${featureId} --resume\`.`,
    ],
  );
}

export function workMissing(featureId: string, taskId: string): GuardKitError {
  return refused(
    'complete.stale',
    `What was approved of ${taskId} is not on the branch guardkit/${featureId}.`,
    [
      `Its turns are under refs/guardkit/${featureId}/${taskId}: put the branch back onto the approved one, or`,
      `let the task start afresh with \`guardkit task reset ${taskId} --reason "…"\`.`,
    ],
  );
}

export function stale(featureId: string, tip: string, worktree: string): GuardKitError {
  return refused(
    'complete.stale',
    `The branch guardkit/${featureId} is at ${tip.slice(0, 12)}, which is not what was approved.`,
    [
      `Verify it as it is: run \`guardkit verify ${featureId}\` in ${worktree}, with nothing uncommitted there.`,
    ],
  );
}

export function changesRules(featureId: string, paths: readonly string[]): GuardKitError {
  return refused(
    'complete.stale',
    `The branch guardkit/${featureId} has changes since its approval that no gate looks at:\n${shown(paths)}`,
    ['Look at them, and make them on your own branch if you want them.'],
  );
}

export function conflicts(branch: string, into: string, paths: readonly string[]): GuardKitError {
  return refused(
    'complete.conflicts',
    `${branch} and ${into} disagree, so nothing was merged:\n${shown(paths)}`,
    [
      `Merge yourself with \`git merge --no-ff ${branch}\`, settle these and test; then run this again, to put it on`,
      'record.',
    ],
  );
}

export function inTheWay(paths: readonly string[]): GuardKitError {
  return refused(
    'complete.dirty',
    `Files of yours that are in no commit would be written over:\n${shown(paths)}`,
    ['Commit, stash or move them, then run this again.'],
  );
}

export function needsPrograms(featureId: string, branch: string, paths: readonly string[]): GuardKitError {
  return refused(
    'complete.needs-programs',
    `Git handles these files by a program that the repository names, and GuardKit runs none of those:\n${shown(paths)}`,
    [
      `Merge yourself with \`git merge --no-ff ${branch}\`, then run \`guardkit feature complete ${featureId}\` again, to`,
      'put it on record.',
    ],
  );
}

export function moved(into: string, said: string): GuardKitError {
  return refused(
    'complete.moved',
    `${into} could not be moved on to the merge: ${said.trim().slice(0, 1000)}`,
    ['Nothing was merged. Look at `git status`, then run this again.'],
  );
}

export function nobody(said: string): GuardKitError {
  return refused(
    'complete.no-identity',
    `Git does not know whose merge this is: ${said.trim().slice(0, 500)}`,
    ['Set your name with `git config --global user.name` and user.email.'],
  );
}

function shown(paths: readonly string[]): string {
  const more = paths.length > MOST_SHOWN ? [`  and ${paths.length - MOST_SHOWN} more`] : [];
  return [...paths.slice(0, MOST_SHOWN).map((path) => `  ${path}`), ...more].join('\n');
}

function refused(code: string, message: string, hint: readonly string[]): GuardKitError {
  return new GuardKitError({ code, kind: 'refused', message, hint: hint.join(' ') });
}
