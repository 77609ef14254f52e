import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { commandEnvironment } from '../../platform/processes/command-environment.ts';
import { describeExit } from '../../platform/processes/process-failures.ts';
import { runProcess } from '../../platform/processes/run-process.ts';
import { packageFolder } from './own-package.ts';

/** Many times what it takes on a slow machine. */
const TIMEOUT_MS = 5 * 60 * 1000;

/** Whether there is compiled code of the program for this Node. Hooks take half as long again without it. */
export function hasCodeCache(): boolean {
  const folder = join(packageFolder(), 'dist', 'program');
  const end = `.hook-${process.version}-${process.platform}-${process.arch}.cache`;
  return existsSync(folder) && readdirSync(folder).some((name) => name.endsWith(end));
}

/** For a package that was installed without running its scripts, or a Node that was upgraded since. Returns what went wrong. */
export async function makeCodeCache(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const folder = packageFolder();
  const script = join(folder, 'scripts', 'make-code-cache.js');
  if (!existsSync(script)) return `${script} is missing: install guardkit again.`;
  const result = await runProcess(process.execPath, [script], {
    cwd: folder,
    env: commandEnvironment(env),
    timeoutMs: TIMEOUT_MS,
  });
  if (hasCodeCache()) return undefined;
  const [said = ''] = result.stderr.trim().split('\n').slice(-1);
  return said || `${script}: ${describeExit(result)}`;
}
