import * as z from 'zod';
import { workIdSchema } from '../../../domain/entities/work-id.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { openEngineClient } from '../../../orchestration/queue/engine.ts';
import { loadDbos } from '../../../orchestration/queue/load-dbos.ts';
import { findItem, findItemOf, moveItem } from '../../../store/shared/queue-items.ts';
import { requireSharedProject } from '../../../store/shared/shared-projects.ts';
import { defineCommand } from '../program/cli-command.ts';
import { openClone, withQueue } from './open-queue.ts';

export const cancel = defineCommand({
  name: 'cancel',
  summary: 'Cancel queued features and stop their builds',
  arguments: [['<features...>', 'Ids of the features']],
  changes: true,
  schema: z.object({
    features: z.array(workIdSchema).min(1).max(10_000),
    dryRun: z.boolean().default(false),
  }),
  async run(context, { features, dryRun }) {
    const { url, project, identity } = await openClone(context);
    return withQueue(url, async (database) => {
      await requireSharedProject(database, project, identity);
      const items: number[] = [];
      for (const feature of features) {
        const item = await findItemOf(database, project, feature);
        if (!item || item.ended_at !== null) throw notQueued(feature);
        items.push(item.id);
      }
      if (dryRun) return { json: { cancelled: [] }, text: `Would cancel ${features.join(', ')}.` };
      const client = await openEngineClient(await loadDbos(), url);
      try {
        for (const id of items) {
          // First: a worker that takes the build from now on looks at this.
          await moveItem(database, id, { to: 'cancelled', why: 'Cancelled with `guardkit queue cancel`.' });
          // Read afterwards: a worker may have taken the build just before.
          const workflow = (await findItem(database, id))?.workflow;
          if (typeof workflow === 'string') await client.cancelWorkflow(workflow);
        }
      } finally {
        await client.destroy();
      }
      return { json: { cancelled: features }, text: `Cancelled ${features.join(', ')}.` };
    });
  },
});

function notQueued(feature: string): GuardKitError {
  return new GuardKitError({
    code: 'queue.not-queued',
    kind: 'input',
    message: `${feature} is not in the queue.`,
    hint: '`guardkit queue list` lists the features in the queue.',
  });
}
