import * as z from 'zod';
import { defineCommand } from '../program/cli-command.ts';

export const test = defineCommand({
  name: 'test',
  summary: 'judge a recorded action by one guard’s file, or by all guards, without doing anything',
  arguments: [['[file]', 'the guard’s file; without it, every guard of this project judges']],
  options: [
    [
      '--action <file>',
      'what the agent is about to do: a hook’s payload, or {"kind": "command", "command": "…"}; - reads it from standard input',
    ],
    ['--agent-type <type>', 'who acts: the type of the agent; without it, the one that talks to a person'],
    ['--driven', 'as in a session that GuardKit drives'],
    ['--unattended', 'as where nobody can be asked'],
  ],
  schema: z.object({
    file: z.string().min(1).optional(),
    action: z.string('name the file with the action, as in --action payload.json').min(1),
    agentType: z.string().min(1).optional(),
    driven: z.boolean().default(false),
    unattended: z.boolean().default(false),
  }),
  async run(context, input) {
    const { runTest } = await import('./run-test.ts');
    return runTest(context, input);
  },
});
