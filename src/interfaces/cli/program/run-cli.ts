import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CommanderError } from 'commander';
import { dataFolder, openWorkspace, type Workspace } from '../../../config/project/workspace.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { guardkitHome } from '../../../platform/guardkit-home.ts';
import { mayBeTerminal } from '../../../platform/processes/may-be-terminal.ts';
import { findAgent, findPerson, type PersonCheck } from '../../../platform/processes/person.ts';
import { plainOutput } from '../../../platform/processes/plain-output.ts';
import { isInsideAgent, wrapperProfile } from '../../../platform/processes/wrapper-profile.ts';
import type { SandboxStatus } from '../../../platform/sandbox/find-sandbox.ts';
import { openStore } from '../../../store/open-store.ts';
import { Questions } from '../input/questions.ts';
import { LiveLine, type ProgressOutput } from '../output/live-line.ts';
import { printable, printableJson } from '../output/printable.ts';
import { PERSON_INSIDE_AGENT, PERSON_NEEDED } from '../verification/person-name.ts';
import { buildProgram, type RunRequest } from './build-program.ts';
import type { CliContext, OtherInterfaces } from './cli-command.ts';
import { askedHelp, findGroup } from './commands.ts';
import { agentsUse, refuseOutside, withOtherTerminal } from './commands-for-agents.ts';
import { describeCommands } from './describe-commands.ts';
import { describeError, usageError } from './describe-error.ts';
import { otherInterfaces } from './other-interfaces.ts';

const DEFAULT_WIDTH = 160;

interface ErrorStyle {
  json: boolean;
  verbose: boolean;
}

/** The environment of a command line: the process, or a test's substitute. */
export interface CliProgramContext extends OtherInterfaces {
  cwd: string;
  env: NodeJS.ProcessEnv;
  stdin: NodeJS.ReadableStream;
  stdout: NodeJS.WritableStream & { columns?: number };
  stderr: ProgressOutput;
  findPerson(): PersonCheck;
  /** Why a terminal that looks like a person's may be an agent's. Omitted: not checked. */
  findAgentsTerminal?(): Promise<string | undefined>;
  findSandbox(): Promise<SandboxStatus>;
  /** The socket of the broker that runs this command of an agent; undefined if it runs here. */
  findBroker?(line: string): Promise<string | undefined>;
  /** Starts that broker if agents' commands are wrapped. Omitted: not started. */
  startBroker?(): Promise<void>;
}

