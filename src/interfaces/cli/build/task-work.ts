import { DRIVERS } from '../../../config/project/project-config.ts';
import { defineCommand } from '../program/cli-command.ts';
import { buildInputSchema } from './build-input.ts';

export const taskWork = defineCommand({
  name: 'task-work',
  summary: 'let a Player work on a task once, verify it, and have a Coach review it; no loop and no turn',
  arguments: [['<id>', 'a task (TASK-…)']],
  options: [
    ['--driver <name>', `who plays: ${DRIVERS.join(', ')}`],
    ['--coach-driver <name>', 'who reviews, if it is somebody else'],
    ['--scenario <file>', 'what the script driver plays: its first turn'],
    ['--budget-usd <n>', 'what it may cost at most'],
    ['--timeout <seconds>', 'how long one run of an agent may take (3600)'],
    ['--prompt-tokens <n>', 'about how long a prompt may be (40000)'],
    ['--base <ref>', 'the commit to work on; the last one of this checkout, unless said'],
    ['--accept-red-baseline', 'go on though the base fails, and judge only what changes'],
    ['--require-plan', 'refuse a task without a plan, instead of having one made'],
    ['--yes', 'confirm commands that were detected, for a project that names none'],
  ],
  schema: buildInputSchema,
  async run(context, input) {
    const { runTaskWork } = await import('./run-task-work.ts');
    return runTaskWork(context, input);
  },
});
