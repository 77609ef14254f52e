import * as z from 'zod';
import { DRIVERS } from '../../../config/project/project-config.ts';
import { wholeNumber } from '../input/whole-number.ts';
import { defineCommand } from '../program/cli-command.ts';
import { buildInputSchema } from './build-input.ts';

export const featureBuild = defineCommand({
  name: 'feature-build',
  summary: 'Build a feature turn by turn with a Player and a Coach',
  arguments: [['<id>', 'a feature (FEAT-…) or a task (TASK-…)']],
  options: [
    ['--task <id>', 'only this task of the feature', 'repeatable'],
    ['--max-turns <n>', 'turns that a task may take (5)'],
    ['--resume', 'go on with the last build of this feature'],
    ['--driver <name>', `who plays: ${DRIVERS.join(', ')}`],
    ['--coach-driver <name>', 'who judges, if it is somebody else'],
    ['--scenario <file>', 'what the script driver plays'],
    ['--budget-usd <n>', 'stop when this much is spent'],
    ['--timeout <seconds>', 'how long one run of an agent may take (3600)'],
    ['--prompt-tokens <n>', 'about how long a prompt may be (40000)'],
    ['--base <ref>', 'the commit to build on; the last one of this checkout, unless said'],
    ['--accept-red-baseline', 'go on though the base fails, and judge only what changes'],
    ['--require-plan', 'refuse a task without a plan, instead of having one made'],
    ['--yes', 'confirm commands that were detected, for a project that names none'],
    ['--json-events', 'print every event as a line of JSON while it goes on'],
  ],
  schema: buildInputSchema.extend({
    task: z.array(z.string().min(1)).default([]),
    maxTurns: wholeNumber(200, 5),
    resume: z.boolean().default(false),
    jsonEvents: z.boolean().default(false),
  }),
  async run(context, input) {
    const { runFeatureBuild } = await import('./run-feature-build.ts');
    return runFeatureBuild(context, input);
  },
});
