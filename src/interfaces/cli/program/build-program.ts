import { Command, Help } from 'commander';
import { VERSION } from '../../../version.ts';
import type { CliCommand, DescribedOption } from './cli-command.ts';
import { COMMAND_GROUPS, namedCommand, TOP_COMMANDS } from './commands.ts';
import { firstCommands } from './describe-commands.ts';

export interface RunRequest {
  /** Name of its group; empty for a top-level command. */
  group: string;
  command: CliCommand;
  input: Record<string, unknown>;
}

const AFTER_HELP = `
Start with \`guardkit init\` in a git repository, then run \`guardkit doctor\`.
List every command with \`guardkit help --all\`.`;

/** Minimum width at which descriptions are still wrapped. */
const NARROW = 20;

/**
 * The command-line program. It writes help to `output` and calls `run` with the requested command. If `args` name a command,
 * only that command is declared, which is faster.
 */
export function buildProgram(
  output: NodeJS.WritableStream,
  run: (request: RunRequest) => Promise<void>,
  args: readonly string[] = [],
): Command {
  const program = new Command('guardkit')
    .description('Enforces rules for coding agents: hooks, verification, memory')
    .version(VERSION, '-V, --version', 'Print the version')
    .helpOption('-h, --help', 'Show help')
    .helpCommand('help [command]', 'Show help for a command')
    .addHelpText('after', AFTER_HELP)
    // Inherited by every command.
    .configureHelp({ minWidthToWrap: NARROW, subcommandTerm: withoutOptions })
    // The caller reports errors and sets the exit code. Inherited by every command.
    .configureOutput({ writeOut: (text) => output.write(text), outputError: () => {} })
    // Otherwise `restore --version N` would print the program's version.
    .enablePositionalOptions()
    .exitOverride();
  const { group: only, command } = namedCommand(args);
  for (const one of command ? (only ? [] : [command]) : TOP_COMMANDS.commands) addCommand(program, one, run);
  for (const group of command ? (only ? [only] : []) : COMMAND_GROUPS) {
    const parent = program.command(group.name).description(group.summary);
    if (group.alias !== undefined) parent.alias(group.alias);
    parent.helpCommand('help [command]', 'Show help for a command');
    for (const one of command ? [command] : group.commands) addCommand(parent, one, run);
  }
  return program.configureHelp({ ...program.configureHelp(), formatHelp: shortHelp });
}

/** Without `[options]`, which every command takes: a summary fits beside its command in 80 columns. */
function withoutOptions(command: Command): string {
  return Help.prototype.subcommandTerm(command).replace(' [options]', '');
}

/** Lists only the first commands. The others are still suggested after a typo. */
function shortHelp(command: Command, help: Help): string {
  const first = firstCommands(command.commands, (one) => one.name());
  return Help.prototype.formatHelp(command, Object.assign(help, { visibleCommands: () => first }));
}

function addCommand(
  parent: Command,
  declared: CliCommand,
  run: (request: RunRequest) => Promise<void>,
): void {
  const command = parent.command(declared.name).description(declared.summary);
  for (const [notation, description] of declared.arguments) command.argument(notation, description);
  for (const [notation, description, repeatable] of allOptions(declared)) {
    if (repeatable) command.option(notation, `${description} (repeatable)`, collect);
    else command.option(notation, description);
  }
  const names = declared.arguments.map(([notation]) => notation.replace(/[<>[\].]/g, ''));
  command.action(async () => {
    const values = Object.fromEntries(names.map((name, index) => [name, command.processedArgs[index]]));
    await run({
      group: parent.parent ? parent.name() : '',
      command: declared,
      input: { ...command.opts(), ...values },
    });
  });
}

/** A command's own options and those that every command has. */
export function allOptions({ options, changes }: CliCommand): DescribedOption[] {
  return [
    ...options,
    ...(changes ? [['--dry-run', 'Show changes without making them'] as const] : []),
    ['--json', 'Print one JSON document'],
    ['--verbose', 'Verbose output and stack traces'],
  ];
}

/** Commander's own variadic options would swallow the argument that follows them. */
function collect(value: string, previous: string[] | undefined): string[] {
  return [...(previous ?? []), value];
}
