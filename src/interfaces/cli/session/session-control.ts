import * as z from 'zod';
import { defineCommand } from '../program/cli-command.ts';
import type { Order } from './run-told.ts';

/** What a person tells a session that is open. */
function told(name: Order, summary: string) {
  return defineCommand({
    name,
    summary,
    options: [['--session <id>', 'the session, where several are open']],
    changes: true,
    schema: z.object({
      session: z.string().min(1).max(200).optional(),
      dryRun: z.boolean().default(false),
    }),
    async run(context, input) {
      const { runTold } = await import('./run-told.ts');
      return runTold(context, name, input);
    },
  });
}

export const pause = () => told('pause', 'let a session rest until it is resumed');

export const resume = () => told('resume', 'let a session that rests go on');

export const abandon = () => told('abandon', 'end a session; its features stay as they are');
