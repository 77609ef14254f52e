import * as z from 'zod';
import { GuardKitError } from '../../../guardkit-error.ts';
import type { EpisodeStore } from '../../../store/episode-store.ts';
import type { Ledger } from '../../../store/ledger/ledger.ts';
import { findCheckouts } from './find-checkouts.ts';

/** The result of a command line. */
export interface CommandResult {
  exitCode: number;
  stdout: string;
  stderr: string;
}

export interface ReadContext {
  dataFolder: string;
  /** Undefined before the first use of GuardKit; reading must not create one. */
  ledger(): Ledger | undefined;
  /** The memory that a checkout uses; undefined without a checkout or before the first use. */
  store(checkout: string | undefined): Promise<EpisodeStore | undefined>;
  /** Runs a command of the program in a folder, as an agent-free process without a person. */
  run(args: readonly string[], cwd: string): Promise<CommandResult>;
}

export interface OpenedProject {
  ledger: Ledger;
  project: string;
  dataFolder: string;
  /** A folder of this machine with the project; undefined if it is gone. */
  checkout: string | undefined;
}

export async function openProject(context: ReadContext, project: string): Promise<OpenedProject> {
  const ledger = context.ledger();
  if (!ledger?.head(project)) throw unknown('project', project);
  const { dataFolder } = context;
  const [checkout] = await findCheckouts(ledger, dataFolder, project);
  return { ledger, project, dataFolder, checkout };
}

export function unknown(what: string, value: string): GuardKitError {
  return new GuardKitError({
    code: 'dashboard.unknown',
    kind: 'refused',
    message: `Unknown ${what} ${value.slice(0, 200)}.`,
    hint: 'It may have been removed; reload the page.',
  });
}

/** The JSON that a read command prints. */
export async function runJson(
  { run }: Pick<ReadContext, 'run'>,
  args: readonly string[],
  cwd: string,
): Promise<unknown> {
  // Whatever follows a bare `--` is data.
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const { stdout, stderr } = await run([...args.slice(0, end), '--json', ...args.slice(end)], cwd);
  const answer = parsed(stdout);
  const failed = failureSchema.safeParse(answer).data?.error;
  if (failed) throw new GuardKitError({ ...failed, kind: 'refused' });
  if (answer !== undefined) return answer;
  throw new GuardKitError({
    code: 'dashboard.command-failed',
    kind: 'outside',
    message: `\`guardkit ${args.join(' ').slice(0, 200)}\` failed: ${stderr.slice(0, 2000)}`,
    hint: `Run it in ${cwd} to see more.`,
  });
}

/** As every command prints an error with `--json`. */
const failureSchema = z.object({
  error: z.object({ code: z.string(), message: z.string(), hint: z.string() }),
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Safe: reported as a failed command.
    return undefined;
  }
}
