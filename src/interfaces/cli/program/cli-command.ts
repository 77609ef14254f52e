import type * as z from 'zod';
import type { Workspace } from '../../../config/project/workspace.ts';
import type { ToolRole } from '../../../domain/entities/tool-role.ts';
import { issueText } from '../../../domain/json/describe-issues.ts';
import type { BrokerEnd } from '../../../enforcement/broker/serve-agents.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import type { PersonCheck } from '../../../platform/processes/person.ts';
import type { SandboxStatus } from '../../../platform/sandbox/find-sandbox.ts';
import type { EpisodeStore } from '../../../store/episode-store.ts';
import type { Ledger } from '../../../store/ledger/ledger.ts';

/** Serves tools until the client hangs up. */
export type ServeMcp = (options: { role?: ToolRole | undefined }) => Promise<void>;

/** Runs the resident process until it ends. */
export type Serve = (options: {
  dataFolder: string;
  env: NodeJS.ProcessEnv;
  idleMs?: number | undefined;
}) => Promise<BrokerEnd>;

/** Has the resident process serve the dashboard; serves it in this one where none can run. */
export type OpenDashboard = (options: {
  dataFolder: string;
  env: NodeJS.ProcessEnv;
  port: number | undefined;
}) => Promise<OpenedDashboard>;

/** Writes a project's features into one HTML file in a folder and returns its path. */
export type WriteReport = (options: {
  dataFolder: string;
  env: NodeJS.ProcessEnv;
  folder: string;
  project: string;
  features: readonly string[];
}) => Promise<string>;

/** Writes the result of `guardkit ci` into one HTML file in a folder and returns its path. */
export type WriteCiReport = (options: { folder: string; project: string; result: unknown }) => string;

export interface OpenedDashboard {
  /** With a token that is valid once. */
  url: string;
  /** Of this process, if it serves; undefined if another one does. */
  close: (() => Promise<void>) | undefined;
}

/** Other interfaces, which only the program's entry can load. */
export interface OtherInterfaces {
  serveMcp?: ServeMcp;
  serve?: Serve;
  openDashboard?: OpenDashboard;
  writeReport?: WriteReport;
  writeCiReport?: WriteCiReport;
}

/** Everything a command uses of the outside world; tests supply their own. */
export interface CliContext {
  cwd: string;
  env: NodeJS.ProcessEnv;
  stdin: NodeJS.ReadableStream;
  stdout: NodeJS.WritableStream;
  /** Characters in a line of stdout. */
  width: number;
  findPerson(): PersonCheck;
  /** How we know that a coding agent started this command; undefined if none did. */
  findAgent(): Promise<string | undefined>;
  /** The sandbox for the candidate's commands. */
  findSandbox(): Promise<SandboxStatus>;
  /** Asks the person at the terminal; empty if there is no answer. */
  ask(question: string): Promise<string>;
  workspace(): Promise<Workspace>;
  /** Opens the workspace's store; it is closed when the command ends. */
  store(): Promise<EpisodeStore>;
  /** Opens or creates the ledger in the data folder; it is closed when the command ends. */
  ledger(): Promise<Ledger>;
  /** Starts the broker where agents' commands are wrapped, if it is not running. */
  startBroker(): Promise<void>;
  serveMcp: ServeMcp;
  serve: Serve;
  openDashboard: OpenDashboard;
  writeReport: WriteReport;
  /** Undefined where only the command line is loaded. */
  writeCiReport: WriteCiReport | undefined;
  /** Prints a line of progress on standard error. */
  progress(line: string): void;
  /** On a terminal, shows the current activity in the last line; elsewhere nothing. */
  status(line: string): void;
}

/** The result of a command, for programs and for people. */
export interface Report {
  json: unknown;
  text: string;
  /** Printed on standard error. */
  notices?: readonly string[];
  /** Default: 0. 1 means that the answer is no. */
  exitCode?: 0 | 1;
}

/** An argument in commander's notation, with its description. */
export type DescribedArgument = readonly [notation: string, description: string];

/** An option in commander's notation, with its description; a repeatable one collects its values into a list. */
export type DescribedOption = readonly [notation: string, description: string, repeatable?: 'repeatable'];

/** One command, as data; the program and the reference page are generated from it. */
export interface CliCommand {
  readonly name: string;
  readonly summary: string;
  readonly arguments: readonly DescribedArgument[];
  readonly options: readonly DescribedOption[];
  /** The command changes something, so it also takes --dry-run. */
  readonly changes: boolean;
  /** `input` has arguments and options by name, unparsed. Returns undefined if the command wrote its own output. */
  run(context: CliContext, input: unknown): Promise<Report | undefined>;
}

interface CommandDeclaration<Input> {
  name: string;
  summary: string;
  arguments?: readonly DescribedArgument[];
  options?: readonly DescribedOption[];
  changes?: true;
  /** Omitted by a command without arguments and options. */
  schema?: z.ZodType<Input>;
  run(context: CliContext, input: Input): Promise<Report | undefined>;
}

/** Declares a command whose input is parsed by its schema before it runs. */
export function defineCommand<Input>(declaration: CommandDeclaration<Input>): CliCommand {
  const { name, summary, run } = declaration;
  return {
    name,
    summary,
    arguments: declaration.arguments ?? [],
    options: declaration.options ?? [],
    changes: declaration.changes ?? false,
    run: async (context, input) => run(context, parseInput(declaration, input)),
  };
}

function parseInput<Input>(
  { schema, arguments: args = [] }: CommandDeclaration<Input>,
  input: unknown,
): Input {
  if (!schema) return {} as Input;
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new GuardKitError({
    code: 'usage',
    kind: 'input',
    message: parsed.error.issues.map((issue) => describeFault(issue, args)).join('\n'),
    hint: 'Run the command with --help to see its arguments and options.',
  });
}

/** A fault of the command as a whole, such as two options that exclude each other, names no option. */
function describeFault(issue: z.core.$ZodIssue, args: readonly DescribedArgument[]): string {
  const [name] = issue.path;
  return name === undefined ? issueText(issue) : `${typedName(String(name), args)}: ${issueText(issue)}`;
}

/** The name as typed: `asOf` as `--as-of`, an argument as its own name. */
function typedName(name: string, args: readonly DescribedArgument[]): string {
  if (args.some(([notation]) => notation.includes(name))) return name;
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Commands by name. Each is created on demand: creating all of them takes longer than most commands run. */
type CommandMakers = Readonly<Record<string, () => CliCommand>>;

/** Commands that share a first word, such as `guard`. */
export interface CommandGroup {
  readonly name: string;
  /** Another name, used by older guides. */
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
