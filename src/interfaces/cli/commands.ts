import type { CliCommand } from './cli-command.ts';
import { GRAPHITI_COMMANDS } from './graphiti/graphiti-commands.ts';

export interface CommandGroup {
  name: string;
  summary: string;
  commands: readonly CliCommand[];
}

/** Every command there is. */
export const COMMAND_GROUPS: readonly CommandGroup[] = [
  { name: 'graphiti', summary: 'look into and change what GuardKit remembers', commands: GRAPHITI_COMMANDS },
];
