import { existsSync, lstatSync, mkdtempSync, readFileSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readProjectConfig } from '../../config/project/project-config.ts';
import { serveSettings } from '../../config/project/serve-config.ts';
import type { GitFolder } from '../../platform/git/git-folder.ts';
import { serverStatus } from '../broker/server-status.ts';
import { wrappedAgents } from '../install/agent-wirings.ts';
import { coldLauncherPath, launcherPath } from '../install/hook-launcher.ts';
import { mcpLauncherPath } from '../install/mcp-launcher.ts';
import { packageFolder } from '../install/own-package.ts';
import { claudeHome } from '../install/wire-claude.ts';
import { shellContext } from '../install/wire-shell.ts';
import { tryInstalledShell } from '../shell/try-shell.ts';
import type { DoctorCheck } from './doctor-check.ts';

/** Whether the launchers run this installation. If it was moved, they still have the old paths. */
export function examineLauncher(dataFolder: string): DoctorCheck[] {
  const id = 'launcher';
  const written = [
    launcherPath(dataFolder),
    coldLauncherPath(dataFolder),
    mcpLauncherPath(dataFolder),
  ].filter((path) => existsSync(path));
  if (written.length === 0) return [];
  const own = packageFolder();
  const runs = written.flatMap((path) => programsIn(path).map((program) => ({ path, program })));
  const gone = runs.find(({ program }) => !existsSync(program));
  if (gone)
    return [
      {
        id,
        outcome: 'fail',
        found: `${gone.path} runs ${gone.program}, which does not exist; GuardKit is installed in ${own}`,
        hint: 'Run `guardkit doctor --fix`.',
      },
    ];
  const other = runs.find(({ program }) => !program.startsWith(`${own}/`));
  return [
    other
      ? {
          id,
          outcome: 'pass',
          found: `${other.path} runs another installation, ${other.program}; this one is in ${own}`,
          hint: 'Run `guardkit doctor --fix` to make hooks use this one.',
        }
      : { id, outcome: 'pass', found: `hooks run this installation (${own})` },
  ];
}

/** The scripts in a launcher, which are quoted shell words. */
function programsIn(launcher: string): string[] {
  const words = readFileSync(launcher, 'utf8').matchAll(/'(\/(?:[^'\n]|'\\'')*\.[cm]?js)'/g);
  return [...words].map(([, path = '']) => path.replaceAll("'\\''", "'"));
}

/**
 * Whether the data folder is writable; reported only if it is not, since other checks cover its content. The folder may not
 * exist yet: then the nearest existing folder above it is tested.
 */
export function examineDataFolder(folder: string): DoctorCheck[] {
  const existing = nearestThere(folder);
  try {
    // A real write: permissions alone do not reveal a full or read-only volume.
    rmdirSync(mkdtempSync(join(existing, '.guardkit-doctor-')));
    return [];
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
    const what = existing === folder ? 'it is not writable' : `${existing} is not writable`;
    return [
      {
        id: 'data',
        outcome: 'fail',
        found: `cannot use the data folder ${folder}: ${what}${code}`,
        hint: 'Make it writable, or set GUARDKIT_HOME to another folder, for you and your agents.',
      },
    ];
  }
}

/** The folder, or the nearest existing one above it. */
function nearestThere(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (isThere(at) || at === dirname(at)) return at;
  }
}

/** True for a dangling link too, which blocks the path. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // Safe: the write test in the folder above finds the obstacle.
    return false;
  }
}

const FIX = 'Run `guardkit doctor --fix`.';

/** Whether agents' commands run in a sandbox, by the settings and by a test command. */
export async function examineShell(
  git: GitFolder,
  { env, home, dataFolder }: { env: NodeJS.ProcessEnv; home: string; dataFolder: string },
): Promise<DoctorCheck> {
  const id = 'commands';
  const wish = { git, dataFolder, env, home, claudeHome: claudeHome(env, home) };
  const context = shellContext(wish);
  const wraps = (checkout: string) => wrappedAgents(checkout, git, context.dataFolder).length > 0;
  if (![git.root, ...context.otherCheckouts].some(wraps))
    return { id, outcome: 'absent', found: 'agents’ commands run without a sandbox', hint: FIX };
  if (!existsSync(context.dataFolder))
    return { id, outcome: 'fail', found: `${dataFolder} is missing: commands are refused`, hint: FIX };
  const trial = await tryInstalledShell(context, env);
  return trial.ok
    ? {
        id,
        outcome: 'pass',
        found: 'agents’ commands run in a sandbox: a forbidden write just failed',
      }
    : { id, outcome: 'fail', found: `commands are refused: ${trial.why}`, hint: trial.install };
}

/** Which process answers hooks. Each can start its own program, so nothing here is a failure. */
export async function examineServer(
  root: string,
  dataFolder: string,
  wrapped: boolean,
): Promise<DoctorCheck> {
  const id = 'serve';
  const config = await readProjectConfig(root);
  const { on } = serveSettings(config.ok ? config.value.serve : undefined);
  const { answers, code, why, process } = serverStatus(dataFolder, { on, wrapped });
  const shown =
    process &&
    `process ${process.pid} since ${process.since}, GuardKit ${process.version}, ${process.socket}`;
  return answers && shown
    ? { id, outcome: 'pass', code, found: `hooks are answered by ${shown}` }
    : { id, outcome: 'absent', code, found: `each hook starts its own program: ${why}` };
}
