import { defineCommand } from '../program/cli-command.ts';

export const next = defineCommand({
  name: 'next',
  summary: 'say which feature is to be done next, and why the others wait; exit 1 if none can be',
  async run(context) {
    const { runNext } = await import('./run-next.ts');
    return runNext(context);
  },
});
