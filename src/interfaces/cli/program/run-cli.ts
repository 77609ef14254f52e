import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CommanderError } from 'commander';
import { dataFolder, openWorkspace, type Workspace } from '../../../config/project/workspace.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { guardkitHome } from '../../../platform/guardkit-home.ts';
import { mayBeTerminal } from '../../../platform/processes/may-be-terminal.ts';
import { findAgent, findPerson, type PersonCheck } from '../../../platform/processes/person.ts';
import { plainOutput } from '../../../platform/processes/plain-output.ts';
import { wrapperProfile } from '../../../platform/processes/wrapper-profile.ts';
import type { SandboxStatus } from '../../../platform/sandbox/find-sandbox.ts';
import { openStore } from '../../../store/open-store.ts';
import { Questions } from '../input/questions.ts';
import { LiveLine, type ProgressOutput } from '../output/live-line.ts';
import { printable, printableJson } from '../output/printable.ts';
import { PERSON_INSIDE_AGENT, PERSON_NEEDED } from '../verification/person-name.ts';
import { agentsUse, refuseOutside, withOtherTerminal } from './agents-commands.ts';
import { buildProgram, type RunRequest } from './build-program.ts';
import type { CliContext, ServeMcp } from './cli-command.ts';
import { askedHelp, findGroup } from './commands.ts';
import { describeCommands } from './describe-commands.ts';
import { describeError, usageError } from './describe-error.ts';

export { runBroker } from '../protection/run-broker.ts';

const DEFAULT_WIDTH = 160;

interface ErrorStyle {
  json: boolean;
  verbose: boolean;
}

/** Where a command line is run: the process, or what a test puts in its place. */
export interface CliProgramContext {
  cwd: string;
  env: NodeJS.ProcessEnv;
  stdin: NodeJS.ReadableStream;
  stdout: NodeJS.WritableStream & { columns?: number };
  stderr: ProgressOutput;
  findPerson(): PersonCheck;
  /** Why what looks like a person's may be an agent's. Left out, nobody looks. */
  findAgentsTerminal?(): Promise<string | undefined>;
  findSandbox(): Promise<SandboxStatus>;
  /** Inside the agent's wrapper, the socket of the broker that runs commands outside. */
  findBroker?(): Promise<string | undefined>;
  /** Starts that broker where agents' commands are wrapped. Left out, nobody does. */
  startBroker?(): Promise<void>;
  /** An interface beside this one, which only the program's entry knows. */
  serveMcp?: ServeMcp;
}

/** Runs one command line and gives its exit code. */
export async function runCli(
  typed: readonly string[],
  given = processWorld(),
  beside: Pick<CliProgramContext, 'serveMcp'> = {},
): Promise<number> {
  const world: CliProgramContext = changed(given, beside);
  if (typed.includes('--all') && (typed[0] === 'help' || typed[0] === '--help')) {
    world.stdout.write(`${describeCommands(world.stdout.columns || DEFAULT_WIDTH)}\n`);
    return 0;
  }
  const args = askedHelp(typed);
  let exitCode = 0;
  const start = async (request: RunRequest) => {
    exitCode = (await runInBroker(request, args, world)) ?? (await runCommand(request, args, world));
  };
  const program = buildProgram(world.stdout, start, args);
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
  return first === undefined || (rest.length === 0 && findGroup(first) !== undefined);
}

function processWorld(): CliProgramContext {
  const { env } = process;
  const stdout = mayBeTerminal(1)
    ? process.stdout.on('error', unwritten)
    : plainOutput(1, () => process.stdout.on('error', unwritten), unwritten);
  let stderr: typeof process.stderr | undefined;
  const world = {
    cwd: process.cwd(),
    env,
    // These two only when they are used: Node makes them ready then, which takes its time.
    get stdin() {
      return process.stdin;
    },
    get stderr() {
      // Safe: there is nobody left to tell.
      stderr ??= process.stderr.on('error', () => {});
      return stderr;
    },
    stdout,
    findPerson: () => findPerson(env),
    findAgentsTerminal: () => lookForAgentsTerminal(env),
    findSandbox: () => lookForSandbox(env),
    findBroker: () => lookForBroker(env),
    startBroker: () => startBrokerFor(env),
  };
  return world;

  function unwritten(error: NodeJS.ErrnoException): void {
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
  }
}

/** What has not changed is still asked for when it is used. */
function changed(world: CliProgramContext, changes: Partial<CliProgramContext>): CliProgramContext {
  return Object.assign(Object.create(world), changes);
}

/** Loaded when a command asks: most do not. */
export async function lookForSandbox(env: NodeJS.ProcessEnv): Promise<SandboxStatus> {
  const { findSandbox } = await import('../../../platform/sandbox/find-sandbox.ts');
  return findSandbox(env);
}

async function lookForBroker(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  if (wrapperProfile() === undefined) return undefined;
  const { findBroker } = await import('../../../enforcement/broker/broker-socket.ts');
  return findBroker(env);
}

