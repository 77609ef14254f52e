import * as z from 'zod';
import { listWorkers, type WorkerRow } from '../../../store/shared/workers.ts';
import { plural } from '../output/printable.ts';
import { defineCommand } from '../program/cli-command.ts';
import { withQueue } from './open-queue.ts';

export const workers = defineCommand({
  name: 'workers',
  summary: 'List the workers on all machines',
  schema: z.object({}),
  async run(context) {
    const { store } = await context.workspace();
    return withQueue(store.url, async (database) => {
      const found = await listWorkers(database);
      const alive = found.filter(({ ended_at }) => ended_at === null);
      return {
        json: { workers: found.map((one) => ({ ...one, alive: one.ended_at === null })) },
        text: [plural(alive.length, 'worker'), ...found.map((one) => `  ${describe(one)}`)].join('\n'),
      };
    });
  },
});

function describe({ id, host, pid, version, ended_at, why, building, projects }: WorkerRow): string {
  const doing = building.length > 0 ? `builds ${building.join(', ')}` : 'is free';
  const state = ended_at === null ? doing : `ended: ${why ?? ''}`;
  return `${id}  ${host} (process ${pid}, guardkit ${version})  ${projects.join(', ')}  ${state}`;
}