/** Runs one command line and returns its exit code. */
export async function runCli(
  typed: readonly string[],
  given = processContext(),
  beside: OtherInterfaces = {},
): Promise<number> {
  const outer: CliProgramContext = changed(given, beside);
  if (typed.includes('--all') && (typed[0] === 'help' || typed[0] === '--help')) {
    outer.stdout.write(`${describeCommands(outer.stdout.columns || DEFAULT_WIDTH)}\n`);
    return 0;
  }
  const args = askedHelp(typed);
  let exitCode = 0;
  const start = async (request: RunRequest) => {
    exitCode = (await runInBroker(request, args, outer)) ?? (await runCommand(request, args, outer));
  };
  const program = buildProgram(outer.stdout, start, args);
  try {
    await program.parseAsync(isBare(args) ? [...args, '--help'] : [...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    const style = { json: args.includes('--json'), verbose: args.includes('--verbose') };
    return report(error instanceof CommanderError ? usageError(error, args) : error, style, outer);
  }
}

/** No arguments, or only the name of a group: shows help. */
function isBare([first, ...rest]: readonly string[]): boolean {
  return first === undefined || (rest.length === 0 && findGroup(first) !== undefined);
}

function processContext(): CliProgramContext {
  const { env } = process;
  const stdout = mayBeTerminal(1)
    ? process.stdout.on('error', unwritten)
    : plainOutput(1, () => process.stdout.on('error', unwritten), unwritten);
  let stderr: typeof process.stderr | undefined;
  const outer = {
    cwd: process.cwd(),
    env,
    // Lazy: creating these streams takes time.
    get stdin() {
      return process.stdin;
    },
    get stderr() {
      // Safe: there is nowhere left to report it.
      stderr ??= process.stderr.on('error', () => {});
      return stderr;
    },
    stdout,
    findPerson: () => findPerson(env),
    findAgentsTerminal: () => lookForAgentsTerminal(env),
    findSandbox: () => lookForSandbox(env),
    findBroker: (line: string) => lookForBroker(env, line),
    startBroker: () => startBrokerFor(env),
  };
  return outer;

  function unwritten(error: NodeJS.ErrnoException): void {
    // A reader that has seen enough (`| head`) closes the pipe; that is not a failure and does not hide one.
    if (error.code === 'EPIPE') process.exit(codeOfResult);
    const failure = new GuardKitError({
      code: 'output.failed',
      kind: 'outside',
      message: `Writing the output failed: ${error.message}.`,
      hint: 'Check whether the disk is full.',
      cause: error,
    });
    process.exit(report(failure, { json: false, verbose: false }, outer));
  }
}

/** Keeps the other members lazy. */
function changed(outer: CliProgramContext, changes: Partial<CliProgramContext>): CliProgramContext {
  return Object.assign(Object.create(outer), changes);
}

/** Loaded on demand: most commands do not need it. */
export async function lookForSandbox(env: NodeJS.ProcessEnv): Promise<SandboxStatus> {
  const { findSandbox } = await import('../../../platform/sandbox/find-sandbox.ts');
  return findSandbox(env);
}

async function lookForBroker(env: NodeJS.ProcessEnv, line: string): Promise<string | undefined> {
  if (wrapperProfile() !== undefined) {
    const { findBroker } = await import('../../../enforcement/broker/broker-socket.ts');
    return findBroker(env);
  }
  // Not as the agent's child, so that neither its environment nor its open files reach the verification.
  if (line !== 'verify' || isInsideAgent(env) || findAgent(env) === undefined) return undefined;
  const { findResidentBroker } = await import('../../../enforcement/broker/resident-broker.ts');
  return findResidentBroker(env, process.cwd());
}

async function startBrokerFor(env: NodeJS.ProcessEnv): Promise<void> {
  const home = guardkitHome(env);
  // Has the launchers of wrapped commands.
  if (!existsSync(join(home, 'shell'))) return;
  const { startBroker } = await import('../../../enforcement/broker/start-broker.ts');
  await startBroker(home, env);
}

async function lookForAgentsTerminal(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const { findAgentsTerminal } = await import('../../../enforcement/actions/find-agents-terminal.ts');
  return findAgentsTerminal(guardkitHome(env));
}

/** Checks once, and asks the ledger only if everything else looks like a person. */
async function withPerson(outer: CliProgramContext): Promise<CliProgramContext> {
  if (!outer.findAgentsTerminal) return outer;
  const seen = outer.findPerson();
  if (!seen.present) return changed(outer, { findPerson: () => seen });
  const why = await lookForAgent(outer);
  return why === undefined ? outer : changed(outer, { findPerson: () => ({ present: false, why }) });
}

/** One check for everything that only a person may do, with or without a terminal. */
async function lookForAgent({ env, findAgentsTerminal }: CliProgramContext): Promise<string | undefined> {
  const shown = findAgent(env);
  if (shown !== undefined) return shown;
  try {
    return await findAgentsTerminal?.();
  } catch (error) {
    return `GuardKit cannot tell whether an agent started this: ${error instanceof Error ? error.message : error}`;
  }
}

/** Commands that do not run in the agent's own process: in its wrapper the data folder is read-only. Undefined if it runs here. */
async function runInBroker(
  { group, command }: RunRequest,
  args: readonly string[],
  outer: CliProgramContext,
): Promise<number | undefined> {
  const line = lineOf(group, command);
  if (['inside', 'relayed'].includes(agentsUse(line))) return undefined;
  const socket = await outer.findBroker?.(line);
  if (socket === undefined) return undefined;
  const { cwd, stdout, stderr } = outer;
  const { runOutside } = await import('../../../enforcement/broker/broker-client.ts');
  // Input that the command does not read is left for others, such as the shell loop it runs in.
  const input = args.includes('-') ? outer.stdin : undefined;
  return runOutside(socket, { args: [...args], cwd, input, stdout, stderr });
}

function lineOf(group: string, { name }: RunRequest['command']): string {
  return group === '' ? name : `${group} ${name}`;
}

/** The exit code of the result that is being written; 0 as long as there is none. */
let codeOfResult = 0;

async function runCommand(
  { group, command, input }: RunRequest,
  args: readonly string[],
  given: CliProgramContext,
): Promise<number> {
  const outer = await withPerson(given);
  const opened: { close(): void | Promise<void> }[] = [];
  const questions = new Questions(outer);
  const live = new LiveLine(outer);
  const context = commandContext(outer, opened, questions, live);
  try {
    refuseOutside(lineOf(group, command), outer.findPerson(), outer.env, input);
    const result = await command.run(context, input);
    live.end();
    if (!result) return 0;
    for (const notice of result.notices ?? []) outer.stderr.write(`${printable(notice)}\n`);
    const text = input.json === true ? printableJson(result.json, 2) : printable(result.text);
    codeOfResult = result.exitCode ?? 0;
    outer.stdout.write(`${text}\n`);
    return codeOfResult;
  } catch (error) {
    live.end();
    if (error instanceof GuardKitError && [PERSON_NEEDED, PERSON_INSIDE_AGENT].includes(error.code)) {
      const { recordRefusal } = await import('./record-refusal.ts');
      await recordRefusal(context, lineOf(group, command), error.message);
    }
    return report(
      withOtherTerminal(error, args),
      { json: input.json === true, verbose: input.verbose === true },
      outer,
    );
  } finally {
    questions.close();
    for (const one of opened) await one.close();
  }
}

function report(
  error: unknown,
  { json, verbose }: ErrorStyle,
  { stdout, stderr }: CliProgramContext,
): number {
  const described = describeError(error, verbose);
  codeOfResult = described.exitCode;
  stderr.write(`${described.text}\n`);
  if (json) stdout.write(`${printableJson(described.json, 2)}\n`);
  return described.exitCode;
}

function commandContext(
  outer: CliProgramContext,
  opened: { close(): void | Promise<void> }[],
  questions: Questions,
  live: LiveLine,
): CliContext {
  const { cwd, env, stdout, findPerson, findSandbox } = outer;
  let workspace: Promise<Workspace> | undefined;
  let agent: Promise<string | undefined> | undefined;
  const context: CliContext = {
    cwd,
    env,
    get stdin() {
      return outer.stdin;
    },
    stdout,
    // Some terminals report a width of 0.
    width: stdout.columns || DEFAULT_WIDTH,
    findPerson,
    findAgent: () => {
      agent ??= lookForAgent(outer);
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
    startBroker: async () => outer.startBroker?.(),
    ...otherInterfaces(outer),
    progress: (line) => live.print(printable(line)),
    status: (line) => live.show(line),
  };
  return context;
}
