import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { commandEnvironment } from '../../platform/command-environment.ts';
import { describeExit } from '../../platform/describe-exit.ts';
import { runProcess } from '../../platform/run-process.ts';
import { launcherParts, packageFolder } from './own-package.ts';

/** Many times what it takes on a slow machine. */
const TIMEOUT_MS = 5 * 60 * 1000;

/**
 * Whether hooks can begin with the memory that was made for this very Node, as the launcher will see it. Without it they take
 * half as long again.
 */
export function isFittedToNode(): boolean {
  const { node, snapshot } = launcherParts('');
  return snapshot !== undefined && timeOf(node) === timeOf(snapshot.made);
}

/** Where a package was installed without its scripts being run, or Node was upgraded since. Gives what went wrong. */
export async function fitToNode(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const folder = packageFolder();
  const script = join(folder, 'scripts', 'for-this-node.js');
  if (!existsSync(script)) return `${script} is missing: install guardkit again.`;
  const result = await runProcess(process.execPath, [script], {
    cwd: folder,
    env: commandEnvironment(env),
    timeoutMs: TIMEOUT_MS,
  });
  if (isFittedToNode()) return undefined;
  const [said = ''] = result.stderr.trim().split('\n').slice(-1);
  return said || `${script}: ${describeExit(result)}`;
}

function timeOf(file: string): bigint | undefined {
  return statSync(file, { bigint: true, throwIfNoEntry: false })?.mtimeNs;
}
