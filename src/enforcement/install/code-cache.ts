import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { commandEnvironment } from '../../platform/processes/command-environment.ts';
import { describeExit } from '../../platform/processes/process-failures.ts';
import { runProcess } from '../../platform/processes/run-process.ts';
import { packageFolder } from './own-package.ts';

/** Many times the duration on a slow machine. */
const TIMEOUT_MS = 5 * 60 * 1000;

/** Whether a code cache exists for this Node. Without it hooks take half as long again. */
export function hasCodeCache(): boolean {
  const folder = join(packageFolder(), 'dist', 'program');
  const end = `.hook-${process.version}-${process.platform}-${process.arch}.cache`;
  return existsSync(folder) && readdirSync(folder).some((name) => name.endsWith(end));
}

/** Needed after an install without scripts, or after a Node upgrade. Returns the reason if it failed. */
export async function makeCodeCache(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const folder = packageFolder();
  const script = join(folder, 'scripts', 'make-code-cache.js');
  if (!existsSync(script)) return `${script} is missing: reinstall guardkit.`;
  const result = await runProcess(process.execPath, [script], {
    cwd: folder,
    env: commandEnvironment(env),
    timeoutMs: TIMEOUT_MS,
  });
  if (hasCodeCache()) return undefined;
  const [message = ''] = result.stderr.trim().split('\n').slice(-1);
  return message || `${script}: ${describeExit(result)}`;
}
