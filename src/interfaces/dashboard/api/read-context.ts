import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import { findProject } from '../../../enforcement/hooks/open-enforcement.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { isInside } from '../../../platform/files/path-inside.ts';
import { findGitFolder } from '../../../platform/git/git-folder.ts';
import type { EpisodeStore } from '../../../store/episode-store.ts';
import type { Ledger } from '../../../store/ledger/ledger.ts';
import { readSessionRows } from '../../../store/ledger/tables/driven-sessions.ts';
import { cachedReads } from '../../../store/ledger/tables/read-cache.ts';

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
    hint: 'It may have been removed. In the dashboard, reload the page.',
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

const CACHED = ['project of ', 'wired: '];

/** Checkouts of a project on this machine, those of recent runs first; without GuardKit's own. */
export async function findCheckouts(ledger: Ledger, dataFolder: string, project: string): Promise<string[]> {
  const own = realpathSync(dataFolder);
  const named = [
    ...[false, true].flatMap((ended) =>
      readSessionRows(ledger, project, { ended, limit: 5 }).map(({ checkout }) => checkout),
    ),
    ...CACHED.flatMap((prefix) => cachedReads(ledger, prefix).map(({ path }) => path.slice(prefix.length))),
    ...mainCheckouts(join(own, 'worktrees', project)),
  ];
  const found: string[] = [];
  for (const checkout of new Set(named)) {
    if (!existsSync(checkout) || isInside(checkout, own)) continue;
    if (await belongsTo(ledger, checkout, project)) found.push(checkout);
  }
  return found;
}

async function belongsTo(ledger: Ledger, checkout: string, project: string): Promise<boolean> {
  const git = findGitFolder(checkout);
  if (!git) return false;
  try {
    const found = await findProject(ledger, git, realpathSync.native(git.root));
    return found.known && found.id === project;
  } catch {
    // Safe: a checkout with an unreadable configuration is not used.
    return false;
  }
}

/** The checkouts that the worktrees of builds were made from. */
function mainCheckouts(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const mains = entries.flatMap(({ name }) => {
    const git = findGitFolder(join(folder, name));
    return git && basename(git.commonDir) === '.git' ? [dirname(git.commonDir)] : [];
  });
  return [...new Set(mains)];
}
