import { CommanderError } from 'commander';
import { openWorkspace, type Workspace } from '../../config/workspace.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import { findPerson } from '../../platform/person.ts';
import type { EpisodeStore } from '../../store/episode-store.ts';
import { openStore } from '../../store/open-store.ts';
import { buildProgram, type RunRequest } from './build-program.ts';
import type { CliContext } from './cli-command.ts';
import { COMMAND_GROUPS } from './commands.ts';
import { describeError } from './describe-error.ts';
import { printable, printableJson } from './printable.ts';
import { Questions } from './questions.ts';
import { usageError } from './usage-error.ts';

const DEFAULT_WIDTH = 160;

interface ErrorStyle {
  json: boolean;
  verbose: boolean;
}

/** Runs one command line and gives its exit code. */
export async function runCli(args: readonly string[]): Promise<number> {
  watchOutput();
  let exitCode = 0;
  const program = buildProgram(async (request) => {
    exitCode = await runCommand(request);
  });
  try {
    await program.parseAsync(isBare(args) ? [...args, '--help'] : [...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    const style = { json: args.includes('--json'), verbose: args.includes('--verbose') };
    return report(error instanceof CommanderError ? usageError(error, args) : error, style);
  }
}

/** Nothing, or the name of a group: asks what there is. */
function isBare([first, ...rest]: readonly string[]): boolean {
  return first === undefined || (rest.length === 0 && COMMAND_GROUPS.some(({ name }) => name === first));
}

function watchOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that has seen enough (`| head`) closes the pipe; that is no failure.
    if (error.code === 'EPIPE') process.exit(0);
    const failure = new GuardKitError({
      code: 'output.failed',
      kind: 'outside',
      message: `The output could not be written: ${error.message}.`,
      hint: 'Look at where the output goes: its disk may be full.',
      cause: error,
    });
    process.exit(report(failure, { json: false, verbose: false }));
  });
  // Safe: there is nobody left to tell.
  process.stderr.on('error', () => {});
}

async function runCommand({ command, input }: RunRequest): Promise<number> {
  const opened: EpisodeStore[] = [];
  const questions = new Questions(process.stdin, process.stderr);
  try {
    const result = await command.run(processContext(opened, questions), input);
    if (!result) return 0;
    for (const notice of result.notices ?? []) process.stderr.write(`${printable(notice)}\n`);
    const text = input.json === true ? printableJson(result.json, 2) : printable(result.text);
    process.stdout.write(`${text}\n`);
    return result.exitCode ?? 0;
  } catch (error) {
    return report(error, { json: input.json === true, verbose: input.verbose === true });
  } finally {
    questions.close();
    for (const store of opened) await store.close();
  }
}

function report(error: unknown, { json, verbose }: ErrorStyle): number {
  const described = describeError(error, verbose);
  process.stderr.write(`${described.text}\n`);
  if (json) process.stdout.write(`${printableJson(described.json, 2)}\n`);
  return described.exitCode;
}

function processContext(opened: EpisodeStore[], questions: Questions): CliContext {
  const cwd = process.cwd();
  const { env, stdin, stdout } = process;
  let workspace: Promise<Workspace> | undefined;
  const context: CliContext = {
    cwd,
    env,
    stdin,
    stdout,
    // Some terminals say that they are 0 columns wide.
    width: stdout.columns || DEFAULT_WIDTH,
    findPerson: () => findPerson(env),
    ask: (question) => questions.ask(question),
    workspace: () => {
      workspace ??= openWorkspace(cwd, env);
      return workspace;
    },
    store: async () => {
      const store = await openStore((await context.workspace()).store);
      opened.push(store);
      return store;
    },
  };
  return context;
}
