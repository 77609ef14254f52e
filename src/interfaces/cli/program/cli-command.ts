import type * as z from 'zod';
import type { Workspace } from '../../../config/project/workspace.ts';
import type { ToolRole } from '../../../domain/entities/tool-role.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import type { PersonCheck } from '../../../platform/processes/person.ts';
import type { SandboxStatus } from '../../../platform/sandbox/find-sandbox.ts';
import type { EpisodeStore } from '../../../store/episode-store.ts';
import type { Ledger } from '../../../store/ledger/ledger.ts';

/** Serves tools until the client hangs up. */
export type ServeMcp = (options: { role?: ToolRole | undefined }) => Promise<void>;

/** What a command may touch of the world outside; tests hand in their own. */
export interface CliContext {
  cwd: string;
  env: NodeJS.ProcessEnv;
  stdin: NodeJS.ReadableStream;
  stdout: NodeJS.WritableStream;
  /** Characters in a line of stdout. */
  width: number;
  findPerson(): PersonCheck;
  /** How a coding agent stands behind this command, with or without a terminal; undefined if none does. */
  findAgent(): Promise<string | undefined>;
  /** What commands of a candidate can be run in. */
  findSandbox(): Promise<SandboxStatus>;
  /** Asks the person at the terminal; an empty answer is one that was not given. */
  ask(question: string): Promise<string>;
  workspace(): Promise<Workspace>;
  /** Opens the workspace's store; it is closed when the command ends. */
  store(): Promise<EpisodeStore>;
  /** Opens the ledger in the data folder, or makes it; it is closed when the command ends. */
  ledger(): Promise<Ledger>;
  /** Starts the broker where agents' commands are wrapped, if it is not running. */
  startBroker(): Promise<void>;
  serveMcp: ServeMcp;
  /** Says on standard error how long work goes on. */
  progress(line: string): void;
  /** On a terminal, says in its last line what goes on right now; elsewhere nothing. */
  status(line: string): void;
}

/** What a command found, once for programs and once for people. */
export interface Report {
  json: unknown;
  text: string;
  /** What a person should know beside the answer; goes to standard error. */
  notices?: readonly string[];
  /** 0 unless the answer is no. */
  exitCode?: 0 | 1;
}

/** An argument in commander's notation, with what it means. */
export type DescribedArgument = readonly [notation: string, description: string];

/** A flag in commander's notation, with what it means; a repeatable one collects its values into a list. */
export type DescribedOption = readonly [notation: string, description: string, repeatable?: 'repeatable'];

/** One command, as data: the program and its reference page are made from it. */
export interface CliCommand {
  readonly name: string;
  readonly summary: string;
  readonly arguments: readonly DescribedArgument[];
  readonly options: readonly DescribedOption[];
  /** It changes something, so it also takes --dry-run. */
  readonly changes: boolean;
  /** `input` holds arguments and options by name, unparsed. Undefined means that the command has written its output itself. */
  run(context: CliContext, input: unknown): Promise<Report | undefined>;
}

interface CommandDeclaration<Input> {
  name: string;
  summary: string;
  arguments?: readonly DescribedArgument[];
  options?: readonly DescribedOption[];
  changes?: true;
  /** Left out by a command that takes nothing. */
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
  // Nothing is what it takes, so that there is nothing to look at.
  if (!schema) return {} as Input;
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new GuardKitError({
    code: 'usage',
    kind: 'input',
    message: parsed.error.issues
      .map((issue) => `${typedName(issue.path, args)}: ${issue.message}`)
      .join('\n'),
    hint: 'Run the command with --help to see what it takes.',
  });
}

/** What a person typed: `asOf` as `--as-of`, an argument as its own name. */
function typedName(path: readonly PropertyKey[], args: readonly DescribedArgument[]): string {
  const name = String(path[0] ?? 'input');
  if (args.some(([notation]) => notation.includes(name))) return name;
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

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
