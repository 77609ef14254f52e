import { Command } from 'commander';
import { VERSION } from '../../version.ts';
import type { CliCommand } from './cli-command.ts';
import { COMMAND_GROUPS } from './commands.ts';

export interface RunRequest {
  command: CliCommand;
  input: Record<string, unknown>;
}

/** The command-line program; `run` is called with the command that was asked for. */
export function buildProgram(run: (request: RunRequest) => Promise<void>): Command {
  const program = new Command('guardkit')
    .description('Makes rules real for coding agents: refuses, verifies, remembers.')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .showHelpAfterError('(run with --help to see what it takes)')
    .configureHelp({ sortSubcommands: false });
  for (const group of COMMAND_GROUPS) {
    const parent = program.command(group.name).description(group.summary);
    for (const command of group.commands) addCommand(parent, command, run);
  }
  return program;
}

function addCommand(
  parent: Command,
  declared: CliCommand,
  run: (request: RunRequest) => Promise<void>,
): void {
  const command = parent.command(declared.name).description(declared.summary);
  for (const [notation, description] of declared.arguments) command.argument(notation, description);
  for (const [notation, description, repeatable] of declared.options) {
    if (repeatable) command.option(notation, `${description} (may be repeated)`, collect);
    else command.option(notation, description);
  }
  if (declared.changes) command.option('--dry-run', 'say what would change, and change nothing');
  command.option('--json', 'print one JSON document');
  command.option('--verbose', 'more detail; with errors, where they come from');
  const names = declared.arguments.map(([notation]) => notation.replace(/[<>[\].]/g, ''));
  command.action(async () => {
    const values = Object.fromEntries(names.map((name, index) => [name, command.processedArgs[index]]));
    await run({ command: declared, input: { ...command.opts(), ...values } });
  });
}

/** Not commander's own variadic options: those would swallow the argument that follows them. */
function collect(value: string, previous: string[] | undefined): string[] {
  return [...(previous ?? []), value];
}
