import * as z from 'zod';
import { spentUsd } from '../../../store/shared/budgets.ts';
import { pullChain } from '../../../store/shared/pull-chain.ts';
import { listItems, type QueueItem } from '../../../store/shared/queue-items.ts';
import { requireSharedProject } from '../../../store/shared/shared-projects.ts';
import { oneLine, plural } from '../output/printable.ts';
import { defineCommand } from '../program/cli-command.ts';
import { openClone, withQueue } from './open-queue.ts';

export const list = defineCommand({
  name: 'list',
  summary: 'List this project’s queue',
  schema: z.object({}),
  async run(context) {
    const { url, project, identity } = await openClone(context);
    return withQueue(url, async (database) => {
      const { branch, tip, budget_usd } = await requireSharedProject(database, project, identity);
      // Then `explain` and the like show what the workers did.
      await pullChain(database, await context.ledger(), project);
      const items = await listItems(database, project);
      const open = items.filter(({ ended_at }) => ended_at === null);
      const spent_usd = await spentUsd(database, project);
      return {
        json: { project, branch, tip, budget_usd, spent_usd, items: items.map(itemJson) },
        text: [
          `${plural(open.length, 'feature')} in the queue of ${project}; completed ones are on ${branch}`,
          ...(budget_usd === null
            ? []
            : [`$${spent_usd.toFixed(2)} of $${budget_usd.toFixed(2)} spent or reserved`]),
          ...items.map((one) =>
            oneLine(`  ${one.state.padEnd(9)}  ${one.feature}  ${whyOf(one, items)}`, context.width),
          ),
        ].join('\n'),
      };
    });
  },
});

export function itemJson({ id: _id, project: _project, tries: _tries, ...item }: QueueItem) {
  return item;
}

/** A feature that waits for one which nobody builds would wait forever. */
function whyOf({ state, needs, why }: QueueItem, items: readonly QueueItem[]): string {
  if (state !== 'waiting' || needs.length === 0) return why;
  const missing = needs.flatMap((id) => {
    const item = items.find(({ feature }) => feature === id);
    if (item?.state === 'completed') return [];
    if (item?.ended_at === null) return [id];
    return [`${id} (${item?.state ?? 'not queued'})`];
  });
  return missing.length > 0 ? `needs ${missing.join(', ')}` : why;
}
