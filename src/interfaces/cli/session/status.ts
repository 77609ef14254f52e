import { defineCommand } from '../program/cli-command.ts';

export const status = defineCommand({
  name: 'status',
  summary: 'say where the sessions of this project stand and what is next; exit 1 if none is open',
  async run(context) {
    const { runStatus } = await import('./run-status.ts');
    return runStatus(context);
  },
});
