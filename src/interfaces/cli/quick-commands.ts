import { commandGroup } from './command-group.ts';
import type * as commands from './commands.ts';
import { explain } from './config/explain.ts';
import { next } from './feature/next.ts';

/**
 * Commands that others run again and again, in a script of their own: the build puts this table in the place of the one
 * with all commands. Which of them there are says `src/quick-lines.ts`.
 */
export const TOP_COMMANDS: typeof commands.TOP_COMMANDS = commandGroup('', '', {});

export const COMMAND_GROUPS: typeof commands.COMMAND_GROUPS = [
  commandGroup('feature', '', { next: () => next }),
  commandGroup('config', '', { explain: () => explain }),
];
