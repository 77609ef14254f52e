import { createInterface } from 'node:readline/promises';
import { CommanderError } from 'commander';
import { openWorkspace, type Workspace } from '../../config/workspace.ts';
import { findPerson } from '../../platform/person.ts';
import type { EpisodeStore } from '../../store/episode-store.ts';
import { openStore } from '../../store/open-store.ts';
import { buildProgram, type RunRequest } from './build-program.ts';
import type { CliContext } from './cli-command.ts';
import { describeError } from './describe-error.ts';

const DEFAULT_WIDTH = 160;

/** Runs one command line and gives its exit code. */
export async function runCli(args: readonly string[]): Promise<number> {
  // A reader that has seen enough (`| head`) closes the pipe; that is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
  let exitCode = 0;
  const program = buildProgram(async (request) => {
    exitCode = await runCommand(request);
  });
  exitOnOwnTerms(program);
  try {
    await program.parseAsync(args.length === 0 ? ['--help'] : [...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has already told the person; its own exit code for wrong use is 1, ours is 2.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    throw error;
  }
}

function exitOnOwnTerms(command: ReturnType<typeof buildProgram>): void {
  command.exitOverride();
  for (const child of command.commands) exitOnOwnTerms(child);
}

async function runCommand({ command, input }: RunRequest): Promise<number> {
  const json = input.json === true;
  const opened: EpisodeStore[] = [];
  try {
    const report = await command.run(processContext(opened), input);
    if (!report) return 0;
    process.stdout.write(json ? `${JSON.stringify(report.json, null, 2)}\n` : `${report.text}\n`);
    return report.exitCode ?? 0;
  } catch (error) {
    const described = describeError(error, input.verbose === true);
    process.stderr.write(`${described.text}\n`);
    if (json) process.stdout.write(`${JSON.stringify(described.json, null, 2)}\n`);
    return described.exitCode;
  } finally {
    for (const store of opened) await store.close();
  }
}

function processContext(opened: EpisodeStore[]): CliContext {
  const cwd = process.cwd();
  const { env } = process;
  let workspace: Promise<Workspace> | undefined;
  const context: CliContext = {
    cwd,
    env,
    stdout: process.stdout,
    stderr: process.stderr,
    width: process.stdout.columns ?? DEFAULT_WIDTH,
    readInput,
    findPerson: () => findPerson(env),
    ask,
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

async function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(question);
  } finally {
    terminal.close();
  }
}
