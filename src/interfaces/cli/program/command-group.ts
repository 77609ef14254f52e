import type { CliCommand } from './cli-command.ts';

/** Commands by the names that they have. Each is asked for by itself: to make all of them ready takes longer than most run. */
export type CommandMakers = Readonly<Record<string, () => CliCommand>>;

/** Commands that belong together under one word. */
export interface CommandGroup {
  readonly name: string;
  /** Another word for the same group, which older guides use. */
  readonly alias: string | undefined;
  readonly summary: string;
  readonly commands: readonly CliCommand[];
  find(command: string): CliCommand | undefined;
}

export function commandGroup(
  name: string,
  summary: string,
  makers: CommandMakers,
  alias?: string,
): CommandGroup {
  return {
    name,
    alias,
    summary,
    get commands() {
      return Object.values(makers).map((make) => make());
    },
    find: (command) => (Object.hasOwn(makers, command) ? makers[command]?.() : undefined),
  };
}
