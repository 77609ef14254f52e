import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { removeTree } from '../../platform/files/remove-tree.ts';
import { runCommand } from '../../platform/processes/run-command.ts';
import type { TriedStep } from './try-commands.ts';

/** Runs a command in the person's own checkout and environment, with nothing of GuardKit around it. */
export async function runNatively(
  command: string,
  place: { root: string; home: string; env: NodeJS.ProcessEnv; signal: AbortSignal | undefined },
  timeoutMs: number,
): Promise<TriedStep> {
  const folder = join(place.home, 'runs', `NATIVE-${randomBytes(6).toString('hex')}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    const { exitCode, timedOut, durationMs, tail } = await runCommand(command, {
      cwd: place.root,
      // Runners watch for changes instead of ending where they take the terminal for a person's.
      env: { ...place.env, CI: '1' },
      timeoutMs,
      log: { path: join(folder, 'output.log'), maxBytes: 1024 * 1024 },
      ...(place.signal ? { signal: place.signal } : {}),
    });
    return { command, durationMs, exit: exitCode, timedOut, tail };
  } finally {
    removeTree(folder);
  }
}
