import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { recordVerification } from '../../enforcement/feature-list/record-verification.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import type { SharedRuns } from '../../verification/collect-facts.ts';
import { verify, worktreesRoot } from '../../verification/verify.ts';
import { BuildRecord } from '../feature-build/build-record.ts';
import { branchOf } from '../feature-build/feature-worktree.ts';
import type { EventOf, LastResult } from '../session/session-event.ts';
import { summarizeVerification, toLastResult } from '../session-record/verification-for-session.ts';
import { stackOn } from './run-branch.ts';
import type { RunDetails } from './run-details.ts';
import { asBase, openAt, type RunSettings } from './run-settings.ts';

export interface VerifiedFeature {
  event: Omit<EventOf<'verified'>, 'at'>;
  /** The branch's commit with the feature, if it passed. */
  commit: string;
  /** The feature's own commit. */
  featureTip: string;
  /** Files in which it conflicts with the run's branch. */
  conflicts: readonly string[];
}

interface Judged {
  feature: string;
  details: RunDetails;
  base: string;
  candidate: string;
  signal: AbortSignal;
  /** Set for the final verification of all features. */
  shared?: SharedRuns;
}

/** Verifies a feature stacked on the run's branch. Undefined if a signal ended it. */
export async function verifyFeature(
  run: RunSettings,
  {
    feature,
    attempt,
    details,
    signal,
  }: { feature: string; attempt: number; details: RunDetails; signal: AbortSignal },
): Promise<VerifiedFeature | undefined> {
  const { repository, ledger, project } = run;
  const branch = branchOf(feature);
  const featureTip =
    (await repository.commit(`refs/heads/${branch}`)) ??
    approvedCommit(new BuildRecord(ledger, project, feature));
  if (featureTip === undefined) throw branchGone(branch);
  const name = details.branch.replace(/^guardkit\//, '');
  const stacked = await stackOn(repository, { tip: details.tip, feature, featureTip, run: name });
  const verified = { type: 'verified' as const, feature, attempt };
  if (!stacked.ok) {
    const reason = `it conflicts with the run’s branch in ${stacked.conflicts.slice(0, 10).join(', ')}`;
    const gates = [{ gate: 'merge', result: 'fail' as const, reason }];
    const merge = { required: true, warnings: [], manual: false, evidence: [] };
    const told = gates.map((gate) => ({ ...gate, ...merge }));
    run.emit({ type: 'run_verified', feature, outcome: 'fail', gates: told, last: false });
    const { conflicts } = stacked;
    const event = { ...verified, outcome: 'fail' as const, evidence: [], gates };
    return { event, commit: details.tip, featureTip, conflicts };
  }
  const candidate = stacked.commit;
  const judged = await judge(run, { feature, details, base: details.tip, candidate, signal });
  if (signal.aborted) return undefined;
  return { event: { ...verified, ...judged }, commit: candidate, featureTip, conflicts: [] };
}

/** The last approved commit; its turn's ref keeps it even if the branch is gone. */
function approvedCommit(record: BuildRecord): string | undefined {
  const approved = record.taskIds
    .flatMap((task) => record.turns(task))
    .filter(({ coach_decision }) => coach_decision === 'approved')
    .sort((a, b) => (a.started_at ?? '').localeCompare(b.started_at ?? ''))
    .at(-1);
  return approved && record.commitOf(approved.task_id, approved.turn_number);
}

/** Verifies all completed features together on the run's branch. */
export async function verifyAll(
  run: RunSettings,
  { features, details, signal }: { features: readonly string[]; details: RunDetails; signal: AbortSignal },
): Promise<LastResult[] | undefined> {
  const results: LastResult[] = [];
  const { start: base, tip: candidate } = details;
  const shared: SharedRuns = new Map();
  for (const feature of features) {
    const judged = await judge(run, { feature, details, base, candidate, signal, shared });
    if (signal.aborted) return undefined;
    results.push(toLastResult(feature, judged));
  }
  return results;
}

async function judge(run: RunSettings, judged: Judged) {
  const { feature, details, base: commit, candidate, signal, shared } = judged;
  const last = shared !== undefined;
  const { sessionFiles, emit } = run;
  const base = asBase(run, details, commit, last ? 'where the run began' : 'where the run stands');
  const opened = await openAt(run, base, feature);
  const { definition } = opened;
  const testedIn = join(realpathSync(worktreesRoot({ ...run, definition })), feature);
  const { verification } = await verify({
    ...run,
    ...opened,
    freshBase: false,
    redBaseAccepted: run.acceptRedBaseline,
    candidate,
    ...(shared ? { shared } : {}),
    signal,
    emit: (event) => emit({ type: 'run_verifying', feature, event }),
    record(found) {
      // An interrupted verification says nothing about the work.
      if (!signal.aborted)
        recordVerification(sessionFiles.list, sessionFiles.changedBy, definition, found, testedIn);
    },
  });
  const { outcome, gates } = verification;
  if (!signal.aborted) emit({ type: 'run_verified', feature, outcome, gates, last });
  return summarizeVerification(verification);
}

function branchGone(branch: string): GuardKitError {
  return new GuardKitError({
    code: 'run.no-branch',
    kind: 'outside',
    message: `Cannot verify: the branch ${branch} is gone.`,
    hint: 'The turns are kept under refs/guardkit; recreate the branch from the last one with `git branch`.',
  });
}
