import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Feature } from '../../../domain/entities/feature.ts';
import { openFeatures } from '../../../enforcement/feature-list/open-features.ts';
import { withDefined } from '../../../enforcement/feature-list/with-defined.ts';
import { findResumePoint, findStart } from '../../../orchestration/run/find-start.ts';
import { requireNoOther, requireWork } from '../../../orchestration/run/open-run.ts';
import {
  describeUncommitted,
  featuresOf,
  readDefinitionsAt,
} from '../../../orchestration/run/read-run-features.ts';
import { runDetails } from '../../../orchestration/run/run-details.ts';
import type { RunEvent } from '../../../orchestration/run/run-event.ts';
import { asBase } from '../../../orchestration/run/run-settings.ts';
import { findLeft, NOT_REACHED, nextRunnable } from '../../../orchestration/session/next-runnable.ts';
import { NO_LIMITS, withNamedLimits } from '../../../orchestration/session/session.ts';
import { openSessions } from '../../../orchestration/session-record/kept-session.ts';
import { Repository } from '../../../platform/git/repository.ts';
import { Acceptances } from '../../../verification/definition/acceptances.ts';
import { type Base, noCommits } from '../../../verification/definition/find-base.ts';
import { plural } from '../output/printable.ts';
import type { CliContext, Report } from '../program/cli-command.ts';
import { requireRoot } from '../task/open-work.ts';
import { withProvenance } from '../verification/with-provenance.ts';
import { MOST_LEFT } from './describe-run.ts';
import { readBrief } from './open-run-settings.ts';
import { namedLimits, type RunInput } from './run-input.ts';

/** What a run would do if every feature succeeded. */
export async function planRun(context: CliContext, input: RunInput): Promise<Report> {
  const root = requireRoot(context);
  const repository = await Repository.open(root);
  const head = await repository.commit('HEAD');
  if (head === undefined) throw noCommits();
  const { features: known, notices } = await openFeatures(context, root);
  const { start, own, base, open, acceptances, told } = await findStartingPoint(context, repository, head);
  const { store } = await context.workspace();
  const runContext = { repository, acceptances, store };
  const { work, uncommitted } = await readDefinitionsAt(runContext, asBase({ base }, { own }, start, ''));
  const differ = start === head ? uncommitted : (await readDefinitionsAt(runContext, base)).uncommitted;
  const all = await withDefined(context, work, [...known.values()]);
  const { features, notices: leftOut } = featuresOf(work, all, root);
  const under = open?.session;
  const limits = withNamedLimits(under?.limits ?? NO_LIMITS, namedLimits(input));
  const brief = await readBrief(context, repository, head, input.brief);
  requireWork(
    features.map(({ id }) => id),
    { only: namedLimits(input).only, hasBrief: under !== undefined || brief !== undefined },
  );
  const finished = (under?.completed.length ?? 0) + (under?.blocked.length ?? 0);
  const most = limits.max_features === null ? Number.POSITIVE_INFINITY : limits.max_features - finished;
  const order = orderOf(features, limits.only, most);
  const left = findLeft(features, { completed: order, only: limits.only }).map(({ feature, why }) => ({
    feature,
    why: why === NOT_REACHED ? 'it would not be reached' : why,
  }));
  const isUnread = input.brief !== undefined && (under !== undefined || features.length > 0);
  return {
    json: {
      order,
      left,
      run: under?.session ?? null,
      initializer: features.length === 0,
      base: head,
      start,
      uncommitted: differ,
    },
    text: [
      `would ${under ? `resume run ${under.session}` : 'start a run'} from ${start.slice(0, 12)}, using committed files`,
      ...(order.length > 0 ? [`would build ${plural(order.length, 'feature')} in this order:`] : []),
      ...(order.length === 0 && features.length > 0 ? ['would find no feature to start'] : []),
      ...(features.length === 0
        ? [`would generate features from ${brief?.name ?? 'its original brief'}`]
        : order.map((id, index) => `  ${index + 1}. ${id}`)),
      ...left.slice(0, MOST_LEFT).map(({ feature, why }) => `  ○ ${feature}: ${why}`),
      ...(left.length > MOST_LEFT ? [`  and ${left.length - MOST_LEFT} more`] : []),
    ].join('\n'),
    notices: [
      ...notices,
      ...told,
      ...leftOut,
      ...describeUncommitted(differ),
      ...(isUnread ? [`${brief?.name} would not be read, because there are features already`] : []),
    ],
  };
}

function orderOf(features: readonly Feature[], only: readonly string[] | null, most: number): string[] {
  const order: string[] = [];
  for (;;) {
    const next = order.length < most ? nextRunnable(features, { completed: order, only }) : null;
    if (!next) return order;
    order.push(next.id);
  }
}

/** Where a run would resume or start. A preview must not create a ledger. */
async function findStartingPoint(context: CliContext, repository: Repository, head: string) {
  const { home, project } = await context.workspace();
  const base: Base = { commit: head, why: 'the current commit' };
  if (!project.known || !existsSync(join(home, 'ledger.db')))
    return { start: head, own: {}, base, open: undefined, acceptances: new Acceptances([]), told: [] };
  const ledger = await context.ledger();
  const sessions = openSessions(ledger, project.id);
  requireNoOther(sessions);
  const [open] = sessions;
  const told: string[] = [];
  const emit = (event: RunEvent) => {
    if (event.type === 'notice') told.push(event.text);
  };
  const runContext = { repository, ledger, project: project.id, base: { commit: head }, emit };
  const { start, own } = open
    ? await findResumePoint(runContext, runDetails(open))
    : { start: await findStart(runContext), own: {} };
  return {
    start,
    own,
    base: await withProvenance(context, { repository, base, project: project.id }),
    open,
    acceptances: Acceptances.read(ledger, project.id),
    told,
  };
}
