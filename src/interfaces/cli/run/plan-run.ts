import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readWork } from '../../../config/read-work.ts';
import type { Feature } from '../../../domain/feature.ts';
import { openFeatures } from '../../../enforcement/features/open-features.ts';
import { withDefined } from '../../../enforcement/features/with-defined.ts';
import { requireNoOther, requireWork } from '../../../orchestration/run/require-work.ts';
import { findLeft, nextRunnable } from '../../../orchestration/session/next-runnable.ts';
import { type KeptSession, openSessions } from '../../../orchestration/session-record/kept-session.ts';
import { Repository } from '../../../platform/repository.ts';
import { noCommits } from '../../../verification/definition/find-base.ts';
import type { CliContext, Report } from '../cli-command.ts';
import { plural } from '../printable.ts';
import { requireRoot } from '../task/open-work.ts';
import { MOST_LEFT } from './describe-run.ts';
import { readBrief } from './read-brief.ts';
import type { RunInput } from './run-input.ts';

/** What a run would do, if every feature came out well. */
export async function planRun(context: CliContext, input: RunInput): Promise<Report> {
  const root = requireRoot(context);
  const { features: known, notices } = await openFeatures(context, root);
  const features = await withDefined(context, await readWork(root), [...known.values()]);
  const only = input.features.length > 0 ? input.features : null;
  const order = orderOf(features, only, input.maxFeatures ?? Number.POSITIVE_INFINITY);
  const left = findLeft(features, { completed: order, only });
  const open = await sessionsUnderWay(context);
  requireNoOther(open);
  const under = open[0]?.session.session;
  const hasBrief = (await briefOf(context, root, input.brief)) !== undefined;
  if (under === undefined)
    requireWork(
      features.map(({ id }) => id),
      { only, hasBrief },
    );
  const begins =
    features.length === 0
      ? [`would have an initializer make features of ${input.brief ?? 'README.md'}`]
      : order.map((id, index) => `  ${index + 1}. ${id}`);
  return {
    json: { order, left, run: under ?? null, initializer: features.length === 0 },
    text: [
      under === undefined ? 'would start a run' : `would go on with run ${under}`,
      ...(order.length > 0 ? [`would build ${plural(order.length, 'feature')} in this order:`] : []),
      ...(order.length === 0 && features.length > 0 ? ['would find no feature that can be begun'] : []),
      ...begins,
      ...left.slice(0, MOST_LEFT).map(({ feature, why }) => `  ○ ${feature}: ${why}`),
      ...(left.length > MOST_LEFT ? [`  and ${left.length - MOST_LEFT} more`] : []),
    ].join('\n'),
    notices,
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

/** Looking must not make a ledger. */
async function sessionsUnderWay(context: CliContext): Promise<KeptSession[]> {
  const { home, project } = await context.workspace();
  if (!project.known || !existsSync(join(home, 'ledger.db'))) return [];
  return openSessions(await context.ledger(), project.id);
}

/** As a run would read it; without a commit there would be none. */
async function briefOf(context: CliContext, root: string, named: string | undefined) {
  const repository = await Repository.open(root);
  const head = await repository.commit('HEAD');
  if (head === undefined) throw noCommits();
  return readBrief(context, repository, head, named);
}
