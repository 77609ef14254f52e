import type { CliCommand } from './cli-command.ts';
import type { CommandGroup } from './command-group.ts';
import { COMMAND_GROUPS, TOP_COMMANDS } from './commands.ts';

/** The words of a command line that name something there is. */
export interface NamedCommand {
  group?: CommandGroup | undefined;
  command?: CliCommand | undefined;
}

export function namedCommand([first = '', second = '']: readonly string[]): NamedCommand {
  const group = findGroup(first);
  return group ? { group, command: group.find(second) } : { command: TOP_COMMANDS.find(first) };
}

/** By its name or its alias. */
export function findGroup(word: string): CommandGroup | undefined {
  return COMMAND_GROUPS.find(({ name, alias }) => name === word || alias === word);
}
