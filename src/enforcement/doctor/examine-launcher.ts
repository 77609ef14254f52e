import { existsSync, readFileSync } from 'node:fs';
import { launcherPath } from '../install/launcher.ts';
import { mcpLauncherPath } from '../install/mcp-launcher.ts';
import { packageFolder } from '../install/own-package.ts';
import type { DoctorCheck } from './doctor-check.ts';

/** Whether the launchers run this installation: one that was moved leaves them with the old paths. */
export function examineLauncher(dataFolder: string): DoctorCheck[] {
  const id = 'launcher';
  const written = [launcherPath(dataFolder), mcpLauncherPath(dataFolder)].filter((path) => existsSync(path));
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
          hint: 'Run `guardkit doctor --fix` to have hooks use this one.',
        }
      : { id, outcome: 'pass', found: `hooks run this installation (${own})` },
  ];
}

/** The scripts that a launcher names, each a quoted word of the shell. */
function programsIn(launcher: string): string[] {
  const words = readFileSync(launcher, 'utf8').matchAll(/'(\/(?:[^'\n]|'\\'')*\.[cm]?js)'/g);
  return [...words].map(([, path = '']) => path.replaceAll("'\\''", "'"));
}
