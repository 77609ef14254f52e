import { resolve } from 'node:path';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { runOneWorker } from './one-worker.ts';
import { superviseWorkers } from './supervise-workers.ts';
import { AGENT_OPTIONS, type WorkerInput, workerInputSchema } from './worker-input.ts';

export const worker = defineCommand({
  name: 'worker',
  summary: 'Build queued features on this machine',
  options: [
    ['--concurrency <n>', 'Features at a time, per project (default: 2)'],
    ['--project <folder>', 'Clone of a project to work on (default: this one)', 'repeatable'],
    ['--until-empty', 'Exit when nothing is left to build'],
    ...AGENT_OPTIONS,
    ['--json-events', 'Print events as JSON lines while running'],
  ],
  schema: workerInputSchema,
  run: runWorker,
});

/** One process for each build at a time: a build that takes its process down takes no other with it. */
async function runWorker(context: CliContext, input: WorkerInput): Promise<Report> {
  const folders = input.project.length > 0 ? input.project : ['.'];
  const clones = folders.map((folder) => resolve(context.cwd, folder));
  const [only] = clones;
  if (input.concurrency === 1 && clones.length === 1 && only !== undefined)
    return runOneWorker(context, only, input);
  return superviseWorkers(context, clones, input);
}
