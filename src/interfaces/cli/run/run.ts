import { DRIVERS } from '../../../config/project/project-config.ts';
import { defineCommand } from '../program/cli-command.ts';
import { runInputSchema } from './run-input.ts';

export const run = defineCommand({
  name: 'run',
  summary: 'Build and verify all features unattended',
  options: [
    ['--driver <name>', `who plays: ${DRIVERS.join(', ')}`],
    ['--coach-driver <name>', 'who judges, if it is somebody else'],
    ['--scenario <file>', 'what the script driver plays'],
    ['--brief <file>', 'what features are made of where there are none (README.md)'],
    ['--features <ids>', 'only these, with commas between them', 'repeatable'],
    ['--max-features <n>', 'begin nothing further after so many'],
    ['--max-turns <n>', 'turns that a task may take (5)'],
    ['--budget-usd <n>', 'stop when this much is spent'],
    ['--until <time>', 'stop then: 07:00, or a date and time'],
    ['--timeout <seconds>', 'how long one run of an agent may take (3600)'],
    ['--prompt-tokens <n>', 'about how long a prompt may be (40000)'],
    ['--accept-red-baseline', 'go on though the base fails, and judge only what changes'],
    ['--yes', 'confirm commands that were detected, for a project that names none'],
    ['--json-events', 'print every event as a line of JSON while it goes on'],
  ],
  changes: true,
  schema: runInputSchema,
  async run(context, input) {
    const { runRun } = await import('./run-run.ts');
    return runRun(context, input);
  },
});
