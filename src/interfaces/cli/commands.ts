import type { CliCommand } from './cli-command.ts';
import { CONFIG_COMMANDS } from './config/config-commands.ts';
import { GRAPHITI_COMMANDS } from './graphiti/graphiti-commands.ts';
import { init } from './init.ts';

export interface CommandGroup {
  name: string;
  summary: string;
  commands: readonly CliCommand[];
}

/** Commands that stand on their own. */
export const TOP_COMMANDS: readonly CliCommand[] = [init];

/** Commands that belong together under one word. */
export const COMMAND_GROUPS: readonly CommandGroup[] = [
  { name: 'config', summary: 'check and explain the rules of this project', commands: CONFIG_COMMANDS },
  { name: 'graphiti', summary: 'look into and change what GuardKit remembers', commands: GRAPHITI_COMMANDS },
];
