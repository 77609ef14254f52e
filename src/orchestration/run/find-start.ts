import { GuardKitError } from '../../guardkit-error.ts';
import type { Repository } from '../../platform/git/repository.ts';
import { mergeTrees } from '../feature-build/merge-trees.ts';
import { endedSessions } from '../session-record/kept-session.ts';
import { mergeCommit } from './run-branch.ts';
import { type RunDetails, runDetails } from './run-details.ts';
import type { RunSettings } from './run-settings.ts';

type StartContext = Pick<RunSettings, 'repository' | 'ledger' | 'project' | 'emit'> & {
  base: Pick<RunSettings['base'], 'commit'>;
};

const EARLIER_RUNS = 50;

/** The person's last commit, merged with the unmerged branches of earlier runs: features may need those. */
export async function findStart({ repository, ledger, project, base, emit }: StartContext): Promise<string> {
  let start = base.commit;
  for (const kept of endedSessions(ledger, project, EARLIER_RUNS)) {
    if (kept.session.driven_by !== 'run') continue;
    const { branch, tip, completed } = runDetails(kept);
    const stands = (await repository.commit(`refs/heads/${branch}`)) !== undefined;
    if (!stands || Object.keys(completed).length === 0 || (await repository.isAncestor(tip, start))) continue;
    const joined = await joinCommits(repository, start, tip, `Start with ${branch}`);
    if (!joined.ok) throw unmerged(branch, joined.conflicts);
    start = joined.commit;
    emit({ type: 'notice', text: `${branch} is not merged yet; this run builds on it` });
  }
  return start;
}

/**
 * The state from which a run resumes, merged with the person's commits since then, which often fix what stopped it. If the
 * checkout is on another line of history and the run has results, the run keeps its base.
 */
export async function findResumePoint(context: StartContext, details: RunDetails): Promise<RunDetails> {
  const { repository, base, emit } = context;
  if (base.commit === details.base) return details;
  const isFresh = Object.keys(details.completed).length === 0 && Object.keys(details.own).length === 0;
  const told = `the run started on ${details.base.slice(0, 12)}, and ${base.commit.slice(0, 12)} is now checked out`;
  if (!isFresh && !(await repository.isAncestor(details.base, base.commit))) {
    emit({ type: 'notice', text: `${told}; it continues on its own base` });
    return details;
  }
  emit({ type: 'notice', text: `${told}; it continues with that commit` });
  const fresh = await findStart(context);
  if (isFresh) return { ...details, base: base.commit, start: fresh, tip: fresh };
  const message = `Continue with ${base.commit.slice(0, 12)}`;
  const start = await joinCommits(repository, fresh, details.start, message);
  if (!start.ok) throw disagreeing(details, start.conflicts);
  const tip = await joinCommits(repository, start.commit, details.tip, message);
  if (!tip.ok) throw disagreeing(details, tip.conflicts);
  return { ...details, base: base.commit, start: start.commit, tip: tip.commit };
}

type Joined = { ok: true; commit: string } | { ok: false; conflicts: string[] };

export async function joinCommits(
  repository: Repository,
  one: string,
  other: string,
  message: string,
): Promise<Joined> {
  if (await repository.isAncestor(other, one)) return { ok: true, commit: one };
  if (await repository.isAncestor(one, other)) return { ok: true, commit: other };
  const { tree, conflicts } = await mergeTrees(repository, one, other);
  if (conflicts.length > 0) return { ok: false, conflicts };
  return { ok: true, commit: await mergeCommit(repository, tree, [one, other], message) };
}

function disagreeing({ branch }: RunDetails, conflicts: readonly string[]): GuardKitError {
  return new GuardKitError({
    code: 'run.disagrees',
    kind: 'refused',
    message: `Commits since the start of this run conflict with ${branch}:\n${listed(conflicts)}`,
    hint: `End the run with \`guardkit session abandon\`, run \`git merge ${branch}\` and resolve the conflicts; then run this again.`,
  });
}

function unmerged(branch: string, conflicts: readonly string[]): GuardKitError {
  return new GuardKitError({
    code: 'run.unmerged',
    kind: 'refused',
    message: `${branch} of an earlier run is not merged, and conflicts with this branch:\n${listed(conflicts)}`,
    hint: `Run \`git merge ${branch}\` and resolve the conflicts, or delete that branch; then run this again.`,
  });
}

function listed(conflicts: readonly string[]): string {
  return conflicts
    .slice(0, 10)
    .map((path) => `  ${path}`)
    .join('\n');
}
