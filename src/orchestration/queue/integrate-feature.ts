import { GuardKitError } from '../../guardkit-error.ts';
import { inTransaction } from '../../store/ledger/in-transaction.ts';
import { buildAttempt } from '../run/build-attempt.ts';
import { Interruption } from '../run/interruption.ts';
import { followTip } from '../run/run-branch.ts';
import { runDetails, type WorkResult } from '../run/run-details.ts';
import { applyHappening } from '../run/run-session.ts';
import type { RunSettings } from '../run/run-settings.ts';
import { type VerifiedFeature, verifyFeature } from '../run/verify-in-run.ts';
import type { Failure } from '../session/session.ts';
import type { Applied } from '../session-record/apply-event.ts';
import { changeDetails, type KeptSession } from '../session-record/kept-session.ts';
import type { QueuedBuild } from './queued-build.ts';

interface Asked {
  feature: string;
  attempt: number;
}

/** More builds of one attempt than this do not help: the feature and the others want the same lines. */
const MAX_INTEGRATIONS = 5;

type Integrated = { type: 'applied'; applied: Applied } | { type: 'apart' };

/**
 * Completes a feature on the tip of the project's branch: merged, verified there as a whole, and only then completed. If it
 * does not work with what others completed meanwhile, it gets another turn on the new tip.
 */
export async function integrateFeature(
  run: RunSettings,
  queued: QueuedBuild,
  kept: KeptSession,
  asked: Asked,
): Promise<Applied> {
  const { session } = kept.session;
  const interruption = new Interruption(run, kept.session, null);
  const { signal } = interruption;
  const spent: NonNullable<WorkResult['cost']>[] = [];
  const paused = () =>
    applyHappening(run, session, { type: 'paused' }, { event: undefined, cost: spent.at(-1) });
  try {
    for (let tries = 1; ; tries++) {
      const integrated = await queued.alone(signal, () =>
        integrateOnce(run, queued, kept, {
          ...asked,
          signal,
          mayRetry: tries < MAX_INTEGRATIONS,
          cost: spent.at(-1),
        }),
      );
      if (!integrated) return paused();
      if (integrated.type === 'applied') return integrated.applied;
      const built = await buildAgain(run, queued, kept, { ...asked, signal });
      spent.push({ usd: built.event.cost_usd, build: { id: built.build, total: built.costUsd } });
      if (signal.aborted) return paused();
      if (built.event.outcome !== 'approved') {
        const gates = [{ gate: 'integration', result: 'fail' as const, reason: built.event.why }];
        const verified = {
          type: 'verified' as const,
          ...asked,
          outcome: 'fail' as const,
          evidence: [],
          gates,
        };
        return applyHappening(run, session, { ...verified }, { event: undefined, cost: spent.at(-1) });
      }
    }
  } finally {
    interruption.forget();
  }
}

async function integrateOnce(
  run: RunSettings,
  queued: QueuedBuild,
  kept: KeptSession,
  asked: Asked & { signal: AbortSignal; mayRetry: boolean; cost: WorkResult['cost'] },
): Promise<Integrated | undefined> {
  const { feature, attempt, signal, mayRetry, cost } = asked;
  const { ledger, project } = run;
  const { session } = kept.session;
  await queued.pull();
  const { tip, branch } = await queued.shared();
  await queued.remote.fetchFeature(feature, branch);
  const details = { ...runDetails(kept), tip };
  changeDetails(run.sessionFiles.list, session, () => details);
  const verified = await verifyFeature(run, { feature, attempt, details, signal });
  if (!verified) return undefined;
  const { event, commit } = verified;
  if (event.outcome === 'pass') {
    // On a ref of its own before it counts, such as `refs/guardkit/run-…/FEATURE/COMMIT`.
    await queued.remote.push([{ commit, ref: `refs/${branch}/${feature}/${commit}` }]);
    const applied = inTransaction(ledger, () => {
      const done = applyHappening(run, session, event, { event, stacked: { feature, commit }, cost });
      if (done.kept.session.completed.includes(feature))
        ledger.append(project, 'feature_stacked', { feature_id: feature, branch, before: tip, commit });
      return done;
    });
    await followOnRemote(run, queued, branch, commit);
    return { type: 'applied', applied };
  }
  const { featureTip } = verified;
  // Built on this very tip: then the feature itself is at fault.
  if (!mayRetry || (await run.repository.isAncestor(tip, featureTip)))
    return { type: 'applied', applied: applyHappening(run, session, event, { event, cost }) };
  ledger.append(project, 'integration_failed', {
    feature_id: feature,
    commit: featureTip,
    tip,
    conflicts: verified.conflicts.slice(0, 100),
    why: describeGates(event),
  });
  run.emit({
    type: 'notice',
    text: `${feature} conflicts with ${tip.slice(0, 12)} or fails on top of it; building it again there`,
  });
  return { type: 'apart' };
}

function describeGates({ gates }: VerifiedFeature['event']): string {
  return gates.map(({ gate, result, reason }) => `${gate} ${result}: ${reason}`).join('\n');
}

async function buildAgain(
  run: RunSettings,
  queued: QueuedBuild,
  kept: KeptSession,
  { feature, attempt, signal }: Asked & { signal: AbortSignal },
) {
  const { tip } = await queued.shared();
  const details = { ...runDetails(kept), tip };
  const { limits, spent_usd } = kept.session;
  const leftUsd = limits.budget_usd === null ? undefined : Math.max(0, limits.budget_usd - spent_usd);
  const failures: readonly Failure[] = kept.session.failures;
  return buildAttempt(run, { feature, attempt, failures, details, leftUsd, signal });
}

/** The ledger has the new tip; the branch here and on the remote follows. */
export async function followOnRemote(
  run: RunSettings,
  queued: QueuedBuild,
  branch: string,
  tip: string,
): Promise<void> {
  const { repository, clock, emit } = run;
  try {
    await followTip(repository, branch, tip, clock());
    await queued.remote.advance(branch, tip);
  } catch (error) {
    if (!(error instanceof GuardKitError)) throw error;
    // Safe: the commit is on a ref of its own, and the branch may be past it already, or a later feature moves it.
    emit({ type: 'notice', text: `${branch} could not be updated yet: ${error.message}` });
  }
}