async function startBrokerFor(env: NodeJS.ProcessEnv): Promise<void> {
  const home = guardkitHome(env);
  // Where the launchers of wrapped commands are.
  if (!existsSync(join(home, 'shell'))) return;
  const { startBroker } = await import('../../../enforcement/broker/start-broker.ts');
  await startBroker(home, env);
}

async function lookForAgentsTerminal(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const { findAgentsTerminal } = await import('../../../enforcement/actions/find-agents-terminal.ts');
  return findAgentsTerminal(guardkitHome(env));
}

/** Asked once, and of the ledger only where everything else looks like a person. */
async function withPerson(world: CliProgramContext): Promise<CliProgramContext> {
  if (!world.findAgentsTerminal) return world;
  const seen = world.findPerson();
  if (!seen.present) return changed(world, { findPerson: () => seen });
  const why = await lookForAgent(world);
  return why === undefined ? world : changed(world, { findPerson: () => ({ present: false, why }) });
}

/** One look for all that only a person may do, whether it needs a terminal or not. */
async function lookForAgent({ env, findAgentsTerminal }: CliProgramContext): Promise<string | undefined> {
  const shown = findAgent(env);
  if (shown !== undefined) return shown;
  try {
    return await findAgentsTerminal?.();
  } catch (error) {
    return `nobody can tell whether an agent started this: ${error instanceof Error ? error.message : error}`;
  }
}

/** Inside the agent's wrapper the data folder is read-only, so the command runs outside. Undefined where it runs here. */
async function runInBroker(
  { group, command }: RunRequest,
  args: readonly string[],
  world: CliProgramContext,
): Promise<number | undefined> {
  if (['inside', 'relayed'].includes(agentsUse(lineOf(group, command)))) return undefined;
  const socket = await world.findBroker?.();
  if (socket === undefined) return undefined;
  const { cwd, stdout, stderr } = world;
  const { runOutside } = await import('../../../enforcement/broker/broker-client.ts');
  // Input that the command does not read is left to whoever else does, such as the loop it runs in.
  const input = args.includes('-') ? world.stdin : undefined;
  return runOutside(socket, { args: [...args], cwd, input, stdout, stderr });
}

function lineOf(group: string, { name }: RunRequest['command']): string {
  return group === '' ? name : `${group} ${name}`;
}

async function runCommand(
  { group, command, input }: RunRequest,
  args: readonly string[],
  given: CliProgramContext,
): Promise<number> {
  const world = await withPerson(given);
  const opened: { close(): void | Promise<void> }[] = [];
  const questions = new Questions(world);
  const live = new LiveLine(world);
  const context = commandContext(world, opened, questions, live);
  try {
    refuseOutside(lineOf(group, command), world.findPerson(), world.env, input);
    const result = await command.run(context, input);
    live.end();
    if (!result) return 0;
    for (const notice of result.notices ?? []) world.stderr.write(`${printable(notice)}\n`);
    const text = input.json === true ? printableJson(result.json, 2) : printable(result.text);
    world.stdout.write(`${text}\n`);
    return result.exitCode ?? 0;
  } catch (error) {
    live.end();
    if (error instanceof GuardKitError && [PERSON_NEEDED, PERSON_INSIDE_AGENT].includes(error.code)) {
      const { recordRefusal } = await import('./record-refusal.ts');
      await recordRefusal(context, lineOf(group, command), error.message);
    }
    return report(
      withOtherTerminal(error, args),
      { json: input.json === true, verbose: input.verbose === true },
      world,
    );
  } finally {
    questions.close();
    for (const one of opened) await one.close();
  }
}

function notServed(): GuardKitError {
  return new GuardKitError({
    code: 'mcp.not-here',
    kind: 'outside',
    message: 'Tools are served by the installed program only.',
    hint: 'Run `guardkit mcp`.',
  });
}

function report(
  error: unknown,
  { json, verbose }: ErrorStyle,
  { stdout, stderr }: CliProgramContext,
): number {
  const described = describeError(error, verbose);
  stderr.write(`${described.text}\n`);
  if (json) stdout.write(`${printableJson(described.json, 2)}\n`);
  return described.exitCode;
}

function commandContext(
  world: CliProgramContext,
  opened: { close(): void | Promise<void> }[],
  questions: Questions,
  live: LiveLine,
): CliContext {
  const { cwd, env, stdout, findPerson, findSandbox } = world;
  let workspace: Promise<Workspace> | undefined;
  let agent: Promise<string | undefined> | undefined;
  const context: CliContext = {
    cwd,
    env,
    get stdin() {
      return world.stdin;
    },
    stdout,
    // Some terminals say that they are 0 columns wide.
    width: stdout.columns || DEFAULT_WIDTH,
    findPerson,
    findAgent: () => {
      agent ??= lookForAgent(world);
      return agent;
    },
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
      const { openLedger } = await import('../../../store/ledger/open-ledger.ts');
      const ledger = openLedger({ path: join(dataFolder(env), 'ledger.db') });
      opened.push(ledger);
      return ledger;
    },
    startBroker: async () => world.startBroker?.(),
    serveMcp: world.serveMcp ?? (() => Promise.reject(notServed())),
    progress: (line) => live.print(printable(line)),
    status: (line) => live.show(line),
  };
  return context;
}
