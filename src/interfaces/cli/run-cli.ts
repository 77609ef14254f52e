import { join } from 'node:path';
import { CommanderError } from 'commander';
import { openWorkspace, type Workspace } from '../../config/workspace.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import { guardkitHome } from '../../platform/guardkit-home.ts';
import { findPerson, type PersonCheck } from '../../platform/person.ts';
import type { SandboxStatus } from '../../platform/sandbox/find-sandbox.ts';
import { openStore } from '../../store/open-store.ts';
import { buildProgram, type RunRequest } from './build-program.ts';
import type { CliContext } from './cli-command.ts';
import { COMMAND_GROUPS } from './commands.ts';
import { describeCommands } from './describe-commands.ts';
import { describeError } from './describe-error.ts';
import { LiveLine, type ProgressOutput } from './live-line.ts';
import { printable, printableJson } from './printable.ts';
import { Questions } from './questions.ts';
import { usageError } from './usage-error.ts';

const DEFAULT_WIDTH = 160;

interface ErrorStyle {
  json: boolean;
  verbose: boolean;
}

/** Where a command line is run: the process, or what a test puts in its place. */
export interface CliWorld {
  cwd: string;
  env: NodeJS.ProcessEnv;
  stdin: NodeJS.ReadableStream;
  stdout: NodeJS.WritableStream & { columns?: number };
  stderr: ProgressOutput;
  findPerson(): PersonCheck;
  /** Why a terminal that looks like a person's may be an agent's. Left out, nobody looks. */
  findAgentsTerminal?(): Promise<string | undefined>;
  findSandbox(): Promise<SandboxStatus>;
}

/** Runs one command line and gives its exit code. */
export async function runCli(args: readonly string[], world = processWorld()): Promise<number> {
  if (args.includes('--all') && (args[0] === 'help' || args[0] === '--help')) {
    world.stdout.write(`${describeCommands(world.stdout.columns || DEFAULT_WIDTH)}\n`);
    return 0;
  }
  let exitCode = 0;
  const program = buildProgram(world.stdout, async (request) => {
    exitCode = await runCommand(request, world);
  });
  try {
    await program.parseAsync(isBare(args) ? [...args, '--help'] : [...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    const style = { json: args.includes('--json'), verbose: args.includes('--verbose') };
    return report(error instanceof CommanderError ? usageError(error, args) : error, style, world);
  }
}

/** Nothing, or the name of a group: asks what there is. */
function isBare([first, ...rest]: readonly string[]): boolean {
  return first === undefined || (rest.length === 0 && COMMAND_GROUPS.some(({ name }) => name === first));
}

function processWorld(): CliWorld {
  const { env, stdin, stdout, stderr } = process;
  const world = {
    cwd: process.cwd(),
    env,
    stdin,
    stdout,
    stderr,
    findPerson: () => findPerson(env),
    findAgentsTerminal: () => lookForAgentsTerminal(env),
    findSandbox: () => lookForSandbox(env),
  };
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that has seen enough (`| head`) closes the pipe; that is no failure.
    if (error.code === 'EPIPE') process.exit(0);
    const failure = new GuardKitError({
      code: 'output.failed',
      kind: 'outside',
      message: `The output could not be written: ${error.message}.`,
      hint: 'Look at where the output goes: its disk may be full.',
      cause: error,
    });
    process.exit(report(failure, { json: false, verbose: false }, world));
  });
  // Safe: there is nobody left to tell.
  stderr.on('error', () => {});
  return world;
}

/** Loaded when a command asks: most do not. */
export async function lookForSandbox(env: NodeJS.ProcessEnv): Promise<SandboxStatus> {
  const { findSandbox } = await import('../../platform/sandbox/find-sandbox.ts');
  return findSandbox(env);
}

async function lookForAgentsTerminal(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const { findAgentsTerminal } = await import('../../enforcement/windows/find-agents-terminal.ts');
  return findAgentsTerminal(guardkitHome(env));
}

/** Asked once, and of the ledger only where everything else looks like a person. */
async function withPerson(world: CliWorld): Promise<CliWorld> {
  if (!world.findAgentsTerminal) return world;
  const seen = world.findPerson();
  if (!seen.present) return { ...world, findPerson: () => seen };
  let why: string | undefined;
  try {
    why = await world.findAgentsTerminal();
  } catch (error) {
    why = `the ledger cannot be asked whether an agent opened this terminal: ${error instanceof Error ? error.message : error}`;
  }
  return why === undefined ? world : { ...world, findPerson: () => ({ present: false, why }) };
}

async function runCommand({ command, input }: RunRequest, given: CliWorld): Promise<number> {
  const world = await withPerson(given);
  const opened: { close(): void | Promise<void> }[] = [];
  const questions = new Questions(world.stdin, world.stderr);
  const live = new LiveLine(world.stderr, world.env);
  try {
    const result = await command.run(commandContext(world, opened, questions, live), input);
    live.end();
    if (!result) return 0;
    for (const notice of result.notices ?? []) world.stderr.write(`${printable(notice)}\n`);
    const text = input.json === true ? printableJson(result.json, 2) : printable(result.text);
    world.stdout.write(`${text}\n`);
    return result.exitCode ?? 0;
  } catch (error) {
    live.end();
    return report(error, { json: input.json === true, verbose: input.verbose === true }, world);
  } finally {
    questions.close();
    for (const one of opened) await one.close();
  }
}

function report(error: unknown, { json, verbose }: ErrorStyle, { stdout, stderr }: CliWorld): number {
  const described = describeError(error, verbose);
  stderr.write(`${described.text}\n`);
  if (json) stdout.write(`${printableJson(described.json, 2)}\n`);
  return described.exitCode;
}

function commandContext(
  { cwd, env, stdin, stdout, findPerson, findSandbox }: CliWorld,
  opened: { close(): void | Promise<void> }[],
  questions: Questions,
  live: LiveLine,
): CliContext {
  let workspace: Promise<Workspace> | undefined;
  const context: CliContext = {
    cwd,
    env,
    stdin,
    stdout,
    // Some terminals say that they are 0 columns wide.
    width: stdout.columns || DEFAULT_WIDTH,
    findPerson,
    findSandbox,
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
    ledger: async () => {
      const { openLedger } = await import('../../store/ledger/open-ledger.ts');
      const ledger = openLedger({ path: join((await context.workspace()).home, 'ledger.db') });
      opened.push(ledger);
      return ledger;
    },
    progress: (line) => live.print(printable(line)),
    status: (line) => live.show(line),
  };
  return context;
}
