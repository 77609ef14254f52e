import { Command, Help } from 'commander';
import { VERSION } from '../../../version.ts';
import type { CliCommand, DescribedOption } from './cli-command.ts';
import { COMMAND_GROUPS, namedCommand, TOP_COMMANDS } from './commands.ts';
import { firstCommands } from './describe-commands.ts';

export interface RunRequest {
  /** The word it stands under; empty where it stands on its own. */
  group: string;
  command: CliCommand;
  input: Record<string, unknown>;
}

const AFTER_HELP = `
Begin in a git repository with \`guardkit init\`, then \`guardkit doctor\`.
Run \`guardkit help --all\` to see every command.`;

/** Columns that descriptions are still wrapped in, beside names that are long. */
const NARROW = 20;

/**
 * The command-line program, which writes its help to `output`; `run` is called with the command that was asked for. Of a
 * line that names its command in full, it consists of that command alone: there is nothing else to say anything about.
 */
export function buildProgram(
  output: NodeJS.WritableStream,
  run: (request: RunRequest) => Promise<void>,
  args: readonly string[] = [],
): Command {
  const program = new Command('guardkit')
    .description('Makes rules real for coding agents: refuses, verifies, remembers.')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .addHelpText('after', AFTER_HELP)
    // Taken over by every command that is added.
    .configureHelp({ minWidthToWrap: NARROW })
    // The caller tells of errors, in its own words, and ends the program. Commands take this over from here.
    .configureOutput({ writeOut: (text) => output.write(text), outputError: () => {} })
    // `restore --version N` is not the version of the program.
    .enablePositionalOptions()
    .exitOverride();
  const { group: only, command } = namedCommand(args);
  for (const one of command ? (only ? [] : [command]) : TOP_COMMANDS.commands) addCommand(program, one, run);
  for (const group of command ? (only ? [only] : []) : COMMAND_GROUPS) {
    const parent = program.command(group.name).description(group.summary);
    if (group.alias !== undefined) parent.alias(group.alias);
    parent.helpCommand('help [command]', 'show help for a command');
    for (const one of command ? [command] : group.commands) addCommand(parent, one, run);
  }
  return program.configureHelp({ ...program.configureHelp(), formatHelp: shortHelp });
}

/** Few words first. Only where help is shown: a command that is left out here is still suggested for a slip. */
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

/** Not commander's own variadic options: those would swallow the argument that follows them. */
function collect(value: string, previous: string[] | undefined): string[] {
  return [...(previous ?? []), value];
}
