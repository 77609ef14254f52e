import { randomBytes } from 'node:crypto';
import { GuardKitError } from '../../guardkit-error.ts';
import { isAncestor, mergeTrees } from '../build/merge-trees.ts';
import { type Applied, applyEvent, startSession } from '../session-record/apply-event.ts';
import { endedSessions, type KeptSession, openSessions } from '../session-record/kept-session.ts';
import { clearWorktrees } from './clear-worktrees.ts';
import { readRunFeatures, workAt } from './read-run-features.ts';
import { requireNoOther, requireWork } from './require-work.ts';
import { mergeCommit } from './run-branch.ts';
import type { RunSettings } from './run-context.ts';
import { initializerId, type RunDetails, runBranchOf, runDetails } from './run-details.ts';

const EARLIER_RUNS = 50;

/** Goes on with the run that is under way, or starts one. */
export async function openRun(run: RunSettings): Promise<{ applied: Applied; resumed: boolean }> {
  const { ledger, project, place, clock } = run;
  const at = new Date(clock()).toISOString();
  const open = openSessions(ledger, project);
  requireNoOther(open);
  const own = open[0];
  if (own) {
    await requireHere(run, own);
    const limits = run.limitsNamed ? { limits: run.limits } : {};
    const applied = applyEvent(place, own.session.session, { type: 'resumed', at, ...limits });
    return { applied, resumed: true };
  }
  await requireOwnBranch(run);
  await clearAbandoned(run);
  const start = await findStart(run);
  await requireFeatures(run, start);
  const id = newId(clock());
  const details: RunDetails = {
    branch: runBranchOf(id),
    base: run.base.commit,
    start,
    tip: start,
    completed: {},
    spent_usd: 0,
    counted: {},
    own: {},
    brief: run.brief ?? null,
  };
  const applied = startSession(place, {
    id,
    at,
    driven_by: 'run',
    limits: run.limits,
    agent_session: null,
    details,
  });
  return { applied, resumed: false };
}

/** Of one that a person ended while nobody drove it. */
async function clearAbandoned(run: RunSettings): Promise<void> {
  const ended = endedSessions(run.ledger, run.project, EARLIER_RUNS);
  await clearWorktrees(
    run,
    ended.map(({ session }) => initializerId(session.session)),
  );
}

/** Another clone of the project has none of its commits. */
async function requireHere({ repository }: RunSettings, kept: KeptSession): Promise<void> {
  if ((await repository.commit(runDetails(kept).tip)) !== undefined) return;
  throw new GuardKitError({
    code: 'run.elsewhere',
    kind: 'refused',
    message: `Run ${kept.session.session} of this project was begun in ${kept.checkout}, and its commits are not in this repository.`,
    hint: 'Go on with it there, or give it up with `guardkit session abandon`; then run this again.',
  });
}

async function requireFeatures(run: RunSettings, start: string): Promise<void> {
  const { features } = readRunFeatures(run, await workAt(run, start));
  const ids = features.map(({ id }) => id);
  requireWork(ids, { only: run.limits.only, hasBrief: run.brief !== undefined });
}

/** The person's last commit, with the branches of earlier runs on it that they have not merged: features may need those. */
async function findStart({ repository, ledger, project, base, emit }: RunSettings): Promise<string> {
  let start = base.commit;
  for (const kept of endedSessions(ledger, project, EARLIER_RUNS)) {
    if (kept.session.driven_by !== 'run') continue;
    const { branch, tip, completed } = runDetails(kept);
    const stands = (await repository.commit(`refs/heads/${branch}`)) !== undefined;
    if (!stands || Object.keys(completed).length === 0 || (await isAncestor(repository, tip, start)))
      continue;
    if (await isAncestor(repository, start, tip)) start = tip;
    else {
      const { tree, conflicts } = await mergeTrees(repository, start, tip);
      if (conflicts.length > 0) throw unmerged(branch, conflicts);
      start = await mergeCommit(repository, tree, [start, tip], `Start with ${branch}`);
    }
    emit({ type: 'notice', text: `${branch} is not merged yet; this run stands on it` });
  }
  return start;
}

/** Whose checkout is on a branch of GuardKit's own would see it move under their files. */
async function requireOwnBranch({ repository }: RunSettings): Promise<void> {
  const { stdout } = await repository.attempt(['symbolic-ref', '--quiet', 'HEAD']);
  const branch = stdout.trim().replace(/^refs\/heads\//, '');
  if (!branch.startsWith('guardkit/')) return;
  throw new GuardKitError({
    code: 'run.own-branch',
    kind: 'refused',
    message: `This checkout is on ${branch}, which is GuardKit's own.`,
    hint: 'Go to a branch of yours with `git switch`, and run this there.',
  });
}

/** The day, so that people find it again, and something by chance. */
function newId(now: number): string {
  const day = new Date(now).toISOString().slice(0, 10).replaceAll('-', '');
  return `${day}-${randomBytes(3).toString('hex')}`;
}

function unmerged(branch: string, conflicts: readonly string[]): GuardKitError {
  const shown = conflicts.slice(0, 10).map((path) => `  ${path}`);
  return new GuardKitError({
    code: 'run.unmerged',
    kind: 'refused',
    message: `${branch} of an earlier run is not merged, and disagrees with this branch:\n${shown.join('\n')}`,
    hint: `Merge it with \`git merge ${branch}\` and settle these, or delete that branch if you do not want it; then run this again.`,
  });
}
